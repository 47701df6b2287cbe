import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KEY_ACTION_NAMES } from '../contract/api-keys/fields.ts';
import type { EndpointDef } from '../contract/kit/endpoint.ts';
import { isAction, ROLES, type Role, rolesOf } from '../contract/policy/policy.ts';
import { address, type Client } from './client.ts';
import { endpoints, schemasOf } from './endpoints.ts';
import { type OwnCase, ownCase } from './own-case.ts';
import { createWorld, everyRole, type Person, type World } from './world.ts';

/*
 * Checks who may call each endpoint of the contract. New endpoints are covered automatically; those of a
 * single order need an entry in own-case.ts.
 */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const ID = '00000000-0000-4000-8000-000000000000';
const title = ({ method, path }: EndpointDef) => `${method} ${path}`;
const rows = endpoints.map(({ endpoint }) => [title(endpoint), endpoint] as const);
const closed = rows.filter(([, e]) => e.action !== 'public' && e.action !== 'signed');
// Signed requests have no session to protect; their own tests cover requests without a signature.
const writes = rows.filter(([, e]) => e.method !== 'GET' && e.action !== 'signed');
const forRoles = rows.filter(([, e]) => isAction(e.action));
const rolesFor = ({ action }: EndpointDef): readonly Role[] => (isAction(action) ? rolesOf(action) : ROLES);
const someRole = (e: EndpointDef) => rolesFor(e)[0] as Role;

/** Calls with invented parameters and no body, because access is checked before they are read. */
const knock = (caller: Client, e: EndpointDef, xsrf = true) =>
  caller.request(e.method, address(e.path, { id: ID, token: ID, proveedor: ID, empresa: ID }), { xsrf });

describe('without a session', () => {
  test.each(closed)('%s answers 401 to a visitor without a session', async (_, e) => {
    const { status, body } = await knock(world.nobody(), e);
    expect([status, body]).toEqual([401, { message: 'Usuario no autenticado', code: 'not_signed_in' }]);
  });

  test.each(rows.filter(([, e]) => e.action === 'public'))('%s is open to a visitor without a session', async (_, e) => {
    expect([401, 403]).not.toContain((await knock(world.nobody(), e)).status);
  });
});

describe('a deactivated or deleted person', () => {
  test.each(closed)('%s answers 401 to a deactivated or deleted person', async (_, e) => {
    const role = someRole(e);
    for (const change of [{ is_active: false }, { deleted_at: new Date().toISOString() }]) {
      const person = await world.as(await world.user({ role }));
      await world.db.updateTable('users').set(change).where('id', '=', person.user.id).execute();
      expect((await knock(person, e)).status).toBe(401);
    }
  });
});

describe('a person with a pending step in the account', () => {
  test.each(closed)('%s answers 403 while a step in the account is pending, unless the account needs the endpoint', async (_, e) => {
    const person = await world.as(await world.user({ role: someRole(e), password_changed_at: '2020-01-01T00:00:00.000Z' }));
    const { status, body } = await knock(person, e);
    if (e.whilePending) expect(status).not.toBe(403);
    else expect([status, body]).toEqual([403, expect.objectContaining({ code: 'pending_password' })]);
  });
});

describe('the wrong role', () => {
  test.each(forRoles)('%s answers 403 to exactly the roles without its permission', async (_, e) => {
    const people = await everyRole(world);
    for (const role of ROLES) {
      const { status } = await knock(people[role], e);
      if (rolesFor(e).includes(role)) expect(status, role).not.toBe(403);
      else expect(status, role).toBe(403);
    }
  });
});

describe('a program with an API key', () => {
  test.each(closed)('%s needs a key with its permission', async (_, e) => {
    const needed = [e.action, ...(e.also ? [e.also] : [])];
    const mayBeGiven =
      needed.every((name) => KEY_ACTION_NAMES.some((known) => known === name)) && (e.stepUp !== true || e.keysWithoutProof === true);
    const reply = await knock(await world.program(needed), e, false);
    // A key needs no anti-forgery token.
    if (mayBeGiven) expect([401, 403, 419]).not.toContain(reply.status);
    else expect(reply.status).toBe(403);
    for (const missing of needed) {
      // Permission to record payments includes reading them.
      const others = KEY_ACTION_NAMES.filter((name) => name !== missing && !(missing === 'pago:read' && name === 'pago:manage'));
      expect((await knock(await world.program(others), e, false)).status, `without ${missing}`).toBe(403);
    }
  });

  test.each(closed)('%s answers 401 to a revoked, expired or unknown key, even with a valid session', async (_, e) => {
    const person = await world.as(someRole(e));
    for (const change of [{ revocada_at: '2026-01-01T00:00:00.000Z' }, { caduca_at: '2026-01-01T00:00:00.000Z' }, { key_hash: 'otra' }]) {
      const program = await world.program(KEY_ACTION_NAMES);
      await world.db.updateTable('api_keys').set(change).execute();
      for (const [name, value] of person.cookies) program.cookies.set(name, value);
      expect((await knock(program, e)).status).toBe(401);
      await world.db.deleteFrom('api_keys').execute();
    }
  });
});

