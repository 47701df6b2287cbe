import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { anularDevolucion, createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import {
  type Facturable,
  listFacturables,
  listSinTipo,
  ponerIntracomunitaria,
  ponerTipos,
  resumenFacturables,
  soltarFacturables,
  tomarFacturables,
} from '../../contract/facturables/facturables.ts';
import {
  createPedido,
  deletePedido,
  getPedido,
  type Pedido,
  patchPedido,
  restorePedido,
  setEstado,
  updatePedido,
} from '../../contract/pedidos/pedidos.ts';
import { anonimizar, bloquear } from '../../contract/privacidad/privacidad.ts';
import { updateProduct } from '../../contract/products/products.ts';
import { getSettings, updateSettings } from '../../contract/settings/settings.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { rebuildChanges } from '../cambios/cambios.ts';
import { transact } from '../db/open.ts';
import { settleAll } from './settle.ts';

let world: World;
let admin: Person;
let pack: Awaited<ReturnType<World['pack']>>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ admin, pack } = await vatShop(world));
});

const TODAY = dayInMadrid();
const ADDRESS = { cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013' };
async function make(more: object): Promise<Pedido> {
  const { status, body } = await admin.call(createPedido, { body: { ...ADDRESS, ...more } });
  expect(status, JSON.stringify(body)).toBe(201);
  return (await admin.call(getPedido, { params: { id: body.data.id } })).body.data as Pedido;
}
async function deliver(more: object = { pack_id: pack.id, cantidad: 3 }): Promise<Pedido> {
  const order = await make(more);
  const { status } = await admin.call(setEstado, { params: { id: order.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect(status).toBe(200);
  return order;
}
const read = async (query: object = {}, who: Pick<Person, 'call'> = admin) => {
  await settled(world.db);
  return (await who.call(listFacturables, { query })).body;
};
const rows = async (query: object = {}) => (await read(query)).data;
const short = ({ motivo, tipo, base, cuota, total }: Facturable) => [motivo, tipo, base, cuota, total];
const summary = async (query: object = {}) => {
  await settled(world.db);
  return (await admin.call(resumenFacturables, { query })).body;
};
const giveBack = (id: string, cantidad: number, numero = 1) =>
  admin.call(createDevolucion, {
    params: { id },
    body: { lineas: [{ numero, cantidad, destino: 'stock' as const }], motivo: 'desistimiento' },
  });

describe('the list of rows to invoice', () => {
  it('the list of rows to invoice has a delivered order once, split by VAT rate', async () => {
    const bread = await world.pack({ product_id: (await world.product({ iva: '4' })).id, pack_price_cents: 1040 });
    const order = await deliver({ lineas: [{ pack_id: pack.id, cantidad: 2 }, { pack_id: bread.id }], envio: 3.24, descuento: 1 });
    await make({ pack_id: pack.id });
    await settled(world.db);
    // Runs concurrently, as several instances and readers do.
    await Promise.all([settleAll(world.db), settleAll(world.db), settleAll(world.db), settleAll(world.db)]);
    const found = await rows();
    expect(found.map(short)).toEqual([
      ['venta', '10', 21.38, 2.14, 23.52],
      ['venta', '4', 10.69, 0.43, 11.12],
    ]);
    expect(found[0]).toMatchObject({
      numero: 1,
      numero_orden: order.numero_orden,
      fecha: TODAY,
      cliente: 'Ana Ruiz',
      pedido_id: order.id,
      tomada_at: null,
    });
    expect(found.reduce((sum, { total }) => sum + total, 0)).toBeCloseTo(order.precio_total, 9);
    expect(await rows()).toHaveLength(2);
  });

  it('the sums have a delivery that no list has written down yet', async () => {
    await deliver();
    expect((await summary()).data).toMatchObject([{ tipo: '10', filas: 1, total: 33 }]);
  });

  it('a return adds a negative row to invoice, and annulling the return a positive row', async () => {
    const { id } = await deliver();
    await rows();
    const { body } = await giveBack(id, 1);
    expect((await rows()).map(short)).toEqual([
      ['venta', '10', 30, 3, 33],
      ['devolucion', '10', -10, -1, -11],
    ]);
    await admin.call(anularDevolucion, { params: { id: body.data.id }, body: { motivo: 'Era otro' } });
    expect((await rows()).slice(2).map(short)).toEqual([['correccion', '10', 10, 1, 11]]);
  });

  it('the rows to invoice of a fully returned order add up to zero, including shipping', async () => {
    const { id } = await deliver({ pack_id: pack.id, envio: 5 });
    await rows();
    await giveBack(id, 1);
    expect((await rows()).map(({ total }) => total)).toEqual([16, -16]);
  });

  it('a returned oil is one negative row at its own rate, and the shipping stays where the sale had it', async () => {
    const oil = await world.pack({ product_id: (await world.product({ iva: '21' })).id, pack_quantity: 1, pack_price_cents: 4500 });
    const { id } = await deliver({ lineas: [{ pack_id: oil.id, cantidad: 2 }, { pack_id: pack.id }], envio: 6 });
    await rows();
    await giveBack(id, 1);
    expect((await rows()).slice(2).map(short)).toEqual([['devolucion', '21', -37.19, -7.81, -45]]);
    expect((await rows()).map(({ documento, corrige }) => [documento.slice(0, 1), corrige?.slice(0, 1) ?? null])).toEqual([
      ['V', null],
      ['V', null],
      ['R', 'V'],
    ]);
  });

  it.each(['anonimizar', 'bloquear'] as const)('to %s a customer changes no row of a sale without VAT, and makes none', async (act) => {
    const { id } = await deliver({ pack_id: pack.id, cliente_codigo_postal: '35001' });
    await rows();
    const body = { pedidos: [id], motivo: 'Lo ha pedido' };
    const done =
      act === 'bloquear'
        ? admin.call(bloquear, { body })
        : admin.call(anonimizar, { body: { ...body, confirmacion: 'ANONIMIZAR' as const } });
    expect((await done).status).toBe(200);
    await sql`UPDATE pedidos SET cliente_codigo_postal = '28013', version = version + 1 WHERE id = ${id}`.execute(world.db);
    expect((await rows()).map(short)).toEqual([['venta', 'exportacion', 11, 0, 11]]);
  });

  it('an order to France is an intra-Community supply only with its VAT number and the owner’s word', async () => {
    const to = { cliente_codigo_postal: '69001', cliente_pais: 'Francia', cliente_provincia: null };
    const order = await make({ pack_id: pack.id, ...to });
    const say = (pedido_id: string, es = true) => admin.call(ponerIntracomunitaria, { body: { pedido_id, es } });
    expect((await say(order.id)).status).toBe(422);
    const { id } = await deliver({ pack_id: pack.id, ...to, cliente_nif: 'FR 40 303 265 045' });
    expect((await rows()).map(short)).toEqual([['venta', '10', 10, 1, 11]]);
    expect((await say(id)).body.message).toBe('El pedido va sin IVA, como entrega intracomunitaria');
    expect((await rows()).slice(1).map(short)).toEqual([
      ['correccion', '10', -10, -1, -11],
      ['correccion', 'intracomunitaria', 11, 0, 11],
    ]);
    expect((await admin.call(getPedido, { params: { id } })).body.data).toMatchObject({
      cliente_nif: 'FR40303265045',
      iva: [{ tipo: 'intracomunitaria', cuota: 0 }],
    });
    expect((await say(id, false)).body.message).toBe('El pedido lleva el IVA de aquí');
    expect((await admin.call(getPedido, { params: { id } })).body.data).toMatchObject({ iva: [{ tipo: '10', cuota: 1 }] });
  });

  it('rows to invoice leave out undelivered goods', async () => {
    await admin.call(updateSettings, { body: { partialDeliveries: true } });
    const { id } = await make({ pack_id: pack.id, cantidad: 3 });
    const no_entregado = [{ numero: 1, cantidad: 1, motivo: 'falta' as const }];
    await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado } });
    expect((await rows()).map(short)).toEqual([['venta', '10', 20, 2, 22]]);
  });

  it('deleting an order cancels out its rows to invoice until the order is restored', async () => {
    const { id } = await deliver({ pack_id: pack.id });
    await rows();
    await admin.call(deletePedido, { params: { id } });
    expect((await rows()).at(-1)).toMatchObject({ motivo: 'correccion', total: -11, cliente: 'Ana Ruiz' });
    await admin.call(restorePedido, { params: { id } });
    expect((await rows()).map(({ total }) => total)).toEqual([11, -11, 11]);
  });

  it('a row to invoice without a VAT rate is replaced once the rate is filled in', async () => {
    await admin.call(updateProduct, { params: { id: pack.product_id }, body: { iva: null } });
    const { id } = await deliver({ pack_id: pack.id });
    expect((await rows()).map(short)).toEqual([['venta', 'sin_tipo', 11, 0, 11]]);
    expect([(await summary()).sin_tipo, (await admin.call(atencionStats)).body.data.sinTipoIva]).toEqual([1, 1]);
    const empty = await admin.call(ponerTipos, { body: {} });
    expect(empty.body.data).toEqual({ lineas: 0, sin_tipo: [expect.any(String)] });
    await admin.call(updateProduct, { params: { id: pack.product_id }, body: { iva: '21' } });
    const { body } = await admin.call(ponerTipos, { body: { pedido_id: id } });
    expect([body.message, body.data]).toEqual(['Puesto en 1 línea', { lineas: 1, sin_tipo: [] }]);
    const filled = (await rows()).slice(1);
    expect(filled.map(short)).toEqual([
      ['correccion', '21', 9.09, 1.91, 11],
      ['correccion', 'sin_tipo', -11, 0, -11],
    ]);
    // The invoice was not made yet, so that the rates are its own and no correction.
    expect(new Set((await rows()).map(({ documento }) => documento))).toEqual(new Set([`V${TODAY.slice(2, 4)}-000001`]));
    expect([(await summary()).sin_tipo, (await admin.call(atencionStats)).body.data.sinTipoIva]).toEqual([0, 0]);
    // Fills only lines without a rate.
    await admin.call(updateProduct, { params: { id: pack.product_id }, body: { iva: '4' } });
    expect((await admin.call(ponerTipos, { body: {} })).body.data.lineas).toBe(0);
  });

  it('rows to invoice have an exempt export for orders to the Canary Islands', async () => {
    await deliver({ pack_id: pack.id, cliente_codigo_postal: '38001' });
    expect((await rows()).map(short)).toEqual([['venta', 'exportacion', 11, 0, 11]]);
  });

  it('rows to invoice have the NIF of the customer, even if added after the delivery', async () => {
    await deliver({ pack_id: pack.id, cliente_nif: '12345678Z' });
    const { id } = await deliver({ pack_id: pack.id });
    expect((await rows()).map(({ nif }) => nif)).toEqual(['12345678Z', null]);
    const give = (cliente_nif: string) => admin.call(patchPedido, { params: { id }, body: { cliente_nif } as never });
    expect((await give('12345678A')).body.errors).toEqual({ cliente_nif: ['El NIF no es válido: comprueba su letra o su número'] });
    expect((await give('ES-B12345674')).status).toBe(200);
    expect((await rows()).map(({ nif }) => nif)).toEqual(['12345678Z', 'B12345674']);
  });

  it('rows to invoice begin on the day VAT was switched on, or on an earlier day set by the owner', async () => {
    const yesterday = addDays(TODAY, -1);
    const { body } = await admin.call(getSettings);
    expect(body.data.ivaDesde).toBe(TODAY);
    const { id } = await deliver({ pack_id: pack.id });
    await world.db
      .updateTable('pedidos')
      .set({ fecha_completado: `${yesterday}T10:00:00Z` })
      .where('id', '=', id)
      .execute();
    expect(await rows()).toEqual([]);
    const taxed = async () => (await admin.call(getPedido, { params: { id } })).body.data;
    expect(await taxed(), 'sold before VAT was switched on').not.toHaveProperty('iva');
    await admin.call(updateSettings, { body: { ivaDesde: yesterday } });
    expect(await taxed()).toHaveProperty('iva');
    expect((await rows()).map(({ fecha, total }) => [fecha, total])).toEqual([[yesterday, 11]]);
    // Moving the day forward does not remove rows.
    await admin.call(updateSettings, { body: { ivaDesde: TODAY } });
    expect(await rows()).toHaveLength(1);
    // Switching VAT off and on again preserves the day.
    await admin.call(updateSettings, { body: { iva: false } });
    await admin.call(updateSettings, { body: { ivaDesde: yesterday, iva: true } });
    expect((await admin.call(getSettings)).body.data.ivaDesde).toBe(yesterday);
  });

  it('the list of rows to invoice gets no rows while VAT is off, but stays readable', async () => {
    await deliver({ pack_id: pack.id });
    await rows();
    await admin.call(updateSettings, { body: { iva: false } });
    await deliver({ pack_id: pack.id });
    expect(await rows()).toHaveLength(1);
    await admin.call(updateSettings, { body: { iva: true } });
    expect(await rows()).toHaveLength(2);
  });

  it('the list of rows to invoice repeats no rows after a restore', async () => {
    await deliver({ pack_id: pack.id });
    const { cursor } = await read();
    await transact(world.db, rebuildChanges);
    expect(await rows()).toHaveLength(1);
    expect((await admin.call(listFacturables, { query: { cursor } })).status).toBe(410);
  });

  it('rows to invoice cannot be changed in the database, except by marking rows as taken', async () => {
    await deliver({ pack_id: pack.id });
    await rows();
    await expect(sql`UPDATE facturables SET total_cents = 1, base_cents = 1, cuota_cents = 0`.execute(world.db)).rejects.toThrow(
      /only becomes taken/,
    );
    await sql`UPDATE facturables SET tomada_at = now(), tomada_por = 'Ana'`.execute(world.db);
    await sql`UPDATE facturables_documentos SET exportado_at = now(), exportado_por = 'Ana'`.execute(world.db);
    await expect(sql`UPDATE facturables SET tomada_at = NULL, tomada_por = NULL`.execute(world.db)).rejects.toThrow(/stays taken/);
    await expect(sql`UPDATE facturables_documentos SET nif = 'X'`.execute(world.db)).rejects.toThrow(/does not change/);
  });
});

describe('an invoicing program', () => {
  it('an invoicing program reads each row once with a cursor, and can filter by day', async () => {
    for (let i = 0; i < 5; i += 1) await deliver({ pack_id: pack.id });
    const seen: number[] = [];
    let page = await read({ limite: 2 });
    for (; ; page = await read({ limite: 2, cursor: page.cursor })) {
      seen.push(...page.data.map(({ numero }) => numero));
      if (!page.hay_mas) break;
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    expect(await read({ cursor: page.cursor })).toEqual({ data: [], cursor: page.cursor, hay_mas: false });
    expect(await rows({ desde: TODAY, hasta: TODAY })).toHaveLength(5);
    expect(await rows({ desde: addDays(TODAY, 1) })).toEqual([]);
    for (const cursor of ['nada', 'a.b']) expect((await admin.call(listFacturables, { query: { cursor } })).status).toBe(422);
  });

  it('concurrent calls mark each row up to a cursor as taken only once', async () => {
    await deliver({ pack_id: pack.id });
    const { cursor } = await read();
    await deliver({ pack_id: pack.id });
    await rows();
    const take = (hasta: string, more: object = {}) => admin.call(tomarFacturables, { body: { hasta, ...more } });
    expect((await take(cursor, { periodo: { hasta: addDays(TODAY, -1) } })).body.marcadas).toBe(0);
    const answers = await Promise.all([take(cursor), take(cursor), take(cursor)]);
    expect(answers.map(({ body }) => body.marcadas).toSorted()).toEqual([0, 0, 1]);
    const [first, second] = await rows();
    expect([first?.tomada_por, second?.tomada_por]).toEqual([admin.user.full_name, null]);
    expect((await rows({ pendientes: 'si' })).map(({ numero }) => numero)).toEqual([2]);
    expect(await summary({ pendientes: 'si' })).toMatchObject({
      por_tomar: 1,
      data: [{ tipo: '10', filas: 1, base: 10, cuota: 1, total: 11 }],
    });
  });

  it('nothing is marked while a line has no rate, which is given to products and free lines at once', async () => {
    await admin.call(updateProduct, { params: { id: pack.product_id }, body: { iva: null } });
    await deliver({ lineas: [{ pack_id: pack.id }, { producto: 'Cesta', cantidad: 1, precio_total: 21 }] });
    const { cursor } = await read();
    const { status, body } = await admin.call(tomarFacturables, { body: { hasta: cursor } });
    expect([status, (body as { message?: string }).message]).toEqual([
      409,
      expect.stringMatching(/Falta el tipo de IVA de 2 productos: Cesta, /),
    ]);
    expect((await summary()).sin_tipo_por_tomar).toBe(1);
    const lacking = (await admin.call(listSinTipo)).body.data;
    expect(lacking.map(({ product_id, pedidos }) => [product_id, pedidos])).toEqual([
      [null, 1],
      [pack.product_id, 1],
    ]);
    const tipos = lacking.map(({ product_id, producto }) => ({
      product_id,
      producto,
      iva: product_id ? ('10' as const) : ('21' as const),
    }));
    expect((await admin.call(ponerTipos, { body: { tipos } })).body.data).toEqual({ lineas: 2, sin_tipo: [] });
    const page = await read();
    expect(page.data.slice(1).map(short)).toEqual([
      ['correccion', '21', 17.36, 3.64, 21],
      ['correccion', '10', 10, 1, 11],
      ['correccion', 'sin_tipo', -32, 0, -32],
    ]);
    expect((await admin.call(tomarFacturables, { body: { hasta: page.cursor } })).body.marcadas).toBe(4);
  });

  it('a mark can be removed until its invoice is exported in a file or taken by a program', async () => {
    await deliver({ pack_id: pack.id });
    const { cursor } = await read();
    await admin.call(tomarFacturables, { body: { hasta: cursor } });
    const mark = async () => (await rows())[0]?.tomada_at ?? '';
    const release = async () => admin.call(soltarFacturables, { body: { tomada_at: await mark() } });
    expect((await release()).body).toMatchObject({ soltadas: 1, message: '1 fila vuelve a estar por facturar' });
    expect((await rows({ pendientes: 'si' })).length).toBe(1);
    const program = await world.program(['factura:read', 'factura:take', 'pedido:read', 'pedido:prices']);
    await program.call(tomarFacturables, { body: { hasta: cursor } });
    expect([(await release()).status, (await rows())[0]?.exportada_at]).toEqual([409, expect.any(String)]);
  });

  it('an invoicing program needs separate permissions to read rows and to mark rows as taken', async () => {
    const whole = ['pedido:read', 'pedido:prices'];
    const [reader, marker] = [
      await world.program(['factura:read', ...whole]),
      await world.program(['factura:read', 'factura:take', ...whole]),
    ];
    await deliver({ pack_id: pack.id });
    const { cursor } = await read({}, reader);
    const mark = (who: Pick<Person, 'call'>) => who.call(tomarFacturables, { body: { hasta: cursor } });
    expect([(await mark(reader)).status, (await mark(marker)).status]).toEqual([403, 200]);
    expect((await marker.call(ponerTipos, { body: {} })).status).toBe(403);
    for (const role of ['revendedor', 'transportista'] as const) {
      const who = await world.as(role);
      expect((await who.call(listFacturables, { query: {} })).status).toBe(403);
      expect((await who.call(resumenFacturables, { query: {} })).status).toBe(403);
      expect((await mark(who)).status).toBe(403);
      expect((await who.call(ponerTipos, { body: {} })).status).toBe(403);
    }
  });
});

it('rows to invoice add up to the orders after any mix of deliveries, returns, deletions and edits', async () => {
  const packs = [pack, await world.pack({ product_id: (await world.product({ iva: '21' })).id, pack_price_cents: 333 })];
  const orders: string[] = [];
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const anyOrder = () => orders[random(orders.length)] ?? '';
  for (let i = 0; i < 60; i += 1) {
    const what = random(6);
    if (what < 2 || orders.length === 0) {
      const lineas = packs.slice(0, 1 + random(2)).map(({ id }) => ({ pack_id: id, cantidad: 1 + random(4) }));
      orders.push((await deliver({ lineas, envio: random(600) / 100, descuento: random(300) / 100, cliente_telefono: `6${i}` })).id);
    } else if (what === 2) await giveBack(anyOrder(), 1, 1 + random(2));
    else if (what === 3) await admin.call(deletePedido, { params: { id: anyOrder() } });
    else if (what === 4) await admin.call(restorePedido, { params: { id: anyOrder() } });
    else
      await admin.call(updatePedido, {
        params: { id: anyOrder() },
        body: { ...ADDRESS, cliente_codigo_postal: random(2) ? '35001' : '28013' },
      });
    if (random(3) === 0) await rows();
  }
  await rows();
  const { rows: wrong } = await sql`
    SELECT p.id FROM pedidos p LEFT JOIN (SELECT pedido_id, sum(total_cents) AS cents FROM facturables GROUP BY 1) f ON f.pedido_id = p.id
    WHERE coalesce(f.cents, 0) <> CASE WHEN p.deleted_at IS NULL THEN p.precio_total_cents - p.devuelto_cents ELSE 0 END`.execute(world.db);
  expect(wrong).toEqual([]);
  expect(orders.length).toBeGreaterThan(10);
});
