import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deshacerRemesa, listDeEmpresas, recibirDeEmpresa } from '../../contract/caja/caja.ts';
import {
  anularDevolucion,
  createDevolucion,
  listDevoluciones,
  pedirResto,
  reembolsarDevolucion,
} from '../../contract/devoluciones/devoluciones.ts';
import { anotarPago, anularPago, devolverPago, listPagos, reembolsarSobra } from '../../contract/payments/payments.ts';
import { createPedido, getPedido, type Pedido, setEstado, setLineas } from '../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { ajustarStock } from '../../contract/products/products.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import { createWebhook } from '../../contract/webhooks/webhooks.ts';
import type { Client } from '../../test/client.ts';
import { dayInMadrid } from '../../test/day.ts';
import { settled } from '../../test/settled.ts';
import { openReceiver, type Receiver } from '../../test/webhook-receiver.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';
import { shownTo } from './shown.ts';
import { sendDueWebhooks } from './webhooks.job.ts';

/* Events of payments, refunds and stock, from which an accounting program computes the same sums. */

let world: World;
let receiver: Receiver;
let admin: Person;
let carrier: Person;
let books: Client;
beforeAll(async () => {
  [world, receiver] = [await createWorld({ WEBHOOKS_PRIVATE: '1' }), await openReceiver()];
  return async () => {
    await world.close();
    await receiver.close();
  };
});
beforeEach(async () => {
  await world.reset();
  receiver.received.length = 0;
  receiver.answers(204);
  ({ superadmin: admin, transportista: carrier } = await everyRole(world));
  books = await world.program(['evento:read', 'pago:read', 'product:manage']);
  await admin.call(updateSettings, { body: { partialDeliveries: true } });
});

type MoneyEvent = {
  type: string;
  data: { pago?: { importe: number; pedido_id: string }; reembolso?: { importe: number; pedido_id: string } };
};
async function eventsFor(who: Client = books, tipo?: string): Promise<MoneyEvent[]> {
  await settled(world.db);
  const { status, text, body } = await who.call(listEvents, { query: { ...(tipo && { tipo }), limite: 100 } });
  expect(status, text).toBe(200);
  return body.data as MoneyEvent[];
}
/** Returns the sum of an order's payment events, in euros. */
async function sumOf(id: string): Promise<number> {
  const cents = (await eventsFor()).map(({ type, data: { pago, reembolso } }) => {
    if (pago?.pedido_id === id) return Math.round(pago.importe * 100) * (type === 'pago.anotado' ? 1 : -1);
    return reembolso?.pedido_id === id ? -Math.round(reembolso.importe * 100) : 0;
  });
  return cents.reduce((sum, part) => sum + part, 0) / 100;
}
const read = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
/** Returns the money that the shop holds for an order, in euros. */
const kept = async (id: string) => {
  const { pagado, reembolsado } = await read(id);
  return Math.round((pagado - reembolsado) * 100) / 100;
};
async function ordered(cantidad = 3): Promise<Pedido> {
  const pack = await world.pack({ product_id: (await world.product({ stock: 100 })).id, pack_quantity: 2, pack_price_cents: 1000 });
  const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: '612345678' };
  return (await admin.call(createPedido, { body: { ...cliente, pack_id: pack.id, cantidad, envio: 0 } })).body.data as Pedido;
}
const pay = (id: string, importe: number) =>
  admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid(), referencia: 'De Ana' } });
const deliver = async (id: string, faltan: number) => {
  await carrier.call(autoAsignar, { params: { id } });
  await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
  const no_entregado = [{ numero: 1, cantidad: faltan, motivo: 'falta' as const }];
  const body = { estado: 'completado' as const, metodo_entrega: 'manual' as const, no_entregado };
  expect((await carrier.call(setEstado, { params: { id }, body })).status).toBe(200);
};
const returnOf = async (id: string) => (await admin.call(listDevoluciones, { params: { id } })).body.data[0]?.id ?? '';

