import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit/endpoint.ts';
import * as api from '../../contract/users/users.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { createUser, deleteUser, inviteUser, listUsers, renewInvitation, updateUser, withdrawInvitation } from './users.ts';

/** People: inviting, creating, editing, deactivating, deleting. */
export const usersFeature: Feature = {
  name: 'users',
  routes,
};

function routes(app: FastifyInstance, { db, config }: Deps): void {
  route(app, api.listUsers, async ({ query }) => ({ success: true, data: await listUsers(db, query) }));
  route(app, api.createUser, async ({ actor, body }) => asDone('Usuario creado', await createUser(db, actor, body)));
  route(app, api.inviteUser, async ({ actor, body }) => asDone('Invitación creada', await inviteUser(db, actor, config, body)));
  route(app, api.renewInvitation, async ({ actor, params, request }) =>
    asDone('Enlace nuevo: el anterior ya no vale', await renewInvitation(db, actor, config, params.id, () => app.requireProof(request))),
  );
  route(app, api.withdrawInvitation, async ({ actor, params }) =>
    asDone('Invitación anulada', await withdrawInvitation(db, actor, params.id)),
  );
  route(app, api.updateUser, async ({ actor, params, body, request }) =>
    asDone('Usuario actualizado', await updateUser(db, actor, { ...body, ...params }, () => app.requireProof(request))),
  );
  route(app, api.deleteUser, ({ actor, params, query }) => doneAfter(deleteUser(db, actor, { ...params, ...query }), 'Usuario eliminado'));
}
