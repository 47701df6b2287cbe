import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listAudit } from '../../../contract/audit/audit.ts';
import { checkImport, type Fila, importPedidos } from '../../../contract/pedidos/import.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { setPrecio } from '../../../contract/products/precios.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { balance } from '../../../test/ledger.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

let world: World;
let reseller: Person;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  reseller = await world.as('revendedor');
  admin = await world.as('superadmin');
});

const fila = (n: number, pack_id: string, more: Partial<Fila> = {}): Fila => ({
  cliente_nombre: `Cliente ${n}`,
  cliente_direccion: `Calle Mayor ${n}`,
  cliente_telefono: `6001122${String(n).padStart(2, '0')}`,
  pack_id,
  ...more,
});
const send = (filas: Fila[], who: Person = reseller, more: { cobrar?: boolean; revendedor_id?: string } = {}, key?: string) =>
  who.call(importPedidos, { body: { filas, ...more }, ...(key && { headers: { 'idempotency-key': key } }) });

it('an import creates every row as an order of the importer, exactly as by hand', async () => {
  const pack = await world.pack({ pack_quantity: 3 });
  const byHand = (await reseller.call(api.createPedido, { body: { ...fila(1, pack.id), cantidad: 2 } })).body.data;
  const { status, body } = await send([fila(1, pack.id, { cantidad: 2 }), fila(2, pack.id)]);
  expect([status, body.message, body.creados]).toEqual([201, '2 pedidos creados', 2]);
  const { data } = (await reseller.call(api.listPedidos, { query: { con: 'lineas' } })).body;
  const imported = data.find(({ id, cliente_nombre }) => cliente_nombre === 'Cliente 1' && id !== byHand.id);
  const own = { id: '', numero_orden: '', payment_link: '', fecha_pedido: '', created_at: '', updated_at: '', situacion: null };
  const whole = (await reseller.call(api.getPedido, { params: { id: byHand.id } })).body.data;
  expect({ ...imported, ...own }).toEqual({ ...whole, ...own });
  expect(await balance(world.db, pack.product_id)).toEqual({ stock: 985, ledger: 985 });
  const entries = (await admin.call(listAudit)).body.data.filter(({ description }) => description.startsWith('Pedido creado'));
  expect(entries).toHaveLength(3);
  const history = (await admin.call(api.getHistorial, { params: { id: imported?.id ?? '' } })).body.data;
  expect(history).toMatchObject([{ accion: 'Pedido creado', actor_nombre: reseller.user.full_name }]);
});

it('imported orders are listed in the order of the sheet, the last row as the newest', async () => {
  const pack = await world.pack({});
  const names = ['Zoe', 'Ana', 'Mar', 'Eva', 'Leo', 'Gil'];
  await send(names.map((cliente_nombre, i) => fila(i, pack.id, { cliente_nombre })));
  const { data } = (await reseller.call(api.listPedidos, {})).body;
  expect(data.map(({ cliente_nombre }) => cliente_nombre)).toEqual(names.reverse());
});

it('an import uses the shipping, discount and payment of the sheet, for the office only', async () => {
  await admin.call(updateSettings, { body: { shippingPeninsula: 6 } });
  const pack = await world.pack({ pack_price_cents: 1000 });
  const agreed = fila(1, pack.id, { envio: 4.95, descuento: 1, pago: { metodo: 'bizum', referencia: 'B7' } });
  const filas = [agreed, fila(2, pack.id)];
  const { data } = (await admin.call(checkImport, { body: { filas } })).body;
  expect([data.total, data.totales]).toEqual([29.95, [13.95, 16]]);
  expect((await send(filas, admin)).status).toBe(201);
  const orders = (await admin.call(api.listPedidos, {})).body.data;
  const paid = orders.find(({ cliente_nombre }) => cliente_nombre === 'Cliente 1');
  expect(paid).toMatchObject({ envio: 4.95, descuento: 1, precio_total: 13.95, pagado: 13.95, estado: 'pendiente' });
  const { pago: _, ...unpaid } = agreed;
  const theirs = (await reseller.call(checkImport, { body: { filas: [unpaid] } })).body.data;
  expect(theirs.totales).toEqual([16]);
  expect((await send([agreed])).status).toBe(403);
});

/** A row with several lines instead of one pack. */
const several = (n: number, lineas: NonNullable<Fila['lineas']>, more: Partial<Fila> = {}): Fila => {
  const { pack_id: _, ...order } = fila(n, '', more);
  return { ...order, lineas };
};

