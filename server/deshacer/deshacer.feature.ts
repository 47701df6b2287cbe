import type { FastifyInstance } from 'fastify';
import { deshacerPaso, deshacerVarios, verDeshacer, verDeshacerVarios } from '../../contract/deshacer/deshacer.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { REVERSALS } from '../../contract/pedidos/reversals.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { presentOrder } from '../pedidos/lectura/present.ts';
import { previewReversal, previewReversals, reverseStep, reverseSteps } from './deshacer.ts';

/** Steps of orders taken back by counter-entries: a departure, a delivery, a cancellation. */
export const deshacerFeature: Feature = {
  name: 'deshacer',
  routes,
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  const origin = config.publicUrl ?? '';
  route(app, verDeshacer, async ({ actor, params }) => ({ data: await previewReversal(db, actor, params.id) }));
  route(app, verDeshacerVarios, async ({ actor, body }) => ({ data: await previewReversals(db, actor, body.ids) }));
  route(app, deshacerVarios, ({ actor, body }) => reverseSteps(db, actor, body));
  route(app, deshacerPaso, async ({ actor, params, body }) =>
    asDone(REVERSALS[body.paso].done, presentOrder(actor, await reverseStep(db, actor, params.id, body), origin)),
  );
}
