import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/api-keys/api-keys.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { createApiKey, deleteOldApiKeys, listApiKeys, revokeApiKey } from './api-keys.ts';

/** Keys with which other programs use the API. */
export const apiKeysFeature: Feature = {
  name: 'api-keys',
  tables: { api_keys: 'kept' },
  routes,
  clean: deleteOldApiKeys,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listApiKeys, async () => ({ data: await listApiKeys(db) }));
  route(app, api.createApiKey, async ({ actor, body }) => asDone('Clave creada', await createApiKey(db, actor, body)));
  route(app, api.revokeApiKey, ({ actor, params }) => doneAfter(revokeApiKey(db, actor, params.id), 'Clave revocada: ya no abre nada'));
}
