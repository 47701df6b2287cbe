import type { FastifyInstance } from 'fastify';
import { anularDevolucion, createDevolucion, listDevoluciones } from '../../contract/devoluciones.ts';
import { asDone } from '../../contract/kit.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { annulReturn, readReturns, registerReturn } from './devoluciones.ts';

export function devolucionesRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, listDevoluciones, async ({ actor, params }) => ({ success: true as const, data: await readReturns(db, actor, params.id) }));
  route(app, createDevolucion, async ({ actor, params, body }) =>
    asDone('Devolución registrada', await registerReturn(db, actor, params.id, body)),
  );
  route(app, anularDevolucion, async ({ actor, params, body }) =>
    asDone('Devolución anulada', await annulReturn(db, actor, params.id, body.motivo)),
  );
}
