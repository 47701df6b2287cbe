import type { FastifyRequest } from 'fastify';
import { addressOf } from '../../contract/address.ts';
import { FIRST } from '../../contract/first.ts';
import { HOME, isAction, rolesOf } from '../../contract/policy.ts';
import { getUser } from '../../contract/session.ts';

/** Returns the screen of a page and its first requests; the sign-in screen without a session. */
export async function pageOfSession(request: FastifyRequest): Promise<{ path?: string; asks?: string[] }> {
  const session = await request.server.guard.readSession(request);
  const [path = '/', search] = request.url.split('?');
  if (!session) return { path: '/auth' };
  const { role } = session;
  const first = search || session.pending ? undefined : FIRST[path];
  const open = first && isAction(first.endpoint.action) && rolesOf(first.endpoint.action).includes(role);
  return {
    path: path === '/' ? HOME[role] : path,
    asks: [getUser.path, ...(open ? [addressOf(first.endpoint.path, first)] : [])],
  };
}
