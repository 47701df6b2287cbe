import { beforeEach, expect, it } from 'vitest';
import { createDevolucion, recibirMercancia } from '../../contract/devoluciones/devoluciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { getHistorial, setEstado } from '../../contract/pedidos/pedidos.ts';
import { balance } from '../../test/ledger.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../test/roles-world.ts';
import { mailed, withMail } from '../../test/told.ts';

/* Who is told of goods that come back, or do not, and in which words. */

worldForEachTest();
beforeEach(() => withMail(world));

it('a return is told to the reseller of its order, in the app and by mail', async () => {
  const { id, numero_orden, cliente_nombre } = await world.pedido({ estado: 'completado', revendedor_id: reseller.user.id });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'baja' as const }];
  const back = () => admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento' } });
  expect(await mailed(world, back)).toContain(reseller.user.email);
  const [notice] = (await reseller.call(listNotifications)).body.data;
  expect(notice).toMatchObject({
    tipo: 'devolucion',
    texto: `Devolución del pedido ${numero_orden} (${cliente_nombre})`,
    enlace: `/mis-pedidos?search=${numero_orden}`,
  });
});

it.each([
  ['stock', undefined, 'Mercancía recibida', '2 × Producto (vuelve al stock)', 0],
  ['stock', 'Todo bien', 'Mercancía recibida', '2 × Producto (vuelve al stock). Todo bien', 0],
  ['baja', 'Se rompió', 'Mercancía dada de baja', '2 × Producto (se da de baja). Se rompió', -2],
] as const)('goods of a cancelled order that the office takes as %s (%s) are noted so', async (destino, motivo, accion, nota, moved) => {
  const pack = await world.pack({ product_id: (await world.product({ stock: 10 })).id, pack_quantity: 1 });
  const order = await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, pack, cantidad: 2 });
  await world.db.updateTable('pedidos').set({ cargado_at: new Date().toISOString() }).where('id', '=', order.id).execute();
  expect((await admin.call(setEstado, { params: { id: order.id }, body: { estado: 'cancelado' } })).status).toBe(200);
  const before = (await balance(world.db, pack.product_id)).stock;
  const receive = (body: { destino: 'stock' | 'baja'; motivo?: string | undefined }) =>
    admin.call(recibirMercancia, { params: { id: order.id }, body: body as { destino: 'stock' } });
  if (destino === 'baja') expect((await receive({ destino })).body.errors).toEqual({ motivo: ['Indica por qué no vuelve al stock'] });
  let status = 0;
  const mails = await mailed(world, async () => {
    status = (await receive({ destino, motivo })).status;
  });
  expect([status, mails]).toEqual([200, destino === 'baja' ? [carrier.user.email] : []]);
  const [step] = (await admin.call(getHistorial, { params: { id: order.id } })).body.data;
  const { producto } = await world.db
    .selectFrom('pedidos_lineas')
    .select('producto')
    .where('pedido_id', '=', order.id)
    .executeTakeFirstOrThrow();
  expect([step?.accion, step?.nota?.toLowerCase()]).toEqual([accion, nota.replace('Producto', producto).toLowerCase()]);
  expect((await balance(world.db, pack.product_id)).stock - before).toBe(moved);
  expect((await receive({ destino: 'stock' })).body.message).toBe('De este pedido no hay nada por recibir');
  if (destino !== 'baja') return;
  const [notice] = (await carrier.call(listNotifications)).body.data;
  expect(notice).toMatchObject({
    tipo: 'diferencia_entrega',
    texto: `${admin.user.full_name} no ha recibido 2 × ${producto} de ${order.numero_orden}: Se rompió`,
    enlace: `/pedidos-asignados?estado=cancelado&search=${order.numero_orden}`,
  });
});