describe('a write without the anti-forgery token', () => {
  test.each(writes)('%s answers 419 without the anti-forgery token of its session', async (_, e) => {
    const person = await world.as(someRole(e));
    expect((await knock(person, e, false)).status).toBe(419);
    // A token from another session is not accepted.
    const other = world.nobody();
    await other.request('GET', '/api/csrf-token');
    const stolen = other.cookies.get('XSRF-TOKEN') ?? '';
    person.cookies.set('XSRF-TOKEN', stolen);
    expect((await knock(person, e)).status).toBe(419);
  });
});

const ofOnePedido = endpoints
  .filter(({ endpoint: e }) => /^\/api\/(transportista\/)?pedidos\/:id/.test(e.path))
  .flatMap(({ endpoint: e }) => rolesFor(e).map((role) => [title(e), role, e] as const));

describe('one order', () => {
  /** Creates an order that belongs to `owner`, according to the role; an available order has no carrier. */
  const orderOf = async (owner: Person, { estado, deleted, ready }: OwnCase) => {
    const pedido = await world.pedido({
      estado: estado ?? (owner.user.role === 'transportista' ? 'asignado' : 'pendiente'),
      ...(owner.user.role === 'revendedor' ? { revendedor_id: owner.user.id } : {}),
      ...(owner.user.role === 'transportista' && estado !== 'pendiente' ? { transportista_id: owner.user.id } : {}),
      ...(deleted ? { deleted_at: new Date().toISOString(), unidades_retenidas: 0 } : {}),
    });
    await ready?.(world.db, pedido.id);
    return pedido;
  };
  const ask = (who: Client, e: EndpointDef, id: string, { body }: OwnCase) => who.request(e.method, address(e.path, { id }), { body });

  test.each(ofOnePedido)('%s as %s succeeds on an own order and answers 404 for a missing order', async (_, role, e) => {
    const me = await world.as(role);
    const input = ownCase(title(e), role);
    const own = await ask(me, e, (await orderOf(me, input)).id, input);
    expect(own.status, own.text).toBe(schemasOf(e).response[201] ? 201 : 200);
    expect((await ask(me, e, ID, input)).status).toBe(404);
  });

  test.each(ofOnePedido.filter(([, role]) => role !== 'superadmin'))(
    '%s as %s treats foreign, deleted and malformed ids exactly like a missing order, and changes nothing',
    async (_, role, e) => {
      const me = await world.as(role);
      const other = await world.as(await world.user({ role }));
      const input = ownCase(title(e), role);
      // An available order has no owner, so the foreign order is one that another carrier has taken.
      const foreign = await orderOf(
        other,
        input.estado === 'pendiente' && role === 'transportista' ? { ...input, estado: 'asignado' } : input,
      );
      const deleted = await orderOf(me, { ...input, deleted: true });
      const before = await snapshot([foreign.id, deleted.id]);
      const missing = await ask(me, e, ID, input);
      expect(missing.status).toBe(404);
      for (const [what, id] of [
        ['foreign', foreign.id],
        ['deleted', deleted.id],
        ['misspelt', 'no-es-un-id'],
      ] as const) {
        const reply = await ask(me, e, id, input);
        // The only response that may reveal more: another carrier was faster (design, section 4.1).
        if (what === 'foreign' && e.path.endsWith('/auto-asignar') && reply.status === 409) continue;
        // Files announced by a refused step are accepted even for an order deleted meanwhile (decision 064).
        if (what === 'deleted' && title(e) === 'POST /api/pedidos/:id/pruebas' && reply.status === 201) continue;
        expect([what, reply.status, reply.text]).toEqual([what, 404, missing.text]);
      }
      expect(await snapshot([foreign.id, deleted.id])).toEqual(before);
    },
  );

  const snapshot = (ids: string[]) => world.db.selectFrom('pedidos').selectAll().where('id', 'in', ids).orderBy('id').execute();
});
