import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../contract/kit/endpoint.ts';
import { ERRORS, type ErrorCode, PROBLEM } from '../../contract/kit/errors.ts';
import { problemBody } from '../../contract/kit/schemas.ts';
import { login } from '../../contract/session/session.ts';
import { createUser } from '../../contract/users/users.ts';
import type { Client } from '../../test/client.ts';
import { endpoints } from '../../test/endpoints.ts';
import { createWorld, everyRole, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ LOG_LEVEL: 'info' });
  return world.close;
});
/** A client of each kind, for all endpoints; made anew once a request has changed something. */
let callers: Client[] | undefined;
beforeEach(async () => {
  if (!callers) await world.reset();
  world.logged.length = 0;
});

const STRANGE = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', '__defineGetter__'];

test('an unknown field causes no server error on any endpoint, with or without a session', async () => {
  const admin = await world.as('superadmin');
  for (const { endpoint } of endpoints.filter(({ schemas }) => schemas.body)) {
    const path = endpoint.path.replace(/:\w+/g, crypto.randomUUID());
    for (const name of STRANGE) {
      for (const person of [admin, world.nobody()]) {
        const { status, text } = await person.request(endpoint.method, path, { body: `{${JSON.stringify(name)}: 1}` });
        expect(status, `${endpoint.method} ${path} ${name} ${text}`).toBeLessThan(500);
      }
    }
  }
  const { body } = await admin.request('POST', '/api/products', { body: '{"constructor": 1}' });
  expect(body).toMatchObject({ errors: { constructor: ['Campo desconocido: constructor'] } });
});

const ID = '00000000-0000-4000-8000-000000000000';
const ACCEPT = { accept: `application/json, ${PROBLEM}` };

// Leaves out streams, which do not end.
const ending = endpoints.filter(({ schemas }) => schemas.response.file !== 'text/event-stream');

describe('every endpoint', () => {
  afterAll(() => {
    callers = undefined;
  });

  test.each(ending.map(({ endpoint, schemas }) => [`${endpoint.method} ${endpoint.path}`, endpoint, schemas] as const))(
    '%s refuses with a known code, both as JSON and as problem+json',
    async (_, endpoint, schemas) => {
      const path = endpoint.path.replace(/:\w+/g, ID);
      callers ??= [world.nobody(), ...Object.values(await everyRole(world)), await world.program(['pedido:read'])];
      let hasChanged = false;
      const bodies = schemas.body ? [undefined, '{', { raro: 1 }] : [undefined];
      let refused = 0;
      for (const caller of callers) {
        for (const body of bodies) {
          const plain = await caller.request(endpoint.method, path, { body });
          if (plain.status < 400) {
            hasChanged ||= endpoint.method !== 'GET';
            continue;
          }
          refused++;
          // A limit of requests would hide the other refusals.
          expect(plain.status).not.toBe(429);
          const { headers, body: problem } = await caller.request(endpoint.method, path, { body, headers: ACCEPT });
          const { message, code, errors, ...rest } = plain.body as ErrorBody & { code: ErrorCode };
          expect(headers['content-type']).toBe(`${PROBLEM}; charset=utf-8`);
          const list = Object.entries(errors ?? {}).flatMap(([name, texts]) => texts.map((text) => ({ path: name, message: text })));
          expect(problemBody.strict().safeParse(problem).error).toBeUndefined();
          expect(problem).toEqual({
            type: `/errores#${code}`,
            title: ERRORS[code].title,
            status: plain.status,
            detail: message,
            code,
            ...rest,
            ...(errors && { errors: list }),
          });
        }
      }
      if (hasChanged) callers = undefined;
      expect(refused).toBeGreaterThanOrEqual(endpoint.action === 'public' ? 0 : 1);
    },
  );
});

