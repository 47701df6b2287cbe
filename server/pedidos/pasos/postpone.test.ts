import { describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { aplazarEntrega, getPago } from '../../../contract/pagar/pagar.ts';
import { ESTADOS, type Estado } from '../../../contract/pedidos/estados.ts';
import { aplazarPedido, getHistorial, getPedido } from '../../../contract/pedidos/pedidos.ts';
import { addDays, dayInMadrid } from '../../../test/day.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import { postponePedido } from './incident.ts';

/* Postponed deliveries, at the customer's wish. */

worldForEachTest();

const onItsWay = async (estado: Estado = 'en_ruta') => {
  const taken = ['asignado', 'en_proceso', 'en_ruta', 'completado'].includes(estado);
  const row = await world.pedido({ estado, revendedor_id: reseller.user.id, ...(taken && { transportista_id: carrier.user.id }) });
  return { id: row.id, token: row.pago_token ?? '' };
};
const seen = async (token: string) => (await world.nobody().call(getPago, { params: { token } })).body.data;
const asked = (token: string, body: { dia: string; nota?: string }) => world.nobody().call(aplazarEntrega, { params: { token }, body });
const notices = async (who: Person) =>
  (await who.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'entrega_aplazada').map(({ texto }) => texto);
const dayOf = async (token: string, n: number) => (await seen(token)).dias_posibles[n] ?? '';

it('the day chosen by a customer is notified once to carrier, reseller and office', async () => {
  const { id, token } = await onItsWay();
  const dia = await dayOf(token, 2);
  expect((await asked(token, { dia, nota: 'Mejor por la tarde' })).status).toBe(200);
  expect((await asked(token, { dia, nota: 'Mejor por la tarde' })).status).toBe(200);
  const page = await seen(token);
  expect(page.aviso).toMatch(/^Entregar el \S+ \d+ de \S+\. Mejor por la tarde$/);
  expect(dayInMadrid(page.fecha_estimada ?? '')).toBe(dia);
  for (const who of [admin, reseller, carrier]) expect(await notices(who)).toHaveLength(1);
  expect((await carrier.call(getPedido, { params: { id } })).body.data).toMatchObject({ aviso_cliente: page.aviso });
  const { data } = (await admin.call(getHistorial, { params: { id } })).body;
  expect(data.filter(({ accion }) => accion === 'El cliente pide otro día')).toHaveLength(1);
});

it('a second choice of day replaces the notice of the first', async () => {
  const { token } = await onItsWay();
  await asked(token, { dia: await dayOf(token, 1) });
  await asked(token, { dia: await dayOf(token, 3) });
  expect(await notices(carrier)).toHaveLength(1);
});

it.each(ESTADOS)('the delivery day can be changed only while the order is to be delivered (%s)', async (estado) => {
  const open = ['pendiente', 'asignado', 'en_proceso', 'en_ruta'].includes(estado);
  const { id, token } = await onItsWay(estado);
  expect((await seen(token)).dias_posibles).toHaveLength(open ? 10 : 0);
  const dia = await dayOf((await onItsWay()).token, 0);
  expect((await asked(token, { dia })).status).toBe(open ? 200 : 409);
  const again = await admin.call(aplazarPedido, { params: { id }, body: { dia, nota: 'Llamó' } });
  expect(again.status).toBe(open ? 200 : 409);
});

describe('a delivery day', () => {
  it.each([
    ['today', 0],
    ['yesterday', -1],
    ['in a year', 365],
  ])('a delivery day is refused if it is %s', async (_, days) => {
    const { token } = await onItsWay();
    const { status, body } = await asked(token, { dia: addDays(dayInMadrid(), days) });
    expect([status, body.errors]).toEqual([422, { dia: ['Elige uno de los próximos días de reparto'] }]);
    expect(await notices(carrier)).toEqual([]);
  });

  it('a delivery day is neither offered nor accepted on a weekend', async () => {
    const { token } = await onItsWay();
    const days = (await seen(token)).dias_posibles;
    const weekday = (dia: string) => new Date(dia).getUTCDay();
    expect(days.every((dia) => weekday(dia) > 0 && weekday(dia) < 6)).toBe(true);
    const saturday = [1, 2, 3, 4, 5, 6, 7].map((n) => addDays(dayInMadrid(), n)).find((dia) => weekday(dia) === 6) ?? '';
    expect((await asked(token, { dia: saturday })).status).toBe(422);
  });

  it('a delivery day can be changed five times by the link, and then only by the office', async () => {
    const { id, token } = await onItsWay();
    for (let n = 0; n < 5; n++) expect((await asked(token, { dia: await dayOf(token, n) })).status).toBe(200);
    expect((await asked(token, { dia: await dayOf(token, 6) })).status).toBe(409);
    // The office can still change the day.
    expect((await admin.call(aplazarPedido, { params: { id }, body: { dia: await dayOf(token, 6) } })).status).toBe(200);
  });
});

it.each(['link', 'office'] as const)('the same day chosen several times concurrently is recorded and notified once (%s)', async (way) => {
  const { id, token } = await onItsWay();
  const body = { dia: await dayOf(token, 1), nota: 'De viaje' };
  const ask = () => (way === 'link' ? asked(token, body) : admin.call(aplazarPedido, { params: { id }, body }));
  expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const { data } = (await admin.call(getHistorial, { params: { id } })).body;
  expect(data.filter(({ accion }) => accion === 'El cliente pide otro día')).toHaveLength(1);
  expect(await notices(carrier)).toHaveLength(1);
});

it('a stale version cannot postpone an order', async () => {
  const { id, token } = await onItsWay();
  const body = { dia: await dayOf(token, 1), version: 1 };
  const at = { params: { id } };
  expect((await admin.call(aplazarPedido, { ...at, body })).status).toBe(200);
  expect((await admin.call(aplazarPedido, { ...at, body: { ...body, dia: await dayOf(token, 2) } })).status).toBe(409);
});

it('an order with blocked data cannot be postponed, by the office or the customer', async () => {
  const { id, token } = await onItsWay();
  const body = { dia: await dayOf(token, 1) };
  await world.db.updateTable('pedidos').set({ bloqueado_at: new Date().toISOString() }).where('id', '=', id).execute();
  expect([(await admin.call(aplazarPedido, { params: { id }, body })).status, (await asked(token, body)).status]).toEqual([409, 409]);
});

it('postponePedido checks the permission, independently of the route', async () => {
  const { id, token } = await onItsWay();
  const wish = { dia: await dayOf(token, 1), nota: null };
  await expect(postponePedido(world.db, carrier.user, id, wish)).rejects.toMatchObject({ status: 403 });
});

it('a reseller can postpone only own orders, and a carrier none', async () => {
  const { id, token } = await onItsWay('asignado');
  const body = { dia: await dayOf(token, 1), nota: 'Está de viaje' };
  const params = { id };
  const other = await world.as(await world.user({ role: 'revendedor' }));
  expect((await other.call(aplazarPedido, { params, body })).status).toBe(404);
  expect((await carrier.call(aplazarPedido, { params, body })).status).toBe(403);
  expect((await reseller.call(aplazarPedido, { params, body })).status).toBe(200);
  expect(await notices(reseller)).toEqual([]);
  expect(await notices(carrier)).toHaveLength(1);
  expect((await asked('no-es-una-llave', body)).status).toBe(404);
});
