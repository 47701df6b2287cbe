import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

/** The server reads the raw body, because the signature covers the bytes (server/payments/payments.feature.ts). */
export const notifyPago = endpoint<typeof schemas.notifyPago>()('POST', '/api/webhooks/:proveedor', 'signed');

export type Pago = z.infer<typeof schemas.pago>;
export type PagoDePedido = z.infer<typeof schemas.pagoDePedido>;

export const listPagos = endpoint<typeof schemas.listPagos>()('GET', '/api/pedidos/:id/pagos', 'pago:read');

/** Payments and refunds of all orders, by cursor, for bookkeeping. */
export const listTodosPagos = endpoint<typeof schemas.listTodosPagos>()('GET', '/api/pagos', 'pago:read');

export const devolverPago = endpoint<typeof schemas.devolverPago>()('POST', '/api/pagos/:id/devuelto', 'pago:manage');

export const anotarPago = endpoint<typeof schemas.anotarPago>()('POST', '/api/pedidos/:id/pagos', 'pago:manage');

export const reembolsarSobra = endpoint<typeof schemas.reembolsarSobra>()('POST', '/api/pedidos/:id/reembolso', 'pago:manage');

export const anularPago = endpoint<typeof schemas.anularPago>()('POST', '/api/pagos/:id/anular', 'pago:manage');

export type PagoPorRevisar = z.infer<typeof schemas.pagoPorRevisar>;

export const listPagosPorRevisar = endpoint<typeof schemas.listPagosPorRevisar>()('GET', '/api/pagos/por-revisar', 'pago:manage');

export const resolverPago = endpoint<typeof schemas.resolverPago>()('POST', '/api/pagos/:id/revision', 'pago:manage');

export const getInicio = endpoint<typeof schemas.getInicio>()('GET', '/api/inicio', 'settings:manage');
