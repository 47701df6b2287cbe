import { beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { balance } from '../../../test/ledger.ts';
import { liveChanges } from '../../../test/live-changes.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { editLineas } from './create.ts';
import { deletePedido, renamePerson, restorePedido, shippingMeans, updatePedido } from './pedidos.ts';

/* Edits, deletions and restorations of an order. */

worldForEachTest();

let pack: Awaited<ReturnType<typeof world.pack>>;
beforeEach(async () => {
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ cashOnDelivery: true, shippingPeninsula: 5, shippingCanarias: 45 }) as never })
    .execute();
  pack = await world.pack({ pack_price_cents: 1000, pack_quantity: 2 });
});

type Given = Parameters<typeof world.pedido>[0];
const order = (fields: Given = {}) => world.pedido({ pack, revendedor_id: reseller.user.id, ...fields });
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const steps = async (id: string) =>
  (await admin.call(api.getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [
    accion,
    nota?.replaceAll('\u00a0', ' ') ?? null,
  ]);
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    ({ status, body }) => [status, body.message, ...Object.keys(body.errors ?? {})],
  );
const stock = async () => (await balance(world.db, pack.product_id)).stock;
const pay = (id: string, importe: number) =>
  admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } });
const due = async () => (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'devolucion_pendiente').length;
const NOW = new Date().toISOString();

