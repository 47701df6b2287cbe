import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCliente, listClientes, updateCliente } from '../contract/clientes/clientes.ts';
import { getPago } from '../contract/pagar/pagar.ts';
import { EDITABLE_FIELDS } from '../contract/pedidos/fields.ts';
import * as api from '../contract/pedidos/pedidos.ts';
import { CONFIRMACION } from '../contract/privacidad/fields.ts';
import { anonimizar, bloquear, desbloquear } from '../contract/privacidad/privacidad.ts';
import { createProduct, updateProduct } from '../contract/products/products.ts';
import type { Client } from './client.ts';
import { createWorld, type Person, type World } from './world.ts';

/* References of programs on orders, customers and products (decision 053); roles × fields are in fields.test.ts. */

let world: World;
let admin: Person;
let program: Client;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  program = await world.program([
    ...['pedido:create', 'pedido:edit', 'pedido:list', 'pedido:read', 'pedido:prices', 'pedido:contact', 'pedido:history'],
    ...['cliente:read', 'cliente:manage', 'product:manage', 'evento:read'],
  ]);
});

const WHO = { cliente_nombre: 'Ana Ruiz', cliente_telefono: '600111222', cliente_direccion: 'Calle 1' };
async function ordered(metadata: Record<string, string | null> | null | undefined, who = program) {
  const pack = await world.pack();
  return who.call(api.createPedido, { body: { ...WHO, pack_id: pack.id, metadata } });
}
const made = async (metadata: Record<string, string | null> | null, who = program) => (await ordered(metadata, who)).body.data;
const change = (id: string, metadata: Record<string, string | null> | null | undefined, who: Client = program) =>
  who.call(api.updatePedido, { params: { id }, body: { ...WHO, metadata } });
const events = async () => (await world.db.selectFrom('events').select(['tipo', 'content']).orderBy('n').execute()).map(({ tipo }) => tipo);

