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
  'transferencia_avisada',
  'pago_tardio',
  'devolucion_pendiente',
  'pago_recordado',
  'stock_bajo',
  'copia_fallida',
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

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  action: 'session',
  summary: 'The caller’s latest notifications and how many are unread',
  response: { 200: z.object({ data: z.array(notification), unread: z.number() }) },
});

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/leer',
  action: 'session',
  summary: 'Mark as read: the given ones, or all',
  body: z.strictObject({ ids: z.array(id).max(100).optional() }),
  response: { 200: done },
});
