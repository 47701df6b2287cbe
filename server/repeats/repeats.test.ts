import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { honoursKey } from '../../contract/kit/endpoint.ts';
import { crearAjuste } from '../../contract/liquidaciones/liquidaciones.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { isAction, type Role, rolesOf } from '../../contract/policy/policy.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { address } from '../../test/client.ts';
import { endpoints } from '../../test/endpoints.ts';
import { ownCase } from '../../test/own-case.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { FEATURES } from '../features.ts';
import { deleteOldKeys, PATIENCE, withdrawAnswers } from './repeats.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const ID = '00000000-0000-4000-8000-000000000000';
const writes = endpoints
  .map(({ endpoint }) => endpoint)
  .filter(({ method, action }) => method !== 'GET' && action !== 'signed')
  .map((e) => [`${e.method} ${e.path}`, e] as const);
const someRole = (action: string): Role => (isAction(action) ? (rolesOf(action)[0] as Role) : 'superadmin');

describe('every write', () => {
  test.each(writes)('%s honours or refuses an idempotency key', async (_, e) => {
    const who = await world.as(someRole(e.action));
    const path = address(e.path, { id: ID, token: ID, proveedor: ID, empresa: ID });
    const { status, body } = await who.request(e.method, path, { headers: { 'idempotency-key': 'corta' } });
    if (honoursKey(e)) expect([status, body]).toEqual([422, expect.objectContaining({ errors: { 'Idempotency-Key': expect.anything() } })]);
    else expect([status, body]).toEqual([400, expect.objectContaining({ code: 'idempotency_unsupported' })]);
  });
});

/** Returns the rows of every kept table, as text. */
async function books(): Promise<string[]> {
  const kept = FEATURES.flatMap(({ tables = {} }) => Object.entries(tables).filter(([, keeping]) => keeping === 'kept'));
  return Promise.all(
    kept.map(async ([table]) => {
      const { rows } = await sql<{
        all: string;
      }>`SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text), '') AS all FROM ${sql.id(table)} t`.execute(world.db);
      return `${table}: ${rows[0]?.all}`;
    }),
  );
}

const ofOnePedido = writes.filter(([, e]) => /^\/api\/pedidos\/:id/.test(e.path));
describe('repeating a write of an order under one key', () => {
  test.each(ofOnePedido)('repeating %s under one key acts once, with the same response', async (title, e) => {
    const role = someRole(e.action);
    const who = role === 'superadmin' ? admin : await world.as(role);
    const { estado = 'pendiente', deleted, body, ready } = ownCase(title, role);
    const own = role === 'transportista' && estado !== 'pendiente' ? { transportista_id: who.user.id } : {};
    const gone = deleted ? { deleted_at: new Date().toISOString(), unidades_retenidas: 0 } : {};
    const { id } = await world.pedido({ estado, ...own, ...gone });
    await ready?.(world.db, id);
    const send = () =>
      who.request(e.method, address(e.path, { id }), { body, headers: { 'idempotency-key': `clave de ${id}`.replaceAll(' ', '-') } });
    const first = await send();
    expect(first.status, first.text).toBeLessThan(300);
    const before = await books();
    const again = await send();
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await books()).toEqual(before);
  });
});

const stockOf = async (id: string) =>
  (await world.db.selectFrom('products').select('stock').where('id', '=', id).executeTakeFirstOrThrow()).stock;

