import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../contract/kit/address.ts';
import { PRELOAD } from '../../contract/preload/preload.ts';
import { getFirstAccess, getInvitation, getUser } from '../../contract/session/session.ts';
import type { Db } from '../db/open.ts';
import { lacksSuperadmin } from './first-access.ts';

const INVITATION = '/invitacion/';
const FIRST_ACCESS = '/primer-acceso';

/**
 * Returns a function that chooses the first requests of a page, and redirects to first access in a shop without superadmins. Caches that a superadmin exists, because only a restart prints a new code.
 */
export function pageOfSession(db: Db) {
  let settled = false;
  return async (request: FastifyRequest): Promise<{ asks?: string[]; redirect?: string }> => {
    const session = await request.server.guard.readSession(request);
    const [path = '/', search] = request.url.split('?');
    if (!session) {
      if (path.startsWith(INVITATION))
        return { asks: [addressOf(getInvitation.path, { params: { token: path.slice(INVITATION.length) } })] };
      if (path.startsWith(FIRST_ACCESS)) return { asks: [getFirstAccess.path] };
      settled ||= !(await lacksSuperadmin(db));
      return settled ? {} : { redirect: FIRST_ACCESS };
    }
    const { role } = session;
    const screen = PRELOAD[path];
    const asks = screen?.roles.includes(role) && !search && !session.pending ? screen.asks : [];
    return { asks: [getUser.path, ...asks.map((ask) => addressOf(ask.endpoint.path, ask))] };
  };
}
