import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { hideLog, listAudit, listLogs } from '../../contract/audit/audit.ts';
import type { QueryIn } from '../../contract/kit/endpoint.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { updateProduct } from '../../contract/products/products.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { transact } from '../db/open.ts';
import { audit } from './audit.ts';

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

type Entry = Parameters<typeof audit>[2];
async function write(description: string, fields: Partial<Entry> = {}, hoursAgo = 0) {
  const entry: Entry = { type: 'pedido', action: 'update', entity_type: 'pedido', description, ...fields };
  const created_at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const { id } = await transact(world.db, async (tx) => {
    // The replica role bypasses the log's triggers, so that the test can backdate entries.
    await sql`SET LOCAL session_replication_role = replica`.execute(tx);
    await audit(tx, SISTEMA, entry);
    return tx
      .updateTable('audit_logs')
      .set({ created_at })
      .where('description', '=', description)
      .returning('id')
      .executeTakeFirstOrThrow();
  });
  return id;
}
const logs = async (query: QueryIn<typeof listLogs> = {}) => (await admin.call(listLogs, { query })).body;
const descriptions = async (query: QueryIn<typeof listLogs> = {}) => (await logs(query)).data.map(({ description }) => description);

test('a row of the log has the values before and after, the author and the IP address', async () => {
  const product = await world.product({ name: 'Aceite', min_stock: 5 });
  await admin.call(updateProduct, {
    params: { id: product.id },
    body: { name: 'Aceite', stock: product.stock, min_stock: 8, is_active: true },
  });
  expect((await logs({ entity_type: 'product' })).data).toMatchObject([
    {
      action: 'update',
      entity_type: 'product',
      entity_id: product.id,
      actor_user_id: admin.user.id,
      actor_role: 'superadmin',
      actor_nombre: admin.user.full_name,
      ip: '127.0.0.1',
      antes: { min_stock: 5 },
      despues: { min_stock: 8 },
    },
  ]);
});

test('actions of the system are logged without an author', async () => {
  await write('Pedido caducado');
  expect((await logs()).data).toMatchObject([
    { actor_user_id: null, actor_role: 'sistema', actor_nombre: 'Sistema', antes: null, despues: null },
  ]);
});

test('the whole log is listed, newest first', async () => {
  await write('hace un mes', {}, 24 * 30);
  await write('ahora');
  await write('ayer', {}, 30);
  expect(await descriptions()).toEqual(['ahora', 'ayer', 'hace un mes']);
});

test('a page of the log has twenty rows, and the total respects the filter', async () => {
  for (let i = 0; i < 23; i += 1) await write(`fila ${i}`, { action: i < 2 ? 'delete' : 'update' }, i);
  expect(await logs()).toMatchObject({ total: 23, current_page: 1, last_page: 2, per_page: 20 });
  expect(await descriptions({ page: 2 })).toEqual(['fila 20', 'fila 21', 'fila 22']);
  expect(await logs({ action: 'delete' })).toMatchObject({ total: 2, last_page: 1 });
  expect(await logs({ page: 9 })).toMatchObject({ data: [], total: 23 });
});

test('the log can be filtered by action and entity, alone or together', async () => {
  await write('pedido creado', { action: 'create' }, 1);
  await write('pedido eliminado', { action: 'delete' }, 2);
  await write('usuario eliminado', { action: 'delete', entity_type: 'profile' }, 3);
  expect(await descriptions({ action: 'delete' })).toEqual(['pedido eliminado', 'usuario eliminado']);
  expect(await descriptions({ entity_type: 'pedido' })).toEqual(['pedido creado', 'pedido eliminado']);
  expect(await descriptions({ action: 'delete', entity_type: 'profile' })).toEqual(['usuario eliminado']);
  expect(await descriptions({ action: 'inventada' })).toEqual([]);
});

test('the search finds words of text and author in any order, ignoring accents', async () => {
  await write('Pedido editado: ORD-2026000001', {}, 1);
  await write('Usuario eliminado: Íñigo Peña', { entity_type: 'profile' }, 2);
  await write('100% de descuento_raro', {}, 3);
  expect(await descriptions({ search: 'inigo usuario' })).toEqual(['Usuario eliminado: Íñigo Peña']);
  expect(await descriptions({ search: '2026000001' })).toEqual(['Pedido editado: ORD-2026000001']);
  expect(await descriptions({ search: 'sistema' })).toHaveLength(3);
  expect(await descriptions({ search: '0%' })).toEqual(['100% de descuento_raro']);
  expect(await descriptions({ search: '_raro' })).toEqual(['100% de descuento_raro']);
  expect(await descriptions({ search: 'peña', entity_type: 'pedido' })).toEqual([]);
  expect(await logs({ search: 'peña' })).toMatchObject({ total: 1 });
});

