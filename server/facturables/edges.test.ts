import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import { listFacturables, resumenFacturables, soltarFacturables, tomarFacturables } from '../../contract/facturables/facturables.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type World } from '../../test/world.ts';
import { settleAll } from './settle.ts';

/* A row to each side (test/faults.ts). */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const BUYER = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
/** Delivers an order for each number of packs. */
async function deliver({ admin, pack }: Awaited<ReturnType<typeof vatShop>>, ...packs: number[]) {
  for (const cantidad of packs) {
    const { id } = (await admin.call(createPedido, { body: { ...BUYER, pack_id: pack.id, cantidad } })).body.data;
    const done = { estado: 'completado', metodo_entrega: 'manual' } as const;
    expect((await admin.call(setEstado, { params: { id }, body: done })).status).toBe(200);
  }
  await settled(world.db);
}

it('rows are taken once, released by their mark, and told in the log', async () => {
  const shop = await vatShop(world);
  const { admin } = shop;
  const cursor = async () => (await admin.call(listFacturables)).body.cursor;
  const take = async (hasta: string) => (await admin.call(tomarFacturables, { body: { hasta } })).body;
  const nothing = await cursor();
  await deliver(shop, 1, 2);
  expect(await take(nothing)).toMatchObject({ marcadas: 0, tomada_at: null });
  const first = (await admin.call(listFacturables, { query: { limite: 1 } })).body.cursor;
  const mark = await take(first);
  expect([mark, await take(first)]).toMatchObject([
    { marcadas: 1, tomada_at: expect.any(String) },
    { marcadas: 0, tomada_at: null },
  ]);
  const later = await take(await cursor());
  expect(later.marcadas).toBe(1);
  const release = (tomada_at: string | null) => admin.call(soltarFacturables, { body: { tomada_at: tomada_at ?? '' } });
  expect((await release(mark.tomada_at)).body.soltadas).toBe(1);
  expect((await release(mark.tomada_at)).body.message).toBe('Ya salió en un fichero o lo leyó un programa: la marca se queda');
  const rows = (await admin.call(listFacturables)).body.data;
  expect(rows.map(({ tomada_at, tomada_por }) => [tomada_at, tomada_por])).toEqual([
    [null, null],
    [later.tomada_at, admin.user.full_name],
  ]);
  const logs = (await admin.call(listLogs, { query: { entity_type: 'facturables' } })).body.data;
  expect(logs.map(({ description }) => description).toReversed()).toEqual([
    '1 fila marcada como facturada',
    '1 fila marcada como facturada',
    '1 fila vuelve a estar por facturar',
  ]);
});

it('the sums of a period have its rows alone, and a cursor that takes all of them', async () => {
  const shop = await vatShop(world);
  const { admin } = shop;
  const sums = async (query = {}) => (await admin.call(resumenFacturables, { query })).body;
  expect(await sums()).toMatchObject({ data: [], por_tomar: 0, sin_tipo: 0, sin_tipo_por_tomar: 0, encendido: true });
  await deliver(shop, 1, 2);
  const today = dayInMadrid();
  const all = await sums({ desde: today, hasta: today });
  expect(all).toMatchObject({ data: [{ tipo: '10', filas: 2, base: 30, cuota: 3, total: 33 }], por_tomar: 2 });
  for (const period of [{ desde: addDays(today, 1) }, { hasta: addDays(today, -1) }])
    expect(await sums(period)).toMatchObject({ data: [], por_tomar: 0 });
  expect((await admin.call(tomarFacturables, { body: { hasta: all.cursor } })).body.marcadas).toBe(2);
  expect(await sums()).toMatchObject({ data: [{ filas: 2 }], por_tomar: 0 });
  expect(await sums({ pendientes: 'si' })).toMatchObject({ data: [], por_tomar: 0 });
  await admin.call(updateSettings, { body: { iva: false } });
  expect((await sums()).encendido).toBe(false);
});

it('a page that ends with the last row says that there are no more', async () => {
  const shop = await vatShop(world);
  const { admin } = shop;
  await deliver(shop, 1, 1);
  const more = async (limite: number) => (await admin.call(listFacturables, { query: { limite } })).body.hay_mas;
  expect([await more(1), await more(2)]).toEqual([true, false]);
});

it.each([499, 500, 1001])('a delivery is written down after %i other changes, and the place in the log is kept', async (others) => {
  const { admin, pack } = await vatShop(world);
  await sql`INSERT INTO cambios SELECT 'pedido', gen_random_uuid(), '1'::xid8 FROM generate_series(1, ${others})`.execute(world.db);
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013', pack_id: pack.id };
  const { id } = (await admin.call(createPedido, { body })).body.data;
  await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await settled(world.db);
  const place = async () => {
    await settleAll(world.db);
    return world.db.selectFrom('facturables_seguimiento').selectAll().executeTakeFirstOrThrow();
  };
  const first = await place();
  expect(first.pedido_id).toBe(id);
  expect((await admin.call(listFacturables)).body.data).toHaveLength(1);
  expect(await place()).toEqual(first);
});