test('problem+json is sent only if the Accept header allows it, even outside the API', async () => {
  const typeOf = async (accept: string) =>
    (await world.nobody().request('POST', '/no/hay', { headers: { accept } })).headers['content-type'];
  expect(await typeOf('Application/Problem+JSON;q=0.9')).toBe(`${PROBLEM}; charset=utf-8`);
  for (const accept of ['*/*', 'application/json', `${PROBLEM};q=0`, `${PROBLEM}; q=0.0, application/json`])
    expect(await typeOf(accept), accept).toBe('application/json; charset=utf-8');
});

test('a 403 names the missing permission, also for API keys, sorting and filters', async () => {
  const refusal = async (who: Client, path: string) => (await who.request('GET', path)).body as ErrorBody;
  const carrier = await world.as('transportista');
  expect(await refusal(carrier, '/api/users')).toMatchObject({ code: 'permission_missing', permission: 'user:manage' });
  const program = await world.program(['pedido:read']);
  expect(await refusal(program, '/api/clientes')).toMatchObject({ code: 'permission_missing', permission: 'cliente:read' });
  for (const path of ['/api/user', '/api/users', '/api/copias', '/api/settings'])
    expect(await refusal(program, path), path).toMatchObject({ code: 'not_for_keys' });
  expect(await refusal(program, '/api/users')).not.toHaveProperty('permission');
  const list = await world.program(['pedido:list']);
  for (const query of ['sort=precio_total', 'pagado=no']) {
    expect(await refusal(list, `/api/pedidos?${query}`), query).toMatchObject({ permission: 'pedido:prices' });
  }
});

