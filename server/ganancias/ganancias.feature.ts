import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import * as api from '../../contract/liquidaciones/liquidaciones.ts';
import { plural } from '../../contract/text/plural.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readRules, setRules } from './rules.ts';
import { adjustEarnings, closeMonth, markAllPaid, markPaid, markUnpaid } from './statements.ts';

/** Earnings of resellers and carriers: rules, ledger and monthly statements. */
export const gananciasFeature: Feature = {
  name: 'ganancias',
  tables: { margenes: 'kept', tarifas: 'kept', ganancias: 'kept', liquidaciones: 'kept', liquidaciones_numeros: 'kept' },
  routes,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.getGanancia, async ({ params }) => readRules(db, params.id));
  route(app, api.setGanancia, async ({ actor, params, body }) => asDone('Guardado', await setRules(db, actor, params.id, body)));
  route(app, api.crearAjuste, async ({ actor, body }) => asDone('Ajuste anotado', await adjustEarnings(db, actor, body)));
  route(app, api.cerrarMes, async ({ actor, body }) => {
    const closed = await closeMonth(db, actor, body.mes);
    const words = mesEnPalabras(body.mes);
    const many = plural(closed.liquidaciones, 'liquidación', 'liquidaciones');
    return asDone(closed.liquidaciones ? `Cerrado ${words}: ${many}` : `No queda nada por cerrar de ${words}`, closed);
  });
  route(app, api.pagarLiquidacion, async ({ actor, params, body }) =>
    asDone('Liquidación pagada', await markPaid(db, actor, { ...body, ...params })),
  );
  route(app, api.pagarLiquidaciones, async ({ actor, body }) => {
    const paid = await markAllPaid(db, actor, body);
    return asDone(paid.liquidaciones === 1 ? 'Liquidación pagada' : `${paid.liquidaciones} liquidaciones pagadas`, paid);
  });
  route(app, api.despagarLiquidacion, async ({ actor, params, body }) =>
    asDone('La liquidación vuelve a estar por pagar', await markUnpaid(db, actor, { ...body, ...params })),
  );
}
