import { beforeAll, beforeEach, expect, it } from 'vitest';
import { calcularTotal, createPedido, setLineas } from '../../contract/pedidos/pedidos.ts';
import { deletePrecio, listPrecios, setPrecio } from '../../contract/products/precios.ts';
import { listPacks } from '../../contract/products/products.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let reseller: Person;
let other: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  reseller = await world.as('revendedor');
  other = await world.as(await world.user({ role: 'revendedor' }));
});

const customer = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1' };
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const price = (id: string, precio: number, desde = day(-1), who = reseller) =>
  admin.call(setPrecio, { params: { id }, body: { revendedor_id: who.user.id, desde, precio } });
const total = async (pack_id: string, who = reseller, revendedor_id?: string) =>
  (await who.call(calcularTotal, { body: { pack_id, ...(revendedor_id && { revendedor_id }) } })).body.data.total;

it('only the reseller concerned sees and pays a reseller’s price', async () => {
  const pack = await world.pack({ pack_price_cents: 2000 });
  expect((await price(pack.id, 17.5)).body).toMatchObject({ message: 'Precio guardado', data: { precio: 17.5, vigente: true } });
  const shown = async (who: Person) => (await who.call(listPacks)).body.data.map(({ pack_price }) => pack_price);
  expect([await shown(reseller), await shown(other), await shown(admin)]).toEqual([[17.5], [20], [20]]);
  expect([await total(pack.id), await total(pack.id, other), await total(pack.id, admin, reseller.user.id)]).toEqual([17.5, 20, 17.5]);
  // A reseller cannot get another reseller's price by naming that reseller.
  expect(await total(pack.id, other, reseller.user.id)).toBe(20);
  const { data } = (await reseller.call(createPedido, { body: { ...customer, pack_id: pack.id, cantidad: 2 } })).body;
  expect(data).toMatchObject({ precio_unitario: 17.5, precio_total: 35 });
  const forThem = await admin.call(createPedido, { body: { ...customer, pack_id: pack.id, revendedor_id: reseller.user.id } });
  expect(forThem.body.data.precio_total).toBe(17.5);
});

it('the latest price that has begun is in force, and a price for the same day replaces the old price', async () => {
  const pack = await world.pack({ pack_price_cents: 2000 });
  await price(pack.id, 15, day(-30));
  await price(pack.id, 16, day(-2));
  await price(pack.id, 99, day(3));
  expect(await total(pack.id)).toBe(16);
  await price(pack.id, 14, day(-2));
  expect(await total(pack.id)).toBe(14);
  const { data } = (await admin.call(listPrecios, { params: { id: pack.id } })).body;
  expect(data.map(({ precio, vigente }) => [precio, vigente])).toEqual([
    [99, false],
    [14, true],
    [15, false],
  ]);
});

it('deleting a reseller’s price affects only quantities and lines added later', async () => {
  const pack = await world.pack({ pack_price_cents: 2000 });
  const { id: priceId } = (await price(pack.id, 10)).body.data;
  const { id } = (await reseller.call(createPedido, { body: { ...customer, pack_id: pack.id } })).body.data;
  expect((await admin.call(deletePrecio, { params: { id: priceId } })).status).toBe(200);
  const changed = await reseller.call(setLineas, { params: { id }, body: { lineas: [{ numero: 1, cantidad: 2 }, { pack_id: pack.id }] } });
  expect(changed.body.data?.lineas?.map(({ precio_total }) => precio_total)).toEqual([10, 20, 20]);
});

it('prices of resellers are set by superadmins only, and for resellers only', async () => {
  const pack = await world.pack();
  const carrier = await world.user({ role: 'transportista' });
  const body = { revendedor_id: carrier.id, desde: day(0), precio: 1 };
  expect((await admin.call(setPrecio, { params: { id: pack.id }, body })).body.errors).toEqual({
    revendedor_id: ['Ese revendedor no existe'],
  });
  expect((await reseller.call(setPrecio, { params: { id: pack.id }, body })).status).toBe(403);
  expect((await reseller.call(listPrecios, { params: { id: pack.id } })).status).toBe(403);
  expect((await admin.call(deletePrecio, { params: { id: pack.id } })).status).toBe(404);
});
