import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPedido, duplicatePedido, getHistorial, getPedido, setEstado, updatePedido } from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { addDays, dayInMadrid } from '../../../test/day.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';
import { promisedDate } from './promised.ts';

let world: World;
let admin: Person;
let reseller: Person;
let pack_id: string;
const customer = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1' };
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller } = await everyRole(world));
  pack_id = (await world.pack()).id;
});

const days = (deliveryDays: number) => admin.call(updateSettings, { body: { deliveryDays } });
const dayOf = async (id: string) => {
  const { fecha_estimada } = (await admin.call(getPedido, { params: { id } })).body.data;
  return fecha_estimada && dayInMadrid(fecha_estimada);
};
const fromNow = async () => dayInMadrid((await world.db.selectNoFrom(promisedDate().as('at')).executeTakeFirstOrThrow()).at);
const created = async (who: Person, more: object = {}) =>
  (await who.call(createPedido, { body: { ...customer, pack_id, ...more } })).body.data;
const pay = (id: string) => admin.call(setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TRF' } });
const LATER = addDays(dayInMadrid(), 90);

it.each([
  ['2026-11-20T10:00:00Z', 1, '2026-11-23'],
  ['2026-11-20T10:00:00Z', 5, '2026-11-27'],
  // This instant is already Saturday in Madrid.
  ['2026-11-20T23:30:00Z', 1, '2026-11-23'],
  ['2026-12-04T10:00:00Z', 2, '2026-12-09'],
  ['2026-12-24T10:00:00Z', 5, '2027-01-04'],
  ['2027-01-05T10:00:00Z', 1, '2027-01-07'],
  ['2026-04-01T10:00:00Z', 2, '2026-04-06'],
  ['2026-11-20T10:00:00Z', 30, '2027-01-07'],
])('an order paid at %s with %d working days is promised for %s', async (from, n, day) => {
  await days(n);
  const { at } = await world.db.selectNoFrom(promisedDate(from).as('at')).executeTakeFirstOrThrow();
  expect(dayInMadrid(at)).toBe(day);
  expect(new Date(at).toISOString()).toMatch(/T11:00:00|T10:00:00/);
});

describe('the promised date', () => {
  it('the promised date counts from the payment, and is empty before the payment', async () => {
    const { id } = await created(reseller);
    expect(await dayOf(id)).toBeNull();
    await days(4);
    await pay(id);
    expect(await dayOf(id)).toBe(await fromNow());
    const [paid] = (await admin.call(getHistorial, { params: { id } })).body.data;
    expect(paid?.cambios.fecha_estimada).toEqual([null, expect.any(String)]);
  });

  it('an automatic promised date is recalculated at the payment', async () => {
    const { id } = await created(reseller);
    await sql`UPDATE pedidos SET fecha_estimada = '2026-01-20T11:00:00Z' WHERE id = ${id}`.execute(world.db);
    await pay(id);
    expect(await dayOf(id)).toBe(await fromNow());
  });

  it('the promised date counts from the creation of an order that need not be paid first', async () => {
    expect(await dayOf((await created(admin)).id)).toBe(await fromNow());
  });

  it('the promised date stays as set by a superadmin', async () => {
    const pedido = await created(admin, { estado: 'pendiente_pago', fecha_estimada: LATER });
    await pay(pedido.id);
    expect(await dayOf(pedido.id)).toBe(LATER);

    const { id } = await created(reseller);
    const edited = await admin.call(updatePedido, { params: { id }, body: { ...customer, fecha_estimada: LATER } });
    expect(edited.status, edited.body.message).toBe(200);
    await pay(id);
    expect(await dayOf(id)).toBe(LATER);
    expect(await dayOf((await admin.call(duplicatePedido, { params: { id } })).body.data.id)).toBe(await fromNow());
  });

  it('the promised date stays when an edit omits the date, and can be removed', async () => {
    const { id } = await created(admin);
    const edit = (more: object) => admin.call(updatePedido, { params: { id }, body: { ...customer, ...more } });
    await edit({ instrucciones: 'Llamar antes' });
    expect(await dayOf(id)).toBe(await fromNow());
    await edit({ fecha_estimada: null });
    expect(await dayOf(id)).toBeNull();
  });

  it('the promised date cannot be set by resellers, nor once the order is completed', async () => {
    const { id } = await created(reseller, { fecha_estimada: LATER });
    expect(await dayOf(id)).toBeNull();
    const body = { ...customer, fecha_estimada: LATER };
    expect((await reseller.call(updatePedido, { params: { id }, body })).status).toBe(403);
    const done = await world.pedido({ estado: 'completado' });
    expect((await admin.call(updatePedido, { params: { id: done.id }, body })).status).toBe(409);
  });
});