describe('events of money', () => {
  it('events of money report payments noted and annulled, without texts that people typed', async () => {
    const { id } = await ordered();
    await pay(id, 10);
    await pay(id, 5);
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Era de Ana' } });
    const events = await eventsFor();
    expect(events.filter(({ type }) => type.startsWith('pago.')).map(({ type, data }) => [type, data.pago?.importe])).toEqual([
      ['pago.anotado', 10],
      ['pago.anotado', 5],
      ['pago.anulado', 5],
    ]);
    expect(events.at(-1)?.data).toEqual({
      pago: { id: pago?.id, pedido_id: id, proveedor: 'bizum', estado: 'anulado', importe: 5, fecha: dayInMadrid() },
    });
    expect(JSON.stringify(events)).not.toContain('Ana');
    expect(await sumOf(id)).toBe(await kept(id));
  });

  it('events of money report the refund of a cancelled order once the refund is noted', async () => {
    const { id } = await ordered();
    await pay(id, 30);
    await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
    expect(await eventsFor(books, 'pago.reembolsado')).toEqual([]);
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    await admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: {} });
    expect((await eventsFor(books, 'pago.reembolsado')).map(({ data }) => data)).toEqual([
      { reembolso: { pedido_id: id, pago_id: pago?.id, devolucion_id: null, importe: 30 } },
    ]);
    expect(await sumOf(id)).toBe(0);
  });

  it('events of money report the remittance of a company, and that it is undone; without prices no amount', async () => {
    const { id } = await world.pedido({ contra_reembolso: true, precio_total_cents: 1700, precio_unitario_cents: 1700 });
    const body = { estado: 'completado', metodo_entrega: 'correos', cobrado: 17, cobrado_metodo: 'empresa' } as const;
    expect((await admin.call(setEstado, { params: { id }, body })).status).toBe(200);
    const cobros = (await admin.call(listDeEmpresas)).body.data.map((cobro) => cobro.id);
    const fecha = dayInMadrid();
    await admin.call(recibirDeEmpresa, { body: { empresa: 'Correos', cobros, recibido: 16, comision: 1, fecha, referencia: 'LIQ Ana' } });
    const [remesa] = (await admin.call(listDeEmpresas)).body.remesas;
    await admin.call(deshacerRemesa, { params: { id: remesa?.id ?? '' } });
    const events = (await eventsFor()).filter(({ type }) => type.startsWith('remesa.'));
    const data = {
      remesa: { id: remesa?.id ?? '', numero: 1, empresa: 'Correos', fecha, cobros: 1, recibido: 16, comision: 1, aparte: 0 },
    };
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['remesa.recibida', data],
      ['remesa.deshecha', data],
    ]);
    expect(shownTo(SISTEMA, data, { at: '', con_precios: false })).toEqual({
      remesa: { ...data.remesa, recibido: null, comision: null, aparte: null },
    });
  });

  it('events of money add up to the money held, whatever the deliveries, refunds and returns', async () => {
    const { id } = await ordered(5);
    await pay(id, 50);
    await deliver(id, 2);
    await admin.call(reembolsarDevolucion, { params: { id: await returnOf(id) }, body: { reembolso: 5, referencia: null } });
    expect([await sumOf(id), await kept(id)]).toEqual([45, 45]);
    const { data: rest } = (await admin.call(pedirResto, { params: { id: await returnOf(id) } })).body;
    expect([await sumOf(id), await kept(id)]).toEqual([30, 30]);
    expect([await sumOf(rest.id), await kept(rest.id)]).toEqual([15, 15]);
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    const back = await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'otro', reembolso: 10 } });
    expect([await sumOf(id), await kept(id)]).toEqual([20, 20]);
    await admin.call(anularDevolucion, { params: { id: back.body.data.id }, body: { motivo: 'Error' } });
    expect([await sumOf(id), await kept(id)]).toEqual([30, 30]);
    await admin.call(setEstado, { params: { id: rest.id }, body: { estado: 'cancelado' } });
    await admin.call(anularDevolucion, { params: { id: await partial(id) }, body: { motivo: 'Se entregó todo' } });
    expect([await sumOf(id), await kept(id), await sumOf(rest.id)]).toEqual([50, 50, 0]);

    const over = await ordered(3);
    await pay(over.id, 30);
    const { lineas: lines = [] } = await read(over.id);
    const body = { lineas: lines.map(({ numero, pack_id }) => ({ numero, pack_id, cantidad: 1 })), version: (await read(over.id)).version };
    expect((await admin.call(setLineas, { params: { id: over.id }, body: body as never })).status).toBe(200);
    await admin.call(reembolsarSobra, { params: { id: over.id }, body: { importe: 20, referencia: null } });
    expect([await sumOf(over.id), await kept(over.id)]).toEqual([10, 10]);
  });
  const partial = async (id: string) =>
    (await admin.call(listDevoluciones, { params: { id } })).body.data.find(({ motivo }) => motivo === 'entrega_parcial')?.id ?? '';

  it('events of money are hidden without permission, and have no amount in a webhook without prices', async () => {
    const few = await world.program(['evento:read', 'pedido:read']);
    await admin.call(createWebhook, { body: { url: receiver.url, eventos: ['pago.anotado'], con_precios: false } });
    await pay((await ordered()).id, 10);
    expect((await eventsFor(few)).map(({ type }) => type)).not.toContain('pago.anotado');
    expect((await few.call(listEvents, { query: { tipo: 'pago.anotado' } })).status).toBe(403);
    await sendDueWebhooks(world.db, world.config);
    expect(receiver.received.map(({ body }) => (body as MoneyEvent).data.pago?.importe)).toEqual([null]);
  });
});

it('events of stock name each movement, and add up to the stock', async () => {
  const { id } = await ordered(3);
  await admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
  const { id: product_id } = await world.db.selectFrom('products').select('id').executeTakeFirstOrThrow();
  await admin.call(ajustarStock, { params: { id: product_id }, body: { unidades: -4, nota: 'Rotas' } as never });
  const moves = (await eventsFor(books, 'stock.movido')).map(
    ({ data }) => data as { producto?: { unidades: number; motivo: string; stock: number } },
  );
  expect(moves.map(({ producto }) => [producto?.unidades, producto?.motivo, producto?.stock])).toEqual([
    [-6, 'pedido', 94],
    [6, 'devolucion', 100],
    [-4, 'ajuste', 96],
  ]);
});
