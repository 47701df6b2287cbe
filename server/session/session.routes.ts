import type { FastifyInstance } from 'fastify';
import * as api from '../../contract/session.ts';
import type { Deps } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { readSettings } from '../settings/settings.ts';
import { login, useFirstAccess } from './session.ts';
import { hashToken } from './sessions.ts';

export function sessionRoutes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.getCsrfToken, async ({ request, reply }) => {
    app.guard.setXsrf(reply, request.session);
    return { success: true };
  });

  route(app, api.login, async ({ body, request, reply }) => {
    const mark = (userId: string) => app.guard.readDevice(request, userId);
    const from = { ip: request.ip, userAgent: request.headers['user-agent'], mark };
    const { token, remembered, ...device } = await login(db, secretKey, body, from, request.session);
    app.guard.setSession(reply, token, remembered);
    app.guard.setDevice(reply, device);
    app.guard.setXsrf(reply, { token_hash: hashToken(token), remembered });
    return { success: true, message: '¡Bienvenido!' };
  });

  route(app, api.getUser, async ({ request }) => {
    if (!request.session) throw new Error('authorize() lets nobody without a session come here');
    const { id, full_name, email, role, pending } = request.session;
    return { user: { id, full_name, email, role, pending }, negocio: await readSettings(db) };
  });

  route(app, api.firstAccess, async ({ body }) => {
    await useFirstAccess(db, body);
    return { success: true, message: 'Administrador creado: ya puedes iniciar sesión' };
  });
}
