import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as api from '../../contract/account/account.ts';
import { logout as logoutEndpoint } from '../../contract/session/session.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { doneAfter, route } from '../kit/route.ts';
import { endSubscriptionsMadeIn } from '../push/push.ts';
import { signOut } from '../session/session.ts';
import { changePassword, closeOtherSessions, listSessions, readAccount } from './account.ts';
import { confirmSecondFactor, proveIdentity, removeSecondFactor, renewRecoveryCodes, startSecondFactor } from './second-factor.ts';

/** Own account: password, second factor and sessions. */
export const accountFeature: Feature = {
  name: 'account',
  routes,
};

function routes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.proveIdentity, ({ actor, body, request }) =>
    doneAfter(proveIdentity(db, actor, secretKey, body, ownSession(request)), 'Identidad confirmada'),
  );
  route(app, api.requireProof, async () => ({ success: true, message: 'Identidad confirmada' }));
  route(app, api.getAccount, async ({ actor }) => ({ data: await readAccount(db, actor) }));
  route(app, api.changePassword, ({ actor, body, request }) =>
    doneAfter(changePassword(db, actor, body, ownSession(request)), 'Contraseña cambiada'),
  );
  route(app, api.listSessions, async ({ actor, request }) => ({ data: await listSessions(db, actor, ownSession(request)) }));
  route(app, api.closeOtherSessions, ({ actor, request }) =>
    doneAfter(closeOtherSessions(db, actor, ownSession(request)), 'Se han cerrado las demás sesiones'),
  );
  route(app, api.startSecondFactor, async ({ actor }) => startSecondFactor(db, actor, secretKey));
  route(app, api.confirmSecondFactor, async ({ actor, body, request }) => ({
    success: true,
    message: 'Verificación en dos pasos activada',
    recovery_codes: await confirmSecondFactor(db, actor, secretKey, body, ownSession(request)),
  }));
  route(app, api.renewRecoveryCodes, async ({ actor }) => ({
    success: true,
    message: 'Códigos de recuperación nuevos: los anteriores ya no sirven',
    recovery_codes: await renewRecoveryCodes(db, actor, secretKey),
  }));
  route(app, api.removeSecondFactor, ({ actor }) => doneAfter(removeSecondFactor(db, actor), 'Verificación en dos pasos quitada'));
  route(app, logoutEndpoint, async ({ request, reply, actor }) => {
    await signOut(db, request.session, actor, endSubscriptionsMadeIn);
    app.guard.clearSession(reply);
    app.guard.setXsrf(reply, null);
    return { success: true, message: 'Sesión cerrada' };
  });
}

function ownSession({ session }: FastifyRequest): string {
  if (!session) throw new Error('authorize() lets nobody without a session come here');
  return session.token_hash;
}
