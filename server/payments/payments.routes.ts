import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/payments.ts';
import type { Db } from '../db/open.ts';
import { route } from '../kit/route.ts';
import { readPago, simulatePago } from './payments.ts';

export function paymentsRoutes(app: FastifyInstance, db: Db, demo: boolean): void {
  route(app, api.getPago, async ({ params }) => ({ data: await readPago(db, params.token, demo) }));
  route(app, api.simularPago, async ({ params }) => {
    await simulatePago(db, params.token, demo);
    return { success: true, message: 'Pago simulado: el pedido ya está pagado' };
  });
}