describe('an edit', () => {
  type Changes = Parameters<typeof updatePedido>[3];
  const edit = (id: string, changes: Changes, who: Person = admin) => updatePedido(world.db, who.user, id, changes);
  const FINISHED = 'En un pedido completado solo se pueden cambiar las instrucciones, el NIF y los datos de programas';

  it.each<[string, Given, Changes, unknown]>([
    ['of an order in the making', {}, { instrucciones: 'Tocar' }, undefined],
    ['of a deleted order', { deleted_at: NOW }, { instrucciones: 'Tocar' }, [409, 'El pedido está eliminado: restáuralo antes']],
    ['of a cancelled order', { estado: 'cancelado' }, { instrucciones: 'Tocar' }, [409, 'Un pedido cancelado no se puede modificar']],
    ['of the words of a delivered order', { estado: 'completado' }, { instrucciones: 'Tocar' }, undefined],
    ['of the name of a delivered order', { estado: 'completado' }, { instrucciones: 'Tocar', cliente_nombre: 'Eva' }, [409, FINISHED]],
    ['of the day of a delivered order', { estado: 'completado' }, { fecha_estimada: '2026-05-01' }, [409, FINISHED]],
    ['of blocked data', { bloqueado_at: NOW }, { instrucciones: 'Tocar' }, [409, expect.stringContaining('no se puede modificar')]],
    ['of an older version', {}, { instrucciones: 'Tocar', version: 0 }, [409, expect.anything()]],
  ])('%s', async (_, fields, changes, wanted) => {
    const { id } = await order(fields);
    expect(await refusal(edit(id, changes))).toEqual(wanted);
  });

  it('of a reseller is for unpaid orders, and never of the promised day', async () => {
    const [unpaid, open] = [await order({ estado: 'pendiente_pago' }), await order()];
    expect(await refusal(edit(open.id, { instrucciones: 'Tocar' }, reseller))).toEqual([
      409,
      'El pedido ya está pagado: pide el cambio a un administrador',
    ]);
    expect((await refusal(edit(unpaid.id, { fecha_estimada: '2026-05-01' }, reseller)))?.[0]).toBe(403);
    expect(await refusal(edit(unpaid.id, { instrucciones: 'Tocar' }, reseller))).toBeUndefined();
  });

  it('that changes nothing leaves no step, and data of programs leave their own', async () => {
    const { id, version, instrucciones, cliente_nombre } = await order();
    const same = await edit(id, { instrucciones, cliente_nombre, metadata: {} });
    expect([same.row.version, same.before.id, await steps(id)]).toEqual([version, id, []]);
    expect((await edit(id, { metadata: { erp: '7' } })).row.metadata).toEqual({ erp: '7' });
    expect((await edit(id, { metadata: { erp: '8' }, instrucciones: 'Tocar' })).before.metadata).toEqual({ erp: '7' });
    await edit(id, { metadata: { erp: '8' } });
    await edit(id, { fecha_estimada: '2026-05-01', metadata: { erp: '9' } });
    expect((await steps(id)).map(([accion]) => accion === 'Datos de programas cambiados')).toEqual([false, false, true]);
    expect((await stored(id)).metadata).toEqual({ erp: '9' });
  });

  it('of the promised day sets it by hand until it is emptied', async () => {
    const { id } = await order({ estado: 'pendiente_pago' });
    const { row } = await edit(id, { fecha_estimada: '2026-05-01' });
    expect([row.fecha_estimada === null, row.fecha_estimada_fijada]).toEqual([false, true]);
    await edit(id, { instrucciones: 'Tocar' });
    expect((await stored(id)).fecha_estimada_fijada).toBe(true);
    const { row: emptied } = await edit(id, { fecha_estimada: null });
    expect([emptied.fecha_estimada, emptied.fecha_estimada_fijada]).toEqual([null, false]);
  });

  it('of the telephone may not join the order to a blocked customer, unless the office edits', async () => {
    const blocked = await order({ cliente_nombre: 'Mala', cliente_telefono: '611 22 33 44' });
    await world.db
      .updateTable('clientes')
      .set({ bloqueado_motivo: 'No paga' })
      .where('id', '=', (eb) => eb.selectFrom('pedidos').select('cliente_id').where('id', '=', blocked.id))
      .execute();
    const { id } = await order({ estado: 'pendiente_pago', cliente_nombre: 'Mala', cliente_telefono: '622 33 44 55' });
    const changes = { cliente_telefono: '611 22 33 44' };
    expect(await refusal(edit(id, { ...changes, instrucciones: 'Tocar' }, reseller))).toEqual([
      422,
      'Cliente bloqueado: No paga',
      'cliente_telefono',
    ]);
    expect(await refusal(edit(id, { instrucciones: 'Tocar' }, reseller))).toBeUndefined();
    expect(await refusal(edit(id, changes))).toBeUndefined();
  });

  it('of the address says what it does to the price, before and after', async () => {
    const { id } = await order({ estado: 'pendiente_pago', envio_cents: 500, precio_total_cents: 1500 });
    const means = 'el envío a Canarias cuesta 45,00 € y el total es ahora 55,00 €';
    const meansOf = async (address: object) => (await shippingMeans(world.db, admin.user, id, address))?.replaceAll('\u00a0', ' ') ?? null;
    expect(await meansOf({ cliente_codigo_postal: '35001', cliente_ciudad: null })).toBe(means);
    expect(await meansOf({ cliente_codigo_postal: null })).toBeNull();
    expect(await meansOf({ cliente_codigo_postal: '28014' })).toBeNull();
    expect(await refusal(shippingMeans(world.db, admin.user, crypto.randomUUID(), {}))).toEqual([404, 'No encontrado']);
    const { means: messages, row } = await edit(id, { cliente_codigo_postal: '35001' });
    expect([messages?.replaceAll('\u00a0', ' '), row.precio_total_cents]).toEqual([means, 5500]);
    expect((await steps(id))[0]?.[1]).toBe(means);
  });

  it('that leaves nothing to pay releases the order', async () => {
    const { id } = await order({ estado: 'pendiente_pago', envio_cents: 4500, precio_total_cents: 5500, cliente_codigo_postal: '35001' });
    await pay(id, 15);
    expect((await edit(id, { cliente_codigo_postal: '28014' })).row).toMatchObject({ estado: 'pendiente', precio_total_cents: 1500 });
  });
});

