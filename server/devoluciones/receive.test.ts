import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import {
  anularDevolucion,
  listDevoluciones,
  listPorRecibir,
  recibirDevolucion,
  recibirMercancia,
} from '../../contract/devoluciones/devoluciones.ts';
import type { MotivoParte } from '../../contract/devoluciones/fields.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { createPedido, deletePedido, getHistorial, getPedido, restorePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { atencionStats } from '../../contract/stats/stats.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { balance } from '../../test/ledger.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

/* Undelivered goods on their way back (decision 092). */

let world: World;
let admin: Person;
let reseller: Person;
let carrier: Person;
let pack: Awaited<ReturnType<World['pack']>>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
  await admin.call(updateSettings, { body: { partialDeliveries: true } });
  pack = await world.pack({ product_id: (await world.product({ stock: 1000 })).id, pack_quantity: 6 });
});

async function delivered(motivo: MotivoParte, who = carrier) {
  const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: 10 };
  const { id } = (await admin.call(createPedido, { body })).body.data;
  if (who === carrier) {
    await carrier.call(autoAsignar, { params: { id } });
    await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
  }
  const done = { estado: 'completado' as const, metodo_entrega: 'manual' as const, no_entregado: [{ numero: 1, cantidad: 9, motivo }] };
  const { status, body: answer } = await who.call(setEstado, { params: { id }, body: done });
  expect(status, answer.message).toBe(200);
  return { ...((await admin.call(listDevoluciones, { params: { id } })).body.data[0] ?? expect.fail('no return')), pedido: id };
}
const receive = (id: string, body: { destino: 'stock' | 'baja'; motivo?: string } = { destino: 'stock' }, who = admin) =>
  who.call(recibirDevolucion, { params: { id }, body });
const stock = async () => (await balance(world.db, pack.product_id)).stock;
const agrees = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);
const waiting = async () => (await admin.call(listPorRecibir)).body.data;

