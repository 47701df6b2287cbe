import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/banco/banco.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { bookMovement, closeMovement, listMovements, releaseMovement } from './movements.ts';
import { forgetPayers, listExtracts, readExtract, undoStatement } from './statements.ts';

/** Bank statements: credits matched to orders, remittances and hand-overs, or waiting to be. */
export const bancoFeature: Feature = { name: 'banco', tables: { extractos: 'kept', movimientos: 'kept' }, routes, clean: forgetPayers };

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.leerExtracto, async ({ actor, body }) => ({ data: await readExtract(db, actor, body) }));
  route(app, api.listExtractos, async () => ({ success: true, data: await listExtracts(db) }));
  route(app, api.deshacerExtracto, ({ actor, params }) => doneAfter(undoStatement(db, actor, params.id), 'Extracto deshecho'));
  route(app, api.listAbonos, ({ query }) => listMovements(db, query));
  route(app, api.apuntarMovimiento, ({ actor, params, body }) => doneAfter(bookMovement(db, actor, params.id, body), 'Apuntado'));
  route(app, api.cerrarMovimiento, ({ actor, params, body }) => doneAfter(closeMovement(db, actor, params.id, body), 'Pago revisado'));
  route(app, api.soltarMovimiento, ({ actor, params }) =>
    doneAfter(releaseMovement(db, actor, params.id), 'El movimiento vuelve a estar por revisar'),
  );
}