describe('the metadata of an order', () => {
  it('a change merges metadata: sent keys are written, and empty or null keys are deleted', async () => {
    const { id, metadata } = await made({ woo_id: '123', vacia: '', nula: null });
    expect(metadata).toEqual({ woo_id: '123' });
    expect((await change(id, { 'erp.factura': 'F-1', canal: 'web' })).body.data.metadata).toEqual({
      woo_id: '123',
      'erp.factura': 'F-1',
      canal: 'web',
    });
    expect((await change(id, { canal: null, 'erp.factura': '' })).body.data.metadata).toEqual({ woo_id: '123' });
    const unchanged: (Record<string, string | null> | null | undefined)[] = [undefined, null, {}, { woo_id: '123' }, { otra: null }];
    for (const same of unchanged) {
      const { body } = await change(id, same);
      expect(body.data).toMatchObject({ metadata: { woo_id: '123' }, version: 3 });
    }
    expect((await change(id, { woo_id: null })).body.data.metadata).toBeNull();
  });

  it('an order with invalid keys, invalid values or too many keys is not created', async () => {
    const many = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 'v']));
    const refused: unknown[] = [
      ...[{ Mayus: 'x' }, { 'con espacio': 'x' }, { '': 'x' }, { ['k'.repeat(41)]: 'x' }, { ñ: 'x' }],
      ...[{ k: 'x'.repeat(501) }, { k: 1 }, { k: { a: 'b' } }, { k: ['a'] }, { k: 'a\u0000b' }, { k: '\ud800' }],
      ...[[], 'texto', 7, many(21), many(41)],
    ];
    for (const metadata of refused) {
      const { status, body } = await ordered(metadata as never);
      expect([status, Object.keys(body.errors ?? {}).every((name) => name.startsWith('metadata'))], JSON.stringify(metadata)).toEqual([
        422,
        true,
      ]);
    }
    expect(await world.db.selectFrom('pedidos').select('id').execute()).toEqual([]);
    const { id, metadata } = await made({ ...many(20), k0: '\u{1F600}"\\\n'.repeat(100) });
    expect(Object.keys(metadata ?? {})).toHaveLength(20);
    expect((await change(id, { otra: 'x' })).body.errors).toEqual({ metadata: ['Como máximo 20 claves'] });
    expect((await change(id, { otra: 'x', k0: null })).status).toBe(200);
    const poisoned = JSON.parse('{"__proto__":"x","constructor":"y"}');
    expect((await ordered(poisoned)).status).toBe(400);
    expect((await made({ constructor: 'y' } as never)).metadata).toEqual({ constructor: 'y' });
  });

  it('metadata fits its column when every character needs escaping', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${'k'.repeat(38)}${10 + i}`, '"'.repeat(500)]));
    expect((await made(metadata)).metadata).toEqual(metadata);
  });

  it('a key and its exact value find the order, if the caller may see metadata', async () => {
    const [first, second] = [await made({ woo_id: '123', url: 'https://a.es/x:1' }), await made({ woo_id: '1234' })];
    const found = async (metadata: string, who: Client = program) => {
      const { status, body } = await who.call(api.listPedidos, { query: { metadata } });
      return status === 200 ? body.data.map(({ id }) => id) : status;
    };
    expect(await found('woo_id:123')).toEqual([first.id]);
    expect(await found('woo_id:1234')).toEqual([second.id]);
    expect(await found('url:https://a.es/x:1')).toEqual([first.id]);
    expect(await found('woo_id:12')).toEqual([]);
    expect(await found('otra:123')).toEqual([]);
    expect(await found('sin-valor')).toBe(422);
    expect(await found('woo_id:123', await world.as('revendedor'))).toBe(403);
    expect(await found('woo_id:123', await world.as('transportista'))).toBe(403);
    expect(await found('woo_id:123', await world.program(['pedido:list', 'pedido:read']))).toBe(403);
  });

  it('metadata is searched through its index', async () => {
    const { rows } = await world.db.transaction().execute(async (tx) => {
      await sql`SET LOCAL enable_seqscan = off`.execute(tx);
      return sql<{ 'QUERY PLAN': string }>`EXPLAIN SELECT id FROM pedidos WHERE metadata @> '{"a":"b"}'::jsonb`.execute(tx);
    });
    expect(JSON.stringify(rows)).toContain('pedidos_metadata');
  });

  it('metadata is sent with events, but kept out of history, log, duplicates and payment page', async () => {
    const { id, payment_link } = await made({ secreta: 'centinela' });
    await change(id, { secreta: 'centinela2' });
    expect(await events()).toEqual(['pedido.creado', 'stock.movido', 'pedido.modificado']);
    const contents = await world.db.selectFrom('events').select('content').where('tipo', 'like', 'pedido.%').orderBy('n').execute();
    expect(contents.map(({ content }) => (content as { pedido: api.Pedido }).pedido.metadata)).toEqual([
      { secreta: 'centinela' },
      { secreta: 'centinela2' },
    ]);
    const [entry] = (await admin.call(api.getHistorial, { params: { id } })).body.data;
    expect(entry).toMatchObject({ accion: 'Datos de programas cambiados', cambios: {} });
    expect(JSON.stringify(await world.db.selectFrom('audit_logs').selectAll().execute())).not.toContain('centinela');
    expect((await admin.call(api.duplicatePedido, { params: { id } })).body.data.metadata).toBeNull();
    const paid = await world.nobody().call(getPago, { params: { token: payment_link?.split('/').at(-1) ?? '' } });
    expect([paid.status, paid.text.includes('centinela')]).toEqual([200, false]);
  });

  it('metadata can be changed on completed but not on cancelled orders, and never by resellers', async () => {
    const done = await world.pedido({ estado: 'completado', ...WHO });
    const write = async (id: string, who: Client) => {
      const row = await world.db.selectFrom('pedidos').select(EDITABLE_FIELDS).where('id', '=', id).executeTakeFirstOrThrow();
      return who.call(api.updatePedido, { params: { id }, body: { ...row, metadata: { erp: '1' } } });
    };
    expect((await write(done.id, program)).body.data.metadata).toEqual({ erp: '1' });
    expect((await write((await world.pedido({ estado: 'cancelado' })).id, program)).status).toBe(409);
    const seller = await world.as('revendedor');
    const own = await world.pedido({ estado: 'pendiente_pago', revendedor_id: seller.user.id });
    expect([(await write(own.id, seller)).status, (await ordered({ erp: '1' }, seller)).status]).toEqual([200, 201]);
    expect(await world.db.selectFrom('pedidos').select('id').where('metadata', 'is not', null).execute()).toEqual([{ id: done.id }]);
  });
});

describe('the metadata of a customer', () => {
  const read = async (id: string, who: Client = program) => (await who.call(getCliente, { params: { id } })).body.data;
  const write = (id: string, metadata: Record<string, string | null>, who: Client = program) =>
    who.call(updateCliente, { params: { id }, body: { nota: null, avisar_antes: false, metadata } });

  it('the metadata of a customer is merged, sent to programs and hidden from resellers', async () => {
    const seller = await world.as('revendedor');
    await ordered(null, seller);
    const [{ id = '' } = {}] = (await admin.call(listClientes)).body.data;
    const { version } = (await read(id)).propia;
    expect((await write(id, { crm: '77', x: 'y' })).body.data.metadata).toEqual({ crm: '77', x: 'y' });
    expect((await write(id, { x: null })).body.data).toMatchObject({ metadata: { crm: '77' }, propia: { version: version + 2 } });
    expect((await write(id, { crm: '77' })).body.data.propia.version).toBe(version + 2);
    expect(await events()).toEqual(expect.arrayContaining(['cliente.modificado', 'cliente.modificado']));
    expect((await admin.call(listClientes)).body.data).toMatchObject([{ metadata: { crm: '77' } }]);
    expect([(await read(id, seller)).metadata, (await seller.call(listClientes)).body.data[0]?.metadata]).toEqual([null, null]);
    expect((await write(id, { crm: 'mio' }, seller)).status).toBe(200);
    expect((await read(id)).metadata).toEqual({ crm: '77' });
    expect((await write(id, { MAL: '1' })).status).toBe(422);
  });
});

it('the metadata of a product is written on creation and change, and stays when a save omits it', async () => {
  const fields = { name: 'Miel', stock: 1, min_stock: 0 };
  const { id } = (await program.call(createProduct, { body: { ...fields, metadata: { sku: 'M-1' } } })).body.data;
  const save = async (body: object) => (await admin.call(updateProduct, { params: { id }, body })).body.data;
  expect(await save({ name: 'Miel de brezo' })).toMatchObject({ metadata: { sku: 'M-1' }, version: 2 });
  expect(await save({ metadata: { ean: '84' } })).toMatchObject({ metadata: { sku: 'M-1', ean: '84' }, version: 3 });
  expect(await save({ metadata: { ean: '84' } })).toMatchObject({ version: 3 });
  expect(await save({ metadata: { ean: '', sku: '' } })).toMatchObject({ metadata: null, version: 4 });
});

describe('metadata with personal data', () => {
  const MOTIVO = { motivo: 'Lo ha pedido' };
  const kept = async () => ({
    pedidos: await world.db.selectFrom('pedidos').select('metadata').execute(),
    clientes: await world.db.selectFrom('clientes').select('metadata').execute(),
  });
  async function ended() {
    const { id } = await made({ correo: 'ana@centinela.es', nota: 'x' });
    const [customer] = (await admin.call(listClientes)).body.data;
    const metadata = { correo: 'ana@centinela.es' };
    const { body } = await program.call(updateCliente, {
      params: { id: customer?.id ?? '' },
      body: { nota: null, avisar_antes: false, metadata },
    });
    expect(body.data.metadata).toEqual(metadata);
    await admin.call(api.setEstado, { params: { id }, body: { estado: 'cancelado', motivo: 'No' } });
    return id;
  }

  it('anonymising erases metadata from the order, its customer, its traces and stored events', async () => {
    const id = await ended();
    const { status, text } = await admin.call(anonimizar, { body: { pedidos: [id], ...MOTIVO, confirmacion: CONFIRMACION } });
    expect(status, text).toBe(200);
    expect(await kept()).toEqual({ pedidos: [{ metadata: null }], clientes: [] });
    for (const table of ['events', 'outbox', 'idempotency_keys', 'audit_logs', 'pedidos_historial'] as const) {
      const { rows } = await sql<{ all: string }>`SELECT coalesce(json_agg(t), '[]')::text AS all FROM ${sql.table(table)} t`.execute(
        world.db,
      );
      expect(rows[0]?.all, table).not.toContain('centinela');
    }
  });

  it('the metadata of a customer with other orders is removed with the latest order', async () => {
    const id = await ended();
    await world.db.updateTable('pedidos').set({ fecha_pedido: '2030-01-01T10:00:00Z' }).where('id', '=', id).execute();
    await ordered(null);
    await admin.call(anonimizar, { body: { pedidos: [id], ...MOTIVO, confirmacion: CONFIRMACION } });
    expect((await kept()).clientes).toEqual([{ metadata: null }]);
  });

  it('the metadata of a customer is restored with any of the blocked orders', async () => {
    const [older, latest] = [await ended(), await ended()];
    await world.db.updateTable('pedidos').set({ fecha_pedido: '2020-01-01T10:00:00Z' }).where('id', '=', older).execute();
    const { clientes } = await kept();
    await admin.call(bloquear, { body: { pedidos: [older, latest], ...MOTIVO } });
    expect((await kept()).clientes).toEqual([]);
    expect((await admin.call(desbloquear, { body: { pedidos: [older], ...MOTIVO } })).status).toBe(200);
    expect((await kept()).clientes).toEqual(clientes);
  });

  it('unblocking restores the metadata', async () => {
    const id = await ended();
    const before = await kept();
    expect((await admin.call(bloquear, { body: { pedidos: [id], ...MOTIVO } })).status).toBe(200);
    expect(await kept()).toEqual({ pedidos: [{ metadata: null }], clientes: [] });
    expect((await admin.call(desbloquear, { body: { pedidos: [id], ...MOTIVO } })).status).toBe(200);
    expect(await kept()).toEqual(before);
  });
});