it('an import creates an order of several lines as if created by hand', async () => {
  await admin.call(updateSettings, { body: { shippingPeninsula: 6 } });
  const jar = await world.pack({ pack_quantity: 3, pack_price_cents: 1000 });
  const box = await world.pack({ pack_price_cents: 4000 });
  await admin.call(setPrecio, { params: { id: box.id }, body: { revendedor_id: reseller.user.id, precio: 35, desde: dayInMadrid() } });
  const lineas = [{ pack_id: jar.id, cantidad: 2 }, { pack_id: box.id }];
  const { body: byHand } = await reseller.call(api.createPedido, { body: several(1, lineas) });
  const filas = [several(1, lineas), fila(2, jar.id)];
  const { data } = (await reseller.call(checkImport, { body: { filas } })).body;
  expect(data).toMatchObject({ total: 77, repetidas: [{ fila: 0, numero_orden: byHand.data.numero_orden }] });
  expect((await send(filas)).body.creados).toBe(2);
  const all = (await reseller.call(api.listPedidos, { query: { con: 'lineas' } })).body.data;
  const imported = all.find(({ id, cliente_nombre }) => cliente_nombre === 'Cliente 1' && id !== byHand.data.id);
  const own = { id: '', numero_orden: '', payment_link: '', fecha_pedido: '', created_at: '', updated_at: '', situacion: null };
  const whole = (await reseller.call(api.getPedido, { params: { id: byHand.data.id } })).body.data;
  expect({ ...imported, ...own }).toEqual({ ...whole, ...own });
  expect(imported).toMatchObject({ num_lineas: 2, envio: 6, precio_total: 61 });
  expect(await balance(world.db, jar.product_id)).toEqual({ stock: 985, ledger: 985 });
  expect(await balance(world.db, box.product_id)).toEqual({ stock: 996, ledger: 996 });
});

it('an import refuses invalid lines, naming row and line', async () => {
  const pack = await world.pack({ pack_price_cents: 60_000 });
  const withdrawn = await world.pack({ is_active: false });
  const errorsOf = async (...filas: Fila[]) => (await send(filas, admin)).body.errors;
  expect(await errorsOf(fila(1, pack.id), several(2, [{ pack_id: pack.id }, { pack_id: withdrawn.id }]))).toEqual({
    'filas.1.lineas.1.pack_id': ['Selecciona un pack válido'],
  });
  expect(await errorsOf({ ...fila(1, pack.id), lineas: [{ pack_id: pack.id }] })).toEqual({
    'filas.0.lineas': ['Envía las líneas o un solo pack, no ambos'],
  });
  const { pack_id: _, ...without } = fila(1, '');
  expect(await errorsOf(without)).toEqual({ 'filas.0.pack_id': ['Selecciona un pack válido'] });
  // The legal cash limit applies to the order, not to each line.
  await admin.call(updateSettings, { body: { cashOnDelivery: true } });
  const twice = [{ pack_id: pack.id }, { pack_id: pack.id }];
  expect(Object.keys((await errorsOf(several(1, twice, { contra_reembolso: true }))) ?? {})).toEqual(['filas.0.contra_reembolso']);
  expect((await admin.call(api.listPedidos)).body.total).toBe(0);
  const many = Array.from({ length: 41 }, (_, n) => several(n, Array(50).fill({ pack_id: pack.id })));
  expect(await errorsOf(...many)).toEqual({ filas: ['Como máximo 2000 líneas a la vez'] });
});

it('the check of an import reports a repeated pack in any line, but not within one order', async () => {
  const [jar, box] = [await world.pack(), await world.pack()];
  const filas = [
    several(1, [{ pack_id: jar.id }, { pack_id: jar.id }]),
    several(1, [{ pack_id: box.id }, { pack_id: jar.id }]),
    fila(1, box.id),
  ];
  const { data } = (await reseller.call(checkImport, { body: { filas } })).body;
  expect(data.repetidas).toEqual([
    { fila: 1, numero_orden: null, como_fila: 0 },
    { fila: 2, numero_orden: null, como_fila: 1 },
  ]);
});

it('an import creates all orders or none, and names the wrong row', async () => {
  const pack = await world.pack();
  const withdrawn = await world.pack({ is_active: false });
  const bad = await send([fila(1, pack.id), fila(2, withdrawn.id)]);
  expect([bad.status, bad.body.message, bad.body.errors]).toEqual([
    422,
    'Fila 2: Selecciona un pack válido',
    { 'filas.1.pack_id': ['Selecciona un pack válido'] },
  ]);
  const empty = await send([fila(1, pack.id, { cliente_direccion: ' ' })]);
  expect(empty.body.errors).toEqual({ 'filas.0.cliente_direccion': ['Completa los campos obligatorios'] });
  const strange = await send([fila(1, pack.id), { ...fila(2, pack.id), ...{ cliente_cp: '28013' } }]);
  expect(strange.body.errors).toEqual({ 'filas.1.cliente_cp': ['Campo desconocido: cliente_cp'] });
  const scarce = await world.pack({ product_id: (await world.product({ name: 'Miel', stock: 3 })).id });
  const lacking = await send([fila(1, pack.id), fila(2, scarce.id), fila(3, scarce.id)]);
  expect([lacking.status, lacking.body.message]).toEqual([422, 'Stock insuficiente de Miel: quedan 3 unidades']);
  expect((await admin.call(api.listPedidos)).body.total).toBe(0);
  expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
});

