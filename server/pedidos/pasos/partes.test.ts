import { beforeEach, describe, expect, it } from 'vitest';
import { getAbierta, setGanancia } from '../../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { setEstado } from '../../../contract/pedidos/pedidos.ts';
import { balance } from '../../../test/ledger.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';

/* Deliveries that leave goods out, as the step books them. */

worldForEachTest();

const set = (data: object) =>
  world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ companyEmail: 'hola@almazara.es', smtpHost: '127.0.0.1', ...data }) as never })
    .execute();
beforeEach(() => set({ partialDeliveries: true }));

type Parte = { numero: number; cantidad: number; motivo: 'rechazado' | 'falta' | 'danado' };
const part = (numero: number, cantidad: number, motivo: Parte['motivo'] = 'rechazado'): Parte => ({ numero, cantidad, motivo });

/** An order of three packs of two units at 12,50 € each, with further lines of these products without stock. */
const order = async (more: object = {}, products: string[] = []) => {
  const pack = await world.pack();
  const { id, numero_orden, cliente_nombre } = await world.pedido({
    estado: 'en_ruta',
    transportista_id: carrier.user.id,
    revendedor_id: reseller.user.id,
    cantidad: 3,
    pack,
    ...more,
  });
  for (const [i, producto] of products.entries())
    await world.db
      .insertInto('pedidos_lineas')
      .values({
        pedido_id: id,
        numero: i + 2,
        product_id: null,
        pack_id: null,
        producto,
        cantidad: 2,
        precio_unitario_cents: 0,
        precio_total_cents: 0,
      })
      .execute();
  await world.db
    .updateTable('pedidos')
    .set({ cantidad: 3 + 2 * products.length })
    .where('id', '=', id)
    .execute();
  return { id, numero_orden, cliente_nombre, stock: async () => (await balance(world.db, pack.product_id)).stock };
};
const deliver = (id: string, no_entregado: Parte[], who: Person = carrier) =>
  who.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado } });
const row = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const returned = (id: string) =>
  world.db
    .selectFrom('devoluciones_lineas as l')
    .innerJoin('devoluciones as d', 'd.id', 'l.devolucion_id')
    .select(['l.numero', 'l.cantidad', 'l.destino', 'l.unidades', 'l.motivo'])
    .where('d.pedido_id', '=', id)
    .orderBy('l.numero')
    .execute();
const messages = async (who: Person) =>
  (await who.call(listNotifications)).body.data
    .filter(({ texto }) => texto.includes('Entrega parcial'))
    .map(({ tipo, texto, enlace }) => [tipo, texto, enlace]);

describe('where goods go that are left out', () => {
  it.each<[string, object, Parte, string, number, boolean]>([
    ['refused, with a carrier', {}, part(1, 1), 'camino', 0, true],
    ['forgotten, with a carrier', {}, part(1, 1, 'falta'), 'camino', 0, true],
    ['damaged, with a carrier', {}, part(1, 1, 'danado'), 'baja', 0, false],
    ['without stock, with a carrier', {}, part(2, 1), 'baja', 0, false],
    ['refused, without a carrier', { estado: 'pendiente', transportista_id: null }, part(1, 2), 'stock', 4, false],
    ['damaged, without a carrier', { estado: 'pendiente', transportista_id: null }, part(1, 1, 'danado'), 'baja', 0, false],
  ])('%s', async (_, more, parte, destino, unidades, areExpected) => {
    const { id, stock } = await order(more, ['Por encargo']);
    const before = await stock();
    const { status, text } = await deliver(id, [parte], admin);
    expect(status, text).toBe(200);
    expect(await returned(id)).toEqual([{ numero: parte.numero, cantidad: parte.cantidad, destino, unidades, motivo: parte.motivo }]);
    expect((await stock()) - before).toBe(unidades);
    const { unidades_retenidas, entrega_parcial, cantidad_devuelta, devuelto_cents, mercancia_at } = await row(id);
    expect([unidades_retenidas, entrega_parcial, cantidad_devuelta]).toEqual([6 - unidades, true, parte.cantidad]);
    expect([devuelto_cents, mercancia_at !== null]).toEqual([parte.numero === 1 ? 1250 * parte.cantidad : 0, areExpected]);
  });

  it('goods of several lines are summed, and expected back if some are on their way', async () => {
    const { id } = await order({}, ['Por encargo']);
    await deliver(id, [part(1, 1, 'danado'), part(1, 1), part(2, 2, 'falta')]);
    const { cantidad_devuelta, devuelto_cents, mercancia_at } = await row(id);
    expect([cantidad_devuelta, devuelto_cents, mercancia_at !== null]).toEqual([4, 2500, true]);
  });
});