it.each(['rechazado', 'falta'] as const)('goods left out as «%s» return to the stock once the office receives them', async (motivo) => {
  const { id, pedido, lineas } = await delivered(motivo);
  const before = await stock();
  expect([before, lineas[0]?.destino]).toEqual([940, 'camino']);
  expect(await waiting()).toMatchObject([
    { id, pedido_id: pedido, transportista_nombre: carrier.user.full_name, lineas: [{ cantidad: 9 }] },
  ]);
  expect((await admin.call(atencionStats)).body.data).toMatchObject({ mercancia: 1 });
  await agrees();
  const replies = await Promise.all([receive(id), receive(id)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect([await stock(), await waiting()]).toEqual([994, []]);
  const [entry] = (await admin.call(getHistorial, { params: { id: pedido } })).body.data;
  expect(entry).toMatchObject({ accion: 'Mercancía recibida', nota: expect.stringContaining('9 × ') });
  await agrees();
});

it('goods that never came are written off with a reason, and their carrier is notified', async () => {
  const { id } = await delivered('rechazado');
  expect((await receive(id, { destino: 'baja' })).status).toBe(422);
  expect((await receive(id, { destino: 'baja', motivo: 'No ha traído nada' })).status).toBe(200);
  expect(await stock()).toBe(940);
  const [notice] = (await carrier.call(listNotifications)).body.data;
  expect(notice).toMatchObject({ tipo: 'diferencia_entrega', texto: expect.stringContaining('No ha traído nada') });
  await agrees();
});

it('only the office receives goods, and not after the return is annulled', async () => {
  const { id } = await delivered('rechazado');
  expect((await receive(id, { destino: 'stock' }, carrier)).status).toBe(403);
  expect((await receive(id, { destino: 'stock' }, reseller)).status).toBe(403);
  expect((await admin.call(anularDevolucion, { params: { id }, body: { motivo: 'Era otra' } })).status).toBe(200);
  expect([(await receive(id)).status, await waiting()]).toEqual([409, []]);
  await agrees();
});

it('goods of an order delivered by the office return to the stock at once', async () => {
  const { lineas } = await delivered('rechazado', admin);
  expect([lineas[0]?.destino, await stock(), await waiting()]).toEqual(['stock', 994, []]);
});

describe('an order that ends while its goods are out', () => {
  const DAY = new Date().toISOString();
  const order = (fields: object = {}) =>
    world.pedido({ pack, estado: 'en_ruta', transportista_id: carrier.user.id, revendedor_id: reseller.user.id, ...fields });
  const cancel = (id: string) => admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
  const back = (id: string, body: { destino: 'stock' | 'baja'; motivo?: string } = { destino: 'stock' }, who = admin) =>
    who.call(recibirMercancia, { params: { id }, body });
  const situation = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data.situacion?.id;

  it.each([
    ['on the road', {}, true],
    ['loaded', { estado: 'asignado', cargado_at: DAY }, true],
    ['with a company', { estado: 'pendiente', transportista_id: null, en_empresa: 'Correos', en_empresa_at: DAY }, true],
    ['refused at the door', { estado: 'asignado', incidencia_at: DAY, motivo: 'Rechazado por el cliente' }, true],
    ['assigned', { estado: 'asignado' }, false],
    ['prepared', { estado: 'en_proceso' }, false],
    ['collected by its customer', { estado: 'asignado', incidencia_at: DAY, recoge_at: DAY }, false],
  ] as const)('of one %s the office is told that goods come back, or not', async (_, fields, isOut) => {
    const { id } = await order(fields);
    expect((await cancel(id)).status).toBe(200);
    expect([await situation(id), (await waiting()).length]).toEqual(isOut ? ['cancelado_fuera', 1] : ['cancelado', 0]);
    expect((await admin.call(atencionStats)).body.data.mercancia).toBe(isOut ? 1 : 0);
    expect((await back(id)).status).toBe(isOut ? 200 : 409);
    expect([await situation(id), await waiting()]).toEqual(['cancelado', []]);
    expect((await back(id)).status).toBe(409);
    await agrees();
  });

  it('what never comes leaves the stock, with a reason, and its carrier is told; nobody else may say so', async () => {
    const { id } = await order();
    await cancel(id);
    const before = await stock();
    expect((await back(id, { destino: 'baja' })).status).toBe(422);
    expect([(await back(id, undefined, carrier)).status, (await back(id, undefined, reseller)).status]).toEqual([403, 403]);
    expect((await back(id, { destino: 'baja', motivo: 'Se ha roto' })).status).toBe(200);
    expect(await stock()).toBe(before - 6);
    expect((await carrier.call(listNotifications)).body.data.map(({ texto }) => texto).join()).toContain('Se ha roto');
    await agrees();
  });

  it('a deleted one is listed too, until it is received or restored, and a reopened one expects nothing any more', async () => {
    const [deleted, cancelled] = [await order(), await order()];
    await admin.call(deletePedido, { params: { id: deleted.id } });
    await cancel(cancelled.id);
    expect(new Set((await waiting()).map(({ pedido_id }) => pedido_id))).toEqual(new Set([deleted.id, cancelled.id]));
    expect((await back(deleted.id)).status).toBe(200);
    expect((await waiting()).map(({ pedido_id }) => pedido_id)).toEqual([cancelled.id]);
    await admin.call(restorePedido, { params: { id: deleted.id } });
    await admin.call(deletePedido, { params: { id: deleted.id } });
    expect(await waiting()).toHaveLength(2);
    await admin.call(restorePedido, { params: { id: deleted.id } });
    const reopened = await admin.call(deshacerPaso, { params: { id: cancelled.id }, body: { paso: 'reabrir', motivo: 'Error' } });
    expect([reopened.status, await waiting()]).toEqual([200, []]);
    await agrees();
  });
});