test('every response has a request id, taken from the proxy if valid, and a 500 names it', async () => {
  const fresh = await world.nobody().request('GET', '/healthz');
  expect(fresh.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
  const answer = await world.nobody().request('GET', '/no/hay', { headers: { 'x-request-id': 'a1b2c3d4e5f6' } });
  expect(answer.headers['x-request-id']).toBe('a1b2c3d4e5f6');
  const forged = await world.nobody().request('GET', '/healthz', { headers: { 'x-request-id': 'no es un\tid' } });
  expect(forged.headers['x-request-id']).toMatch(/^[\w-]{36}$/);

  const admin = await world.as('superadmin');
  await sql`ALTER TABLE products RENAME TO productos_perdidos`.execute(world.db);
  try {
    const { status, body, headers } = await admin.request('GET', '/api/products', { headers: { 'x-request-id': 'roto-0001' } });
    expect([status, headers['x-request-id']]).toEqual([500, 'roto-0001']);
    expect(body).toMatchObject({ code: 'internal_error', request_id: 'roto-0001', message: expect.stringContaining('roto-0001') });
    expect(world.logged.filter((line) => line.includes('roto-0001') && line.includes('"level":50'))).toHaveLength(1);
  } finally {
    await sql`ALTER TABLE productos_perdidos RENAME TO products`.execute(world.db);
  }
});

test('transaction conflicts are retried, and refused with a sentence if they persist', async () => {
  const admin = await world.as('superadmin');
  const [pedido, other] = [await world.pedido(), await world.pedido()];
  const comment = () => admin.request('POST', `/api/pedidos/${pedido.id}/comentarios`, { body: { texto: 'Hola' } });
  const gives = (code: string, tries: number) =>
    sql`
      CREATE OR REPLACE FUNCTION cede() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('vueltas') <= ${sql.lit(tries)} THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = ${sql.lit(code)}; END IF;
        RETURN NEW;
      END $$`.execute(world.db);
  await sql`CREATE SEQUENCE vueltas`.execute(world.db);
  try {
    for (const code of ['40P01', '40001']) {
      await sql`ALTER SEQUENCE vueltas RESTART`.execute(world.db);
      await gives(code, 4);
      for (const table of ['comentarios', 'pedidos_historial'])
        await sql`CREATE OR REPLACE TRIGGER cede BEFORE INSERT ON ${sql.ref(table)} FOR EACH ROW EXECUTE FUNCTION cede()`.execute(world.db);
      expect((await comment()).status, code).toBe(201);
      await gives(code, 1000);
      const message = 'Otras personas estaban cambiando lo mismo y no se ha guardado. Vuelve a intentarlo.';
      expect(await comment()).toMatchObject({ status: 409, body: { message } });
      const body = { pedidos: { ids: [pedido.id, other.id] }, accion: { tipo: 'cancelar' } };
      const data = [expect.objectContaining({ ok: false, message }), expect.objectContaining({ ok: false, message })];
      expect(await admin.request('POST', '/api/pedidos/lote', { body })).toMatchObject({ status: 200, body: { hechos: 0, data } });
      const carrier = await world.as('transportista');
      const taken = await carrier.request('POST', '/api/transportista/pedidos/tomar', { body: { ids: [pedido.id] } });
      expect(taken).toMatchObject({ status: 200, body: { data: [{ ok: false, message, code: 'contended' }] } });
    }
  } finally {
    await sql`DROP FUNCTION cede CASCADE`.execute(world.db);
    await sql`DROP SEQUENCE vueltas`.execute(world.db);
  }
});

test('the log contains no payment tokens, search texts or rows of failed statements', async () => {
  const admin = await world.as('superadmin');
  const token = 'tok3n'.repeat(9).slice(0, 43);
  await world.nobody().request('GET', `/api/pagar/${token}`);
  await world.nobody().request('GET', `/pagar/${token}`);
  await admin.request('GET', '/api/pedidos?search=Rigoberta');
  await world.nobody().call(login, { body: { email: 'mi-clave-secreta', password: 'nada-de-nada' } });
  // PostgreSQL's message about a violated constraint contains the row.
  await sql`ALTER TABLE users ADD CONSTRAINT imposible CHECK (full_name <> 'Rigoberta Pérez')`.execute(world.db);
  try {
    const body = { full_name: 'Rigoberta Pérez', email: 'rigoberta@calle.es', password: 'una-larga-7x', role: 'revendedor' } as const;
    expect((await admin.call(createUser, { body })).status).toBe(500);
  } finally {
    await sql`ALTER TABLE users DROP CONSTRAINT imposible`.execute(world.db);
  }
  const log = world.logged.join('\n');
  expect(log).toContain('imposible');
  expect(log).toContain('/api/pagar/:token');
  for (const secret of ['Rigoberta', 'rigoberta', token, 'secreta', 'nada-de-nada']) expect(log).not.toContain(secret);
});

test('an unsupported method of the API gets a 405 with the allowed methods, and an unknown path a 404', async () => {
  const admin = await world.as('superadmin');
  for (const [method, path, allow] of [
    ['PATCH', '/api/pedidos', 'GET, HEAD, POST'],
    ['DELETE', '/api/product-packs', 'GET, HEAD, POST'],
    ['PUT', `/api/pedidos/${ID}/estado?x=1`, 'POST'],
  ] as const) {
    const { status, body, headers } = await admin.request(method, path);
    expect([path, status, (body as ErrorBody).code, headers.allow]).toEqual([path, 405, 'method_not_allowed', allow]);
  }
  expect((await admin.request('POST', '/api/nada')).status).toBe(404);
});

test('the public page about problem types describes each code', async () => {
  const page = await world.app.inject({ method: 'GET', url: '/errores' });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const code of Object.keys(ERRORS)) expect(page.body).toContain(`id="${code}"`);
});

test('a write to a replica that is not promoted yet is refused for a moment', async () => {
  const admin = await world.as('superadmin');
  await sql`CREATE FUNCTION replica() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot execute INSERT in a read-only transaction' USING ERRCODE = '25006'; END $$`.execute(world.db);
  await sql`CREATE TRIGGER replica BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION replica()`.execute(world.db);
  try {
    const body = { email: 'a@b.es', full_name: 'Ana', role: 'revendedor', password: 'Secreta-larga-2026!' } as const;
    const { status, headers } = await admin.call(createUser, { body });
    expect([status, headers['retry-after']]).toEqual([503, '2']);
  } finally {
    await sql`DROP FUNCTION replica CASCADE`.execute(world.db);
  }
});
