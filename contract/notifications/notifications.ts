import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export const NOTIFICATION_TYPES = [
  'pedido_nuevo',
  'pedido_pagado',
  'pedido_tomado',
  'pedido_completado',
  'intento_fallido',
  'pedido_cancelado',
  'paso_deshecho',
  'entrega_aplazada',
  'incidencia_respondida',
  'pedido_disponible',
  'pedido_asignado',
  'pedido_retirado',
  'acto_no_aceptado',
  'entrega_sin_comprobar',
  'sin_enviar',
  'devolucion',
  'comentario',
  'transferencia_avisada',
  'transferencia_por_vencer',
  'pago_tardio',
  'pago_por_revisar',
  'devolucion_pendiente',
  'pago_recordado',
  'tienda_por_revisar',
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
  'caja_entregada',
  'diferencia_entrega',
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export type Notification = z.infer<typeof schemas.notification>;

export const listNotifications = endpoint<typeof schemas.listNotifications>()('GET', '/api/notifications', 'session');

export const readNotifications = endpoint<typeof schemas.readNotifications>()('POST', '/api/notifications/leer', 'session');