describe('an edit of the lines', () => {
  type Input = Parameters<typeof editLineas>[3];
  const edit = (id: string, input: object, who: Person = admin) => editLineas(world.db, who.user, id, input as Input);
  const made = async (body: object = {}, who: Person = admin) =>
    (
      await who.call(api.createPedido, {
        body: {
          cliente_nombre: 'Ana',
          cliente_direccion: 'Calle 1',
          cliente_codigo_postal: '28014',
          lineas: [{ pack_id: pack.id, cantidad: 2 }],
          ...body,
        } as never,
      })
    ).body.data;
  const KEEP = { numero: 1, cantidad: 2 };

  it('moves the stock and says what is in the order', async () => {
    const { id } = await made();
    const { row, lines } = await edit(id, {
      lineas: [
        { ...KEEP, cantidad: 3 },
        { producto: 'Porte', precio_total: 4, cantidad: 1 },
      ],
    });
    expect([row.precio_total_cents, lines.length, await stock()]).toEqual([3900, 2, 994]);
    expect((await steps(id))[0]).toEqual(['Líneas cambiadas', `3 × ${lines[0]?.producto}; 1 × Porte`]);
    expect((await admin.call(api.listPedidos, { query: { search: 'porte' } })).body.data.map((found) => found.id)).toEqual([id]);
    await edit(id, { lineas: [{ numero: 1, cantidad: 1 }] });
    const moves = await world.db
      .selectFrom('stock_movements')
      .select(['unidades', 'motivo'])
      .where('pedido_id', '=', id)
      .orderBy('created_at')
      .execute();
    expect(moves).toEqual([
      { unidades: -4, motivo: 'pedido' },
      { unidades: -2, motivo: 'pedido' },
      { unidades: 4, motivo: 'devolucion' },
    ]);
    expect((await stored(id)).precio_total_cents).toBe(1500);
  });

  it('that changes nothing leaves no step', async () => {
    const { id, version } = await made();
    expect((await edit(id, { lineas: [KEEP], envio: 5, descuento: 0 })).row.version).toBe(version);
    expect((await edit(id, { lineas: [KEEP] })).row.version).toBe(version);
    expect(await steps(id)).toHaveLength(1);
    expect((await edit(id, { lineas: [KEEP], descuento: 1 })).row).toMatchObject({ version: version + 1, envio_fijado: false });
    expect((await edit(id, { lineas: [KEEP], envio: 4 })).row).toMatchObject({ envio_fijado: true, precio_total_cents: 2300 });
  });

  it('may set shipping and discount only in the office', async () => {
    const { id } = await made({}, reseller);
    for (const name of ['envio', 'descuento']) expect((await refusal(edit(id, { lineas: [KEEP], [name]: 5 }, reseller)))?.[0]).toBe(403);
    expect(await refusal(edit(id, { lineas: [KEEP], envio: null, descuento: null }, reseller))).toBeUndefined();
    expect(await refusal(edit(id, { lineas: [KEEP], version: 99 }, reseller))).toEqual([409, expect.anything()]);
    expect(await refusal(edit((await order({ estado: 'completado' })).id, { lineas: [KEEP] }))).toEqual([
      409,
      expect.stringContaining('mientras'),
    ]);
  });

  it('keeps an unpaid order at what is paid, and a sale on delivery below the limit of cash', async () => {
    const { id } = await made({ estado: 'pendiente_pago' });
    await pay(id, 15);
    expect(await refusal(edit(id, { lineas: [{ numero: 1, cantidad: 1 }], descuento: 0.01 }))).toEqual([
      422,
      expect.stringContaining('Ya se han pagado'),
      'lineas',
    ]);
    expect((await edit(id, { lineas: [{ numero: 1, cantidad: 1 }] })).row).toMatchObject({ estado: 'pendiente', pendiente_cents: 0 });
    const sale = await made({ cliente_nombre: 'Eva', contra_reembolso: true });
    const line = (precio_total: number) => ({ lineas: [{ producto: 'Cesta', cantidad: 1, precio_total }], envio: 0 });
    expect(await refusal(edit(sale.id, line(1000)))).toEqual([422, expect.anything(), 'lineas']);
    expect(await refusal(edit(sale.id, line(999.99)))).toBeUndefined();
  });

  it('owes what is paid too much', async () => {
    const { id } = await made();
    await pay(id, 25);
    await edit(id, { lineas: [{ numero: 1, cantidad: 1 }] });
    expect(await due()).toBe(1);
  });

  it('has a note of at most a thousand characters', async () => {
    const { id } = await made();
    await edit(id, { lineas: Array.from({ length: 10 }, () => ({ producto: 'x'.repeat(150), cantidad: 1, precio_total: 1 })) });
    expect((await steps(id))[0]?.[1]).toHaveLength(1000);
  });
});