it('an import sent twice with one idempotency key creates the orders once', async () => {
  const pack = await world.pack();
  const filas = [fila(1, pack.id), fila(2, pack.id)];
  const [first, second] = await Promise.all([send(filas, reseller, {}, 'clave-123'), send(filas, reseller, {}, 'clave-123')]);
  expect([first.body.creados, second.body.creados]).toEqual([2, 2]);
  expect((await admin.call(api.listPedidos)).body.total).toBe(2);
  expect((await send([fila(9, pack.id)], reseller, {}, 'clave-123')).body.code).toBe('idempotency');
});

it('only superadmins can choose estado and reseller of imported orders', async () => {
  const pack = await world.pack();
  await send([fila(1, pack.id)], admin, { revendedor_id: reseller.user.id });
  await send([fila(2, pack.id)], admin, { cobrar: true });
  const { data } = (await admin.call(api.listPedidos, { query: { sort: 'cliente_nombre', dir: 'asc' } })).body;
  expect(data).toMatchObject([
    { estado: 'pendiente', revendedor_id: reseller.user.id },
    { estado: 'pendiente_pago', revendedor_id: null },
  ]);
  // A reseller's choice of another reseller has no effect.
  const other = await world.user({ role: 'revendedor' });
  await send([fila(3, pack.id)], reseller, { revendedor_id: other.id });
  const [mine] = (await reseller.call(api.listPedidos, { query: { search: 'Cliente 3' } })).body.data;
  expect(mine).toMatchObject({ revendedor_id: reseller.user.id, estado: 'pendiente_pago' });
});

it('each imported order is offered to carriers in a notice that disappears once the order is assigned', async () => {
  const pack = await world.pack();
  await send([fila(1, pack.id), fila(2, pack.id)], admin);
  const offers = async () =>
    (await sql<{ n: number }>`SELECT count(*)::int AS n FROM notifications WHERE tipo = 'pedido_disponible'`.execute(world.db)).rows[0]?.n;
  expect(await offers()).toBe(2);
  const [first] = (await admin.call(api.listPedidos)).body.data;
  const carrier = await world.user({ role: 'transportista' });
  await admin.call(api.assignTransportista, { params: { id: first?.id ?? '' }, body: { transportista_id: carrier.id } });
  expect(await offers()).toBe(1);
});

it('the check of an import reports totals, missing stock and likely repeats', async () => {
  const scarce = await world.pack({
    pack_price_cents: 1000,
    product_id: (await world.product({ name: 'Miel', stock: 5 })).id,
    pack_quantity: 2,
  });
  const other = await world.as(await world.user({ role: 'revendedor' }));
  await other.call(api.createPedido, { body: fila(7, scarce.id) });
  const there = (await reseller.call(api.createPedido, { body: fila(1, scarce.id, { cliente_telefono: '+34 600 11 22 01' }) })).body.data;
  const filas = [
    fila(1, scarce.id),
    fila(2, scarce.id),
    fila(2, scarce.id),
    fila(7, scarce.id),
    { ...fila(8, scarce.id), cliente_telefono: '' },
  ];
  const { data } = (await reseller.call(checkImport, { body: { filas } })).body;
  expect(data).toEqual({
    total: 50,
    totales: [10, 10, 10, 10, 10],
    faltan: ['Miel: hacen falta 10 unidades y quedan 1'],
    repetidas: [
      { fila: 0, numero_orden: there.numero_orden, como_fila: null },
      { fila: 2, numero_orden: null, como_fila: 1 },
    ],
  });
  expect((await admin.call(api.listPedidos)).body.total).toBe(2);
});

it('an import has at most two thousand rows', async () => {
  const pack = await world.pack({ product_id: (await world.product({ stock: 10_000 })).id, pack_quantity: 1 });
  const filas = Array.from({ length: 2000 }, (_, n) => fila(n, pack.id));
  expect((await send(filas, admin)).body.creados).toBe(2000);
  expect((await send([...filas, fila(1, pack.id)], admin)).body.errors).toEqual({ filas: ['Como máximo 2000 pedidos a la vez'] });
  expect(await balance(world.db, pack.product_id)).toEqual({ stock: 8000, ledger: 8000 });
  expect((await admin.call(api.listPedidos)).body.total).toBe(2000);
});

it('an import by a carrier is refused', async () => {
  const pack = await world.pack();
  expect((await send([fila(1, pack.id)], await world.as('transportista'))).status).toBe(403);
});
