import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOfKeys } from '../../contract/api-keys/fields.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { type Caller, isAction, mayEver, type Person } from '../../contract/policy/policy.ts';
import { PERSON, type Pending, UNATTENDED } from '../../contract/session/fields.ts';
import { MAX_REMEMBER_DAYS } from '../../contract/settings/fields.ts';
import { bearsKey, findProgram, hashKey, keyIn } from '../api-keys/api-keys.ts';
import { watchRefusals } from '../api-keys/refusals.ts';
import type { Db, OpenDb } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { DomainError, forbidden } from '../kit/errors.ts';
import { DEVICE_DAYS, deviceCookie } from './device.ts';
import { rememberSessions, SESSIONS_CHANNEL } from './remember.ts';
import { findSession, livingSessions, type Session } from './sessions.ts';
import { networkKey } from './throttle.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null;
  }
  interface FastifyContextConfig {
    /** Permission of the endpoint. */
    action?: string;
  }
  interface FastifyInstance {
    guard: ReturnType<typeof makeGuard>;
  }
}
/** Installs sessions, CSRF protection and `authorize` for every endpoint. */
export async function installGuard(app: FastifyInstance, db: Db, config: Config, listen: OpenDb['listen']): Promise<void> {
  const guard = makeGuard(db, config);
  const { follow, lookAgain } = followSessions(db, (error) => app.log.error(error));
  const changed = () => {
    guard.forgetSessions();
    void lookAgain();
  };
  const stop = await listen(SESSIONS_CHANNEL, changed, changed);
  app.addHook('onClose', () => stop());
  app.decorate('guard', guard);
  app.decorate('authorize', authorize);
  app.decorate('followSession', ({ session }, onEnd) => follow(session?.token_hash ?? '', onEnd));
  app.decorate('requireProof', requireProof);
  app.decorateRequest('session', null);
  app.decorateRequest('actor', null);
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (mayEndSessions(request)) guard.forgetSessions();
    done(null, payload);
  });
}

// Every write clears the session cache before its response, except writes of orders, which are frequent and do not affect sessions.
function mayEndSessions({ method, routeOptions }: FastifyRequest): boolean {
  const { action = '' } = routeOptions.config;
  return method !== 'GET' && method !== 'HEAD' && !action.startsWith('pedido:');
}

// The cookie outlives the session; the server decides when the session ends.
const lasting = (remembered = false) => (remembered ? { maxAge: MAX_REMEMBER_DAYS * 24 * 3600 } : {});

function makeGuard(db: Db, config: Config) {
  const secure = config.publicUrl?.startsWith('https:') ?? false;
  // The __Host- prefix binds the cookie to this host; browsers refuse it without https.
  const host = secure ? '__Host-' : '';
  const cookie = `${host}enruta`;
  const key = createSecretKey(createHmac('sha256', config.secretKey).update('xsrf').digest());
  const sign = (nonce: string, session: Session | null) =>
    createHmac('sha256', key)
      .update(`${nonce}|${session?.token_hash ?? ''}`)
      .digest('base64url');

  const refusals = watchRefusals();
  const sessions = rememberSessions((token, attended) => findSession(db, token, attended));

  return {
    /** Returns the program of a key; undefined for an invalid key. Throws 429 after too many invalid keys. */
    readProgram: async ({ headers, ip }: FastifyRequest) => {
      const key = keyIn(headers.authorization ?? '');
      const [network, keyHash] = [networkKey(ip), hashKey(key)];
      refusals.refuseTooMany(network, keyHash);
      const program = await findProgram(db, key, ip);
      refusals.count(network, keyHash, program !== undefined);
      return program;
    },
    readSession: async (request: FastifyRequest): Promise<Session | null> => {
      const token = request.cookies[cookie];
      return token ? ((await sessions.find(token, isAttended(request))) ?? null) : null;
    },
    forgetSessions: sessions.forget,
    setSession: (reply: FastifyReply, token: string, remembered: boolean) =>
      reply.setCookie(cookie, token, { path: '/', httpOnly: true, sameSite: 'lax', secure, ...lasting(remembered) }),
    clearSession: (reply: FastifyReply) => reply.clearCookie(cookie, { path: '/', secure }),
    /** Cookie of an earlier sign-in in this browser; outlives every session. */
    readDevice: (request: FastifyRequest, userId: string): string | undefined => request.cookies[host + deviceCookie(userId)],
    setDevice: (reply: FastifyReply, { userId, mark }: { userId: string; mark: string }) => {
      const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: DEVICE_DAYS * 24 * 3600 } as const;
      reply.setCookie(host + deviceCookie(userId), mark, options);
    },
    /** Signs the nonce with the session, so that tokens of other sessions are useless. */
    setXsrf: (reply: FastifyReply, session: Pick<Session, 'token_hash' | 'remembered'> | null) => {
      const nonce = randomBytes(16).toString('base64url');
      const options = { path: '/', sameSite: 'lax', secure, ...lasting(session?.remembered) } as const;
      reply.setCookie('XSRF-TOKEN', `${nonce}.${sign(nonce, session as Session | null)}`, options);
    },
    checkXsrf: (request: FastifyRequest): boolean => {
      const header = request.headers['x-xsrf-token'];
      const value = request.cookies['XSRF-TOKEN'];
      if (typeof header !== 'string' || !value || header !== value) return false;
      const [nonce, signature] = value.split('.');
      if (!nonce || !signature) return false;
      const expected = Buffer.from(sign(nonce, request.session));
      const actual = Buffer.from(signature);
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
  };
}