describe('an idempotency key', () => {
  it('ten concurrent requests with one idempotency key book stock once, and a new key books again', async () => {
    const { id } = await world.product({ stock: 4 });
    const book = (key: string) =>
      admin.call(ajustarStock, { params: { id }, body: { unidades: 5, nota: 'Llegan' }, headers: { 'idempotency-key': key } });
    const replies = await Promise.all(Array.from({ length: 10 }, () => book('llegada-1')));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await stockOf(id)).toBe(9);
    await book('llegada-2');
    expect(await stockOf(id)).toBe(14);
  });

  it('an idempotency key is refused for another body or path, and belongs to one caller', async () => {
    const [first, second] = [await world.product({ stock: 1 }), await world.product({ stock: 1 })];
    const headers = { 'idempotency-key': 'llegada-1' };
    const book = (who: Person, id: string, unidades: number) =>
      who.call(ajustarStock, { params: { id }, body: { unidades, nota: 'Llegan' }, headers });
    expect((await book(admin, first.id, 5)).status).toBe(200);
    for (const reply of [await book(admin, first.id, 6), await book(admin, second.id, 5)])
      expect([reply.status, reply.body.code]).toEqual([422, 'idempotency']);
    expect((await book(await world.as(await world.user({ role: 'superadmin' })), first.id, 5)).status).toBe(200);
    expect([await stockOf(first.id), await stockOf(second.id)]).toEqual([11, 1]);
  });

  it('an idempotency key of a refused request can be used again, because nothing was done', async () => {
    const pack = await world.pack({ product_id: (await world.product({ stock: 0 })).id });
    const send = () =>
      admin.call(createPedido, {
        body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id },
        headers: { 'idempotency-key': 'pedido-web-1' },
      });
    expect((await send()).status).toBe(422);
    await world.db.updateTable('products').set({ stock: 10 }).execute();
    expect((await send()).status).toBe(201);
  });

  it('a repeated request gets the first response again, even if it would now be refused', async () => {
    const { id } = await world.pedido({ estado: 'pendiente' });
    const cancel = () =>
      admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' }, headers: { 'idempotency-key': 'cancelar-1' } });
    const [first, again] = await Promise.all([cancel(), cancel()]);
    expect([first.status, again.status, (await cancel()).status]).toEqual([200, 200, 200]);
  });

  it('a repeated request whose response was withdrawn with personal data gets 409 and does nothing', async () => {
    const person = await world.user({ role: 'revendedor' });
    const send = () =>
      admin.call(crearAjuste, { body: { user_id: person.id, importe: 10, nota: 'Premio' }, headers: { 'idempotency-key': 'premio-1' } });
    expect((await send()).status).toBe(201);
    const stored = await world.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow();
    expect(stored.respuesta).not.toContain('Premio');
    await transact(world.db, withdrawAnswers);
    const since = Date.now();
    expect((await send()).body.code).toBe('idempotency_unknown');
    // A response that is still to come is waited for; a withdrawn one is not.
    expect(Date.now() - since).toBeLessThan(PATIENCE);
    expect(await world.db.selectFrom('ganancias').select('id').execute()).toHaveLength(1);
  });

  it('an idempotency key is stored with the work, even if the response cannot be stored', async () => {
    const pedido = await world.pedido({ estado: 'pendiente' });
    const key = randomUUID();
    const send = () =>
      admin.call(setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' }, headers: { 'idempotency-key': key } });
    await sql`ALTER TABLE idempotency_keys ADD CONSTRAINT sin_respuesta CHECK (respuesta IS NULL)`.execute(world.db);
    try {
      expect((await send()).status).toBe(200);
      const kept = await world.db.selectFrom('idempotency_keys').select('key').execute();
      expect(kept).toEqual([{ key }]);
    } finally {
      await sql`ALTER TABLE idempotency_keys DROP CONSTRAINT sin_respuesta`.execute(world.db);
    }
  });

  it('an idempotency key is deleted after eight days', async () => {
    const row = { actor_id: ID, body_hash: 'x' };
    const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
    await world.db
      .insertInto('idempotency_keys')
      .values([
        { ...row, key: 'vieja', created_at: days(8.1) },
        { ...row, key: 'de hoy', created_at: days(7.9) },
      ])
      .execute();
    await deleteOldKeys(world.db);
    expect(await world.db.selectFrom('idempotency_keys').select('key').execute()).toEqual([{ key: 'de hoy' }]);
  });
});
