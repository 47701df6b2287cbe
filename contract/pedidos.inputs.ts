import type { Field } from './fields.ts';
import { LLAMADOS } from './pedidos.attempts.ts';
import { PEDIDO_FIELDS } from './pedidos.fields.ts';

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
} as const satisfies Record<string, InputField>;
export type InputName = keyof typeof INPUTS;

export const INPUT_NAMES = Object.keys(INPUTS) as InputName[];
export const inputField = (name: InputName): InputField => INPUTS[name];