/** Checks caller, CSRF token and permission; throws 401, 419 or 403. A pending step allows only public and `whilePending` endpoints. */
async function authorize(request: FastifyRequest, endpoint: EndpointDef): Promise<void> {
  const { action, whilePending, stepUp } = endpoint;
  if (action === 'signed') return;
  if (bearsKey(request.headers.authorization)) return authorizeProgram(request, endpoint);
  const { guard } = request.server;
  request.session = await guard.readSession(request);
  request.actor = request.session && personOf(request.session, request.ip);
  // True if another person has signed in in another tab since this page loaded.
  const other = request.headers[PERSON] !== undefined && request.headers[PERSON] !== request.session?.id;
  if (action !== 'public' && (!request.session || other)) throw new DomainError(401, 'Usuario no autenticado');
  if (request.method !== 'GET' && request.method !== 'HEAD' && !guard.checkXsrf(request)) {
    throw new DomainError(419, 'La página ha caducado. Vuelve a intentarlo.', { code: 'xsrf' });
  }
  if (request.actor) refuseWithout(request.actor, endpoint);
  const pending = request.session?.pending;
  if (pending && action !== 'public' && !whilePending) throw new DomainError(403, PENDING[pending], { code: `pending_${pending}` });
  if (stepUp === true) requireProof(request);
}

/** Authorizes a program by key; needs no CSRF token, because browsers never send keys on their own. */
async function authorizeProgram(request: FastifyRequest, endpoint: EndpointDef): Promise<void> {
  const program = await request.server.guard.readProgram(request);
  if (!program)
    throw new DomainError(401, 'La clave de API no vale: es otra, ha caducado o se ha revocado', {
      code: 'key_invalid',
      headers: WHICH_SCHEME,
    });
  request.actor = program;
  if (endpoint.action === 'session' || (endpoint.stepUp === true && !endpoint.keysWithoutProof)) throw notForKeys();
  refuseWithout(program, endpoint);
}
const notForKeys = () => new DomainError(403, 'Esto no se puede hacer con una clave de API', { code: 'not_for_keys' });
const WHICH_SCHEME = { 'www-authenticate': 'Bearer' };

function refuseWithout(actor: Caller, { action, also }: EndpointDef): void {
  for (const name of [action, also]) {
    if (name === undefined || !isAction(name) || mayEver(actor, name)) continue;
    // A permission that no API key can hold.
    throw 'scopes' in actor && !isOfKeys(name) ? notForKeys() : forbidden(name);
  }
}

/** Throws 403 with code `step_up` unless password and code were given in the last five minutes. */
function requireProof({ session, actor }: FastifyRequest, endpoint?: EndpointDef): void {
  // Without a session the caller is a program.
  if (!session && actor && endpoint?.keysWithoutProof) return;
  if (!session?.proven) throw new DomainError(403, 'Confirma quién eres para continuar', { code: 'step_up' });
}

const personOf = ({ id, role, full_name, device }: Session, ip: string): Person => ({ id, role, full_name, ip, ...(device && { device }) });

// Polling and streams run unattended, so they must not keep the session alive.
const isAttended = ({ headers }: FastifyRequest) => headers[UNATTENDED] === undefined && headers.accept !== 'text/event-stream';

const PENDING: Record<Pending, string> = {
  password: 'Tu contraseña ha caducado: cámbiala en «Mi cuenta» para seguir',
  second_factor: 'Activa la verificación en dos pasos en «Mi cuenta» para seguir',
};

/** Notifies open streams when their session ends. */
function followSessions(db: Db, onError: (error: unknown) => void) {
  const followed = new Set<{ session: string; onEnd: () => void }>();
  let looking = false;
  let again = false;

  async function look(): Promise<void> {
    const sessions = [...new Set([...followed].map(({ session }) => session))];
    const living = sessions.length ? await livingSessions(db, sessions) : undefined;
    for (const follower of followed) {
      if (!living || living.has(follower.session) || !sessions.includes(follower.session)) continue;
      followed.delete(follower);
      follower.onEnd();
    }
  }

  return {
    /** Calls `onEnd` when the session (a token hash) ends; returns a stop function. */
    follow: (session: string, onEnd: () => void) => {
      const follower = { session, onEnd };
      followed.add(follower);
      return () => void followed.delete(follower);
    },
    /** Call when sessions may have ended; one query serves all streams and concurrent calls. */
    lookAgain: async (): Promise<void> => {
      again = true;
      if (looking) return;
      looking = true;
      while (again) {
        again = false;
        await look().catch(onError);
      }
      looking = false;
    },
  };
}
