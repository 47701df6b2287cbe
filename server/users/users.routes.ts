import type { FastifyInstance } from 'fastify';
import { asDone } from '../../contract/kit.ts';
import * as api from '../../contract/users.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { deleteUser } from './delete-user.ts';
import { createUser, listUsers, updateUser } from './users.ts';

export function usersRoutes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listUsers, async ({ query }) => ({ success: true, data: await listUsers(db, query) }));
  route(app, api.createUser, async ({ actor, body }) => asDone('Usuario creado', await createUser(db, actor, body)));
  route(app, api.updateUser, async ({ actor, params, body, request }) =>
    asDone('Usuario actualizado', await updateUser(db, actor, { ...body, ...params }, () => app.requireProof(request))),
  );
  route(app, api.deleteUser, async ({ actor, params, query }) => {
    await deleteUser(db, actor, { ...params, ...query });
    return { success: true, message: 'Usuario eliminado' };
  });
}
