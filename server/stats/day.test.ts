import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import { createEnvio } from '../../contract/envios/envios.ts';
import { DIA_FILTER, DIAS, type Dia, dayPlace } from '../../contract/pedidos/day.ts';
import { EN_MANOS } from '../../contract/pedidos/estados.ts';
import * as api from '../../contract/pedidos/pedidos.ts';
import { getRuta } from '../../contract/ruta/ruta.ts';
import { hoyStats, transportistaStats, transportistasStats } from '../../contract/stats/stats.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { nextWorkingDays } from '../pedidos/lectura/promised.ts';

/* A day of twenty orders and three carriers: after each step the office, its lists, the carriers and their telephones count the same. */

let world: World;
let admin: Person;
let carriers: Person[];
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  carriers = [];
  for (let i = 0; i < 3; i += 1) carriers.push(await world.as(await world.user({ role: 'transportista' })));
  const data = { shipmentFiles: true, dayRoute: true, partialDeliveries: true, cashOnDelivery: true };
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(data) as never })
    .execute();
});

const at = (days: number) => `${addDays(dayInMadrid(), days)}T11:00:00Z`;
type Figures = Record<Dia, number>;
const NONE: Figures = { toca: 0, calle: 0, hecho: 0, decidir: 0 };
const only = ({ toca, calle, hecho, decidir }: Figures): Figures => ({ toca, calle, hecho, decidir });

/** The day of one carrier as the office's list counts it. */
async function inLists(transportista_id?: string): Promise<Figures> {
  const whose = transportista_id ? { transportista_id } : {};
  const total = async (dia: Dia) => (await admin.call(api.listPedidos, { query: { ...DIA_FILTER[dia], ...whose } })).body.total;
  const counts = await Promise.all(DIAS.map(async (dia) => [dia, await total(dia)] as const));
  return Object.fromEntries(counts) as Figures;
}

/** Orders of a carrier's list, current and finished. */
async function onTelephone(carrier: Person): Promise<api.PedidoTransportista[]> {
  const read = async (estado: string) =>
    (await carrier.call(api.listPedidos, { query: { estado, per_page: 100, con: 'lineas' } })).body.data;
  return [...(await read(EN_MANOS.join(','))), ...(await read('completado'))] as api.PedidoTransportista[];
}

async function compare(step: string): Promise<void> {
  const { dia } = (await admin.call(hoyStats)).body.data;
  const shown = (id: string) => only(dia.find(({ transportista_id }) => transportista_id === id) ?? ({ ...NONE } as never));
  expect([step, shown('sin')]).toEqual([step, await inLists('sin')]);
  const done = (await admin.call(transportistasStats, { query: { periodo: 'hoy' } })).body.data;
  for (const carrier of carriers) {
    const { id } = carrier.user;
    const office = shown(id);
    expect([step, await inLists(id)]).toEqual([step, office]);
    const own = (await carrier.call(transportistaStats)).body.data;
    expect([step, own.hoy, own.completadasHoy]).toEqual([step, office, office.hecho]);
    const orders = await onTelephone(carrier);
    const places = orders.map((order) => dayPlace(order, { now: new Date(), zone: 'Europe/Madrid' }));
    for (const place of DIAS) expect([step, place, places.filter((each) => each === place).length]).toEqual([step, place, office[place]]);
    expect([step, done.find(({ transportista_id }) => transportista_id === id)?.completados ?? 0]).toEqual([step, office.hecho]);
    // Stops of the route are what is due or out, and what may leave another day.
    const stops = new Set((await carrier.call(getRuta)).body.data.paradas.map((stop) => stop.id));
    for (const [i, order] of orders.entries())
      if (places[i] === 'toca' || places[i] === 'calle') expect([step, stops.has(order.id)]).toEqual([step, true]);
    expect([step, stops.size >= office.toca + office.calle]).toEqual([step, true]);
  }
  const all = DIAS.map((place) => [place, dia.reduce((sum, row) => sum + row[place], 0)] as const);
  expect([step, Object.fromEntries(all)]).toEqual([step, await inLists()]);
}

