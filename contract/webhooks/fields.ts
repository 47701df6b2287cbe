import type { Field } from '../kit/fields.ts';
import type { Action } from '../policy/policy.ts';

export const WEBHOOK_EVENTS = {
  'pedido.creado': 'Pedido creado',
  'pedido.pagado': 'Pedido pagado',
  'pedido.asignado': 'Pedido asignado a un transportista',
  'pedido.en_ruta': 'Pedido en reparto',
  'pedido.intento_fallido': 'Intento de entrega fallido',
  'pedido.completado': 'Pedido completado',
  'pedido.cancelado': 'Pedido cancelado',
  'pedido.salida_deshecha': 'Salida a reparto deshecha',
  'pedido.entrega_deshecha': 'Entrega deshecha',
  'pedido.reabierto': 'Pedido cancelado, reabierto',
  'pedido.modificado': 'Pedido modificado',
  'pedido.devuelto': 'Devolución registrada',
  'pago.anotado': 'Pago anotado',
  'pago.anulado': 'Pago anulado',
  'pago.reembolsado': 'Reembolso anotado',
  'remesa.recibida': 'Liquidación de una empresa recibida',
  'remesa.deshecha': 'Liquidación de una empresa deshecha',
  'stock.bajo': 'Stock bajo',
  'stock.movido': 'Stock movido',
  'cliente.modificado': 'Cliente modificado',
  'job.failing': 'Una tarea del sistema falla',
  'backup.failed': 'Copia de seguridad fallida',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

type SubjectOf<E> = E extends `${infer S}.${string}` ? S : never;
type Subject = SubjectOf<WebhookEvent>;
/** Permission to read events about each subject at `/api/events`, in addition to `evento:read`. */
const SUBJECT_ACTIONS: Record<Subject, Action> = {
  pedido: 'pedido:read',
  pago: 'pago:read',
  remesa: 'pago:read',
  stock: 'product:manage',
  cliente: 'cliente:read',
  job: 'job:read',
  backup: 'backup:manage',
};

/** Returns the permission required for events of this name. */
export const eventAction = (name: WebhookEvent): Action => SUBJECT_ACTIONS[name.split('.')[0] as Subject];

/** Kinds of change of a `cliente.modificado` event. */
export type CambioCliente = 'nota' | 'metadata' | 'bloqueo' | 'union' | 'separacion';

export const TEST_EVENT = 'prueba';

export const NO_EVENTS = 'Elige al menos un evento';

export const WEBHOOK_FIELDS = {
  url: {
    label: 'Dirección',
    kind: 'text',
    max: 500,
    required: 'Escribe la dirección que recibe los avisos',
    pattern: /^https?:\/\/[^\s@#]+$/i,
    invalid: 'Escribe la dirección completa, como https://tienda.es/avisos, sin usuario ni contraseña',
  },
  descripcion: { label: 'Descripción', kind: 'text', max: 120 },
} as const satisfies Record<string, Field>;
