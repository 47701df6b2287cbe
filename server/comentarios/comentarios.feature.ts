import type { FastifyInstance } from 'fastify';
import { addComentario, listComentarios } from '../../contract/comentarios/comentarios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { addComment, readComments } from './comentarios.ts';

/** Comments on an order, with @mentions. */
export const comentariosFeature: Feature = {
  name: 'comentarios',
  tables: { comentarios: 'kept' },
  routes,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, listComentarios, async ({ actor, params }) => readComments(db, actor, params.id));
  route(app, addComentario, async ({ actor, params, body }) =>
    asDone('Comentario guardado', await addComment(db, actor, params.id, body.texto)),
  );
}
