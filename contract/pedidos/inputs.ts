import type { Field } from '../kit/fields.ts';
import { METODOS_COBRO } from '../payments/fields.ts';
import { FORMAS_ENTREGA, RELACIONES } from '../pruebas/fields.ts';
import { LLAMADOS } from './attempts.ts';
import { PEDIDO_FIELDS } from './fields.ts';

type InputField = Field & { description?: string };

export const INPUTS = {
  referencia: {
    label: 'Referencia del pago',
    kind: 'text',
    max: 120,
    description: 'El concepto de la transferencia, el número de recibo…',
  },
  motivo: { label: 'Motivo', kind: 'multiline', max: PEDIDO_FIELDS.motivo.max },
  llamado: { label: '¿A quién has llamado?', kind: 'choice', options: LLAMADOS, invalid: 'Elige a quién has llamado' },
  metodo_entrega: { ...PEDIDO_FIELDS.metodo_entrega, invalid: 'Por favor, selecciona un método de entrega' },
  numero_seguimiento: PEDIDO_FIELDS.numero_seguimiento,
  empresa_transporte: PEDIDO_FIELDS.empresa_transporte,
  /** Amount in euros, collected at the door on cash-on-delivery orders. */
  cobrado: { label: 'Cobrado (€)', kind: 'money' },
  cobrado_metodo: { label: 'Cómo te han pagado', kind: 'choice', options: METODOS_COBRO, invalid: 'Elige cómo te han pagado' },
  cobrado_motivo: { label: 'Por qué no has cobrado todo', kind: 'multiline', max: 300 },
  forma_entrega: { label: 'Cómo se ha entregado', kind: 'choice', options: FORMAS_ENTREGA, invalid: 'Forma de entrega no válida' },
  receptor_nombre: { label: 'Quién lo recibe', kind: 'text', max: 120 },
  receptor_relacion: { label: 'Relación con el cliente', kind: 'choice', options: RELACIONES, invalid: 'Relación no válida' },
  pin: { label: 'PIN del cliente', kind: 'text', max: 4, pattern: /^\d{4}$/, invalid: 'El PIN son cuatro cifras' },
} as const satisfies Record<string, InputField>;
export type InputName = keyof typeof INPUTS;

export const INPUT_NAMES = Object.keys(INPUTS) as InputName[];
export const inputField = (name: InputName): InputField => INPUTS[name];