describe('a delivery that leaves goods out', () => {
  it('is refused unless the shop delivers in parts, or for goods that are not in the order', async () => {
    const { id } = await order();
    const refusal = async (partes: Parte[]) => {
      const { status, body } = await deliver(id, partes);
      return status === 200 ? 200 : body.errors;
    };
    expect(await refusal([part(1, 4)])).toEqual({ no_entregado: ['No puede faltar más de lo que se pidió'] });
    expect(await refusal([part(2, 1)])).toEqual({ no_entregado: ['Esa línea ya no está en el pedido'] });
    await set({ partialDeliveries: false });
    expect(await refusal([part(1, 1)])).toEqual({ no_entregado: ['Las entregas parciales no están activadas en Configuración'] });
    expect(await refusal([])).toBe(200);
    expect(await row(id)).toMatchObject({ entrega_parcial: false, cantidad_devuelta: 0, mercancia_at: null });
  });

  it('has a note of at most a thousand characters, and notices of three hundred', async () => {
    const { id, numero_orden } = await order(
      {},
      ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => name.repeat(200)),
    );
    await deliver(
      id,
      [2, 3, 4, 5, 6, 7].map((numero) => part(numero, 1)),
    );
    const { nota } = await world.db
      .selectFrom('pedidos_historial')
      .select('nota')
      .where('pedido_id', '=', id)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow();
    expect([nota?.slice(0, 21), nota?.length]).toEqual(['No entregado: 1 × AAA', 1000]);
    for (const who of [admin, reseller]) {
      const [[, texto] = []] = await messages(who);
      expect([texto?.startsWith(`Entrega parcial del pedido ${numero_orden}`), texto?.length]).toEqual([true, 300]);
    }
  });

  it('is told to reseller and office, but not to its author, if nothing is owed', async () => {
    const { id, numero_orden, cliente_nombre } = await order({}, ['Por encargo']);
    const other = await world.as(await world.user({ role: 'superadmin' }));
    await deliver(id, [part(2, 1), part(1, 1, 'danado')], admin);
    const { producto } = await world.db
      .selectFrom('pedidos_lineas')
      .select('producto')
      .where('pedido_id', '=', id)
      .where('numero', '=', 1)
      .executeTakeFirstOrThrow();
    const texto = `Entrega parcial del pedido ${numero_orden} (${cliente_nombre}). No entregado: 1 × Por encargo (no lo quiere); 1 × ${producto} (está dañado)`;
    expect(await messages(admin)).toEqual([]);
    expect(await messages(other)).toEqual([['devolucion', texto, `/pedidos/${id}`]]);
    expect(await messages(reseller)).toEqual([['devolucion', texto, `/mis-pedidos?search=${numero_orden}`]]);
    const mails = await world.db.selectFrom('outbox').select(['recipient', 'payload']).where('channel', '=', 'correo').execute();
    const about = mails.filter(({ payload }) => JSON.stringify(payload).includes('Entrega parcial')).map(({ recipient }) => recipient);
    expect(about.sort()).toEqual([other.user.email, reseller.user.email].sort());
  });

  it('is told to its author too, if a refund is owed', async () => {
    const { id } = await order();
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'bizum', referencia: '', importe_cents: 3750, estado: 'pagado' })
      .execute();
    await deliver(id, [part(1, 1)], admin);
    expect(await messages(admin)).toEqual([
      ['devolucion_pendiente', expect.stringMatching(/^Reembolso pendiente\. Entrega parcial del pedido/), `/pedidos/${id}`],
    ]);
    expect(await messages(reseller)).toEqual([['devolucion', expect.stringMatching(/^Entrega parcial del pedido/), expect.anything()]]);
  });

  it('pays no commission for what is left out', async () => {
    await admin.call(setGanancia, { params: { id: reseller.user.id }, body: { margen: { tipo: 'porcentaje', valor: 10 } } });
    const { id } = await order();
    await deliver(id, [part(1, 1)]);
    expect((await reseller.call(getAbierta)).body.personas[0]?.total).toBe(2.5);
  });
});
