import { beforeAll, beforeEach, expect, it } from 'vitest';
import { anularDevolucion, listDevoluciones, listPorRecibir, recibirDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import type { MotivoParte } from '../../contract/devoluciones/fields.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { createPedido, getHistorial, setEstado } from '../../contract/pedidos/pedidos.ts';
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