describe('a deletion', () => {
  const remove = (id: string, who: Person = admin) => deletePedido(world.db, who.user, id);

  it.each<[string, Given, number, boolean]>([
    ['an order in the shop', {}, 2, false],
    ['an order on its way', { estado: 'en_ruta' }, 2, true],
    ['a delivered order', { estado: 'completado' }, 0, false],
    ['a cancelled order', { estado: 'cancelado' }, 0, false],
  ])('of %s returns what is still to deliver', async (_, fields, units, areOut) => {
    const { id, unidades_retenidas } = await order(fields);
    const before = await stock();
    const row = await remove(id);
    expect([row.deleted_at === null, row.mercancia_at !== null, (await stock()) - before]).toEqual([false, areOut, units]);
    expect(row.unidades_retenidas).toBe(unidades_retenidas - units);
    expect((await steps(id))[0]?.[0]).toBe('Pedido eliminado');
    expect(await refusal(remove(id))).toEqual([404, 'No encontrado']);
  });

  it('is for the office, and owes what was paid', async () => {
    const { id } = await order();
    expect((await refusal(remove(id, reseller)))?.[0]).toBe(403);
    await pay(id, 10);
    await remove(id);
    expect(await due()).toBe(1);
    await remove((await order()).id);
    expect(await due()).toBe(1);
  });
});

describe('a restoration', () => {
  const restore = (id: string, who: Person = admin) => restorePedido(world.db, who.user, id);

  it.each<[string, Given, number, string]>([
    ['an order in the shop', {}, 2, 'pendiente'],
    ['an order on its way', { estado: 'en_ruta' }, 2, 'en_ruta'],
    ['a delivered order', { estado: 'completado' }, 0, 'completado'],
  ])('of %s takes what is still to deliver', async (_, fields, units, estado) => {
    const { id } = await order(fields);
    await deletePedido(world.db, admin.user, id);
    const before = await stock();
    const row = await restore(id);
    expect([row.deleted_at, row.mercancia_at, row.estado, before - (await stock())]).toEqual([null, null, estado, units]);
    expect([row.unidades_retenidas, (await steps(id))[0]?.[0]]).toEqual([2, 'Pedido restaurado']);
    const [move] = await world.db
      .selectFrom('stock_movements')
      .select('motivo')
      .where('pedido_id', '=', id)
      .orderBy('created_at', 'desc')
      .execute();
    if (units) expect(move?.motivo).toBe('restauracion');
  });

  it('is refused for an order that is there, to others, and for blocked data', async () => {
    const [alive, gone, blocked] = [await order(), await order({ deleted_at: NOW }), await order({ deleted_at: NOW, bloqueado_at: NOW })];
    expect(await refusal(restore(alive.id))).toEqual([409, 'El pedido no está eliminado']);
    expect(await refusal(restore(blocked.id))).toEqual([409, expect.stringContaining('no se puede restaurar')]);
    expect([403, 404]).toContain((await refusal(restore(gone.id, reseller)))?.[0]);
  });

  it.each(['asignado', 'en_proceso', 'en_ruta'] as const)('takes an order %s back from a carrier who is gone', async (estado) => {
    const { id } = await order({ estado, transportista_id: carrier.user.id });
    const other = await order({ estado, transportista_id: (await world.user({ role: 'transportista' })).id });
    for (const each of [id, other.id]) await deletePedido(world.db, admin.user, each);
    await world.db.updateTable('users').set({ deleted_at: NOW }).where('id', '=', carrier.user.id).execute();
    expect(await restore(id)).toMatchObject({ estado: 'pendiente', transportista_id: null });
    expect(await restore(other.id)).toMatchObject({ estado });
    const messages = await steps(id);
    expect(messages[0]?.[1]).toBe('Su transportista ya no está');
    expect(messages).toHaveLength(estado === 'asignado' ? 3 : 4);
  });
});

it('a person who is renamed is renamed on their orders, and the office sees it', async () => {
  const other = await world.user({ role: 'revendedor' });
  const mine = await order({ estado: 'asignado', transportista_id: carrier.user.id });
  const foreign = await order({ revendedor_id: other.id });
  const heard = await liveChanges(world);
  await transact(world.db, (tx) => renamePerson(tx, reseller.user.id, 'Rita'));
  await transact(world.db, (tx) => renamePerson(tx, carrier.user.id, 'Celia'));
  expect(await stored(mine.id)).toMatchObject({ revendedor_nombre: 'Rita', transportista_nombre: 'Celia' });
  expect(await stored(foreign.id)).toMatchObject({ revendedor_nombre: other.full_name, transportista_nombre: null });
  await expect.poll(() => heard).toContainEqual({ topic: 'pedidos', roles: ['superadmin'] });
});