test('the same figures everywhere, after each step of a day', async () => {
  const place = { cliente_codigo_postal: '45001', cliente_ciudad: 'Toledo' };
  const ids: string[] = [];
  // Late, for today, for Monday, without a date.
  for (let i = 0; i < 20; i += 1)
    ids.push(
      (
        await world.pedido({
          ...{ ...place, contra_reembolso: i % 3 === 0, cantidad: i === 7 ? 2 : 1 },
          fecha_estimada: i % 5 === 4 ? null : at([-2, 0, 0, 3][i % 4] ?? 0),
        })
      ).id,
    );
  const params = (i: number) => ({ id: ids[i] as string });
  const carrier = (i: number) => carriers[i % 3] as Person;
  const ok = ({ status, body }: { status: number; body: unknown }) =>
    expect([status, status < 300 ? '' : body]).toEqual([expect.any(Number), '']);
  const move = async (i: number, estado: string, more: object = {}) =>
    ok(await carrier(i).call(api.setEstado, { params: params(i), body: { estado, ...more } as never }));
  const cash = async (i: number, who: Person) => {
    const { data } = (await who.call(api.getPedido, { params: params(i) })).body;
    const due = (data as api.PedidoTransportista).por_cobrar;
    return due ? { cobrado: due, cobrado_metodo: 'efectivo' } : {};
  };
  const deliver = async (i: number) => move(i, 'completado', { metodo_entrega: 'manual', ...(await cash(i, carrier(i))) });

  await compare('nobody has anything');
  expect((await inLists()).toca).toBeGreaterThan(8);
  for (let i = 0; i < 18; i += 1)
    ok(await admin.call(api.assignTransportista, { params: params(i), body: { transportista_id: carrier(i).user.id } }));
  await compare('eighteen are assigned');
  ok(await admin.call(createEnvio, { body: { plantilla: 'correos', ids: [ids[18] as string], aunque_tenga_envio: false } }));
  await compare('one is with a company');
  for (let i = 0; i < 12; i += 1) await move(i, 'en_ruta');
  await compare('twelve have left, two too early');
  expect((await inLists()).calle).toBe(12);
  ok(await carrier(3).call(deshacerPaso, { params: params(3), body: { paso: 'volver_de_ruta', motivo: null } }));
  await compare('one is back in the warehouse');
  for (const i of [0, 1, 2, 4]) await deliver(i);
  await compare('four are delivered');
  await move(7, 'completado', { metodo_entrega: 'manual', no_entregado: [{ numero: 1, cantidad: 1, motivo: 'rechazado' }] });
  await compare('one is delivered in part');
  expect((await inLists()).hecho).toBe(5);
  await move(5, 'asignado', { motivo: 'Rechazado por el cliente', llamado: 'nadie' });
  await compare('one is refused at the door');
  expect((await inLists()).decidir).toBe(1);
  await move(6, 'asignado', { motivo: 'Ausente', llamado: 'nadie' });
  await compare('one was absent');
  ok(
    await admin.call(api.responderIncidencia, {
      params: params(5),
      body: { respuesta: 'otro_dia', dia: (await nextWorkingDays(world.db, 1))[0] } as never,
    }),
  );
  await compare('the one refused gets another day');
  await move(6, 'en_ruta');
  await deliver(6);
  await compare('the absent one is delivered on a second round');
  ok(await admin.call(deshacerPaso, { params: params(4), body: { paso: 'deshacer_entrega', motivo: 'Era otro' } }));
  await compare('a delivery is taken back');
  ok(await admin.call(api.assignTransportista, { params: params(13), body: { transportista_id: carriers[0]?.user.id ?? null } }));
  await compare('one changes its carrier');
  ok(await admin.call(api.setEstado, { params: params(14), body: { estado: 'cancelado' } }));
  ok(await admin.call(api.deletePedido, { params: params(15) }));
  await compare('one is cancelled, one deleted');
});
