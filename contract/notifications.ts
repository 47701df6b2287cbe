import { z } from 'zod';
import { done, endpoint, id, instant } from './kit.ts';

export const NOTIFICATION_TYPES = [
  'pedido_nuevo',
  'pedido_pagado',
  'pedido_tomado',
  'pedido_completado',
  'intento_fallido',
  'pedido_cancelado',
  'pedido_disponible',
  'pedido_asignado',
  'pedido_retirado',
  'devolucion',
  'comentario',
  'transferencia_avisada',
  'transferencia_por_vencer',
  'pago_tardio',
  'pago_por_revisar',
  'devolucion_pendiente',
  'pago_recordado',
  'stock_bajo',
  'copia_fallida',
  'tarea_fallida',
  'copia_descargada',
  'segundo_factor_quitado',
  'configuracion_cambiada',
  'clave_creada',
  'webhook_creado',
  'webhook_desactivado',
  'liquidacion_cerrada',
  'liquidacion_pagada',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const notification = z.object({
  id,
  tipo: z.string(),
  texto: z.string(),
  /** Path of the related screen. */
  enlace: z.string(),
  created_at: instant,
  read_at: instant.nullable(),
});
export type Notification = z.infer<typeof notification>;

export const listNotifications = endpoint('GET', '/api/notifications', {
  action: 'session',
  summary: 'The caller’s latest notifications and how many are unread; the orders to be taken are one, that counts them',
  response: {
    200: z.object({
      data: z.array(notification),
      /** At most a hundred. */
      unread: z.number(),
    }),
  },
});

export const readNotifications = endpoint('POST', '/api/notifications/leer', {
  action: 'session',
  summary: 'Mark as read: the given ones, those about an order, or all',
  body: z.strictObject({ ids: z.array(id).max(100).optional(), pedido_id: id.optional() }),
  response: { 200: done },
});