test('the log can be filtered by business days and author', async () => {
  const product = await world.product();
  await admin.call(updateProduct, {
    params: { id: product.id },
    body: { name: 'Otro', stock: product.stock, min_stock: 1, is_active: true },
  });
  // The entries are at 23:30 and 00:30 in Madrid.
  const at = (instant: string) => (Date.now() - new Date(instant).getTime()) / 3_600_000;
  await write('último minuto', {}, at('2026-03-10T22:30:00Z'));
  await write('primer minuto', {}, at('2026-03-10T23:30:00Z'));
  expect(await descriptions({ desde: '2026-03-11', hasta: '2026-03-11' })).toEqual(['primer minuto']);
  expect(await descriptions({ hasta: '2026-03-10' })).toEqual(['último minuto']);
  expect(await descriptions({ actor: admin.user.id })).toEqual(['Producto actualizado: Otro']);
  expect(await descriptions({ actor: 'sistema' })).toEqual(['primer minuto', 'último minuto']);
  expect(await descriptions({ actor: randomUUID() })).toEqual([]);
});

test.each([
  'actor=yo',
  'desde=ayer',
  'hasta=2026-02-30',
  `search=${'a'.repeat(101)}`,
  'search=a%00',
  'action=DELETE',
  'entity_type=a%00b',
  "action=x'%20OR%201",
  'page=0',
  'otro=1',
])('the log refuses the query «%s»', async (query) => {
  expect((await admin.request('GET', `/api/logs?${query}`)).status).toBe(422);
});

test('hiding a row of the log is logged, and the row stays in the database', async () => {
  const id = await write('Usuario eliminado: Luis', { action: 'delete', entity_type: 'profile' });
  const { status, body } = await admin.call(hideLog, { params: { id } });
  expect([status, body.message]).toEqual([200, 'Registro eliminado de la lista']);
  expect((await logs()).data).toMatchObject([
    {
      action: 'delete',
      entity_type: 'audit',
      entity_id: id,
      actor_user_id: admin.user.id,
      description: 'Registro ocultado: Usuario eliminado: Luis',
      antes: { action: 'delete', entity_type: 'profile' },
    },
  ]);
  const feed = (await admin.call(listAudit)).body.data;
  expect(feed.map(({ description }) => description)).toEqual(['Registro ocultado: Usuario eliminado: Luis']);
  const kept = await world.db.selectFrom('audit_logs').select('hidden_at').where('id', '=', id).executeTakeFirstOrThrow();
  expect(kept.hidden_at).not.toBeNull();
});

test('the entry about a hidden row can be hidden too, which adds one entry', async () => {
  await admin.call(hideLog, { params: { id: await write('primera') } });
  const [about] = (await logs()).data;
  expect((await admin.call(hideLog, { params: { id: about?.id ?? '' } })).status).toBe(200);
  expect(await logs()).toMatchObject({ total: 1, data: [{ entity_id: about?.id }] });
});

test('hiding an unknown or hidden row returns the same 404 and logs nothing', async () => {
  const id = await write('una');
  await admin.call(hideLog, { params: { id } });
  const again = await admin.call(hideLog, { params: { id } });
  const missing = await admin.call(hideLog, { params: { id: randomUUID() } });
  expect([again.status, missing.status]).toEqual([404, 404]);
  expect(again.text).toBe(missing.text);
  expect((await logs()).total).toBe(1);
});

test.each(['revendedor', 'transportista'] as const)('a %s can neither read nor hide log entries', async (role) => {
  const id = await write('nada para otros');
  const person = await world.as(role);
  expect((await person.call(listLogs)).status).toBe(403);
  expect((await person.call(hideLog, { params: { id } })).status).toBe(403);
  expect(await descriptions()).toContain('nada para otros');
});

test('a long log is counted up to a thousand rows, or completely on request', async () => {
  await transact(world.db, async (tx) => {
    for (let i = 0; i < 1001; i += 1)
      await audit(tx, SISTEMA, { type: 'pedido', action: 'update', entity_type: 'pedido', description: 'Larga' });
  });
  expect(await logs({ search: 'larga', page: 50 })).toMatchObject({ total: 1000, total_exacto: false, last_page: 50 });
  const all = await logs({ search: 'larga', page: 51, contar: 'todos' });
  expect(all).toMatchObject({ total: 1001, last_page: 51, data: [{ description: 'Larga' }] });
  expect(all).not.toHaveProperty('total_exacto');
});
