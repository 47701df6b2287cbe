import { beforeEach, describe, expect, it } from 'vitest';
import * as api from '../../contract/caja/caja.ts';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import { createDevolucion, reembolsarDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createEnvio } from '../../contract/envios/envios.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { listPagos } from '../../contract/payments/payments.ts';
import { deletePedido, getPedido, type Pedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { anonimizar } from '../../contract/privacidad/privacidad.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid } from '../../test/day.ts';
import { admin, world, worldForEachTest } from '../../test/roles-world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';

/* A company's sheet of remittance: what agrees is booked at once, of every other row somebody says what it is, and the books agree after each. */

worldForEachTest();
beforeEach(async () => {
  await admin.call(updateSettings, { body: { cashOnDelivery: true, shipmentFiles: true } });
});

type Fila = BodyIn<typeof api.leerRemesa>['filas'][number];
type Order = { id: string; numero_orden: string };
const toCollect = (cents = 1700, more = {}): Promise<Order> =>
  world.pedido({ contra_reembolso: true, precio_total_cents: cents, precio_unitario_cents: cents, ...more });
/** An order that a company has delivered and collected. */
async function collected(cents = 1700, metodo_entrega: 'correos' | 'mrw' = 'correos'): Promise<Order> {
  const order = await toCollect(cents);
  const body = { estado: 'completado', metodo_entrega, cobrado: cents / 100, cobrado_metodo: 'empresa' } as const;
  expect((await admin.call(setEstado, { params: { id: order.id }, body })).status).toBe(200);
  return order;
}
const row = ({ numero_orden }: Order, importe = 17, more: Partial<Fila> = {}): Fila => ({
  referencia: numero_orden,
  seguimiento: null,
  importe,
  ...more,
});
const check = async (filas: Fila[]) => {
  const { status, text, body } = await admin.call(api.comprobarRemesa, { body: { empresa: 'Correos', filas } });
  expect(status, text).toBe(200);
  return body.data.map(({ clase }) => clase);
};
const read = (filas: Fila[], more = {}, by = admin) =>
  by.call(api.leerRemesa, { body: { empresa: 'Correos', filas, fecha: dayInMadrid(), referencia: 'LIQ-1', ...more } });
const money = async () => (await admin.call(api.listDeEmpresas)).body;
const remesa = async () => (await money()).remesas[0] ?? expect.fail('no remittance');
const see = async ({ id }: Order) => (await admin.call(getPedido, { params: { id } })).body.data as Pedido;
const estadosOf = async ({ id }: Order) =>
  (await admin.call(listPagos, { params: { id } })).body.data.map(({ estado, importe }) => `${importe} ${estado}`).toSorted();
const agree = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);

describe('a remittance by its sheet', () => {
  it('what agrees is received, with the commission of the rows and of the whole, and undone whole', async () => {
    const [a, b] = [await collected(), await collected(500)];
    expect(await check([row(a), row(b, 5)])).toEqual(['exacta', 'exacta']);
    const reply = await read([row(a, 17, { comision: 0.5 }), row(b, 5, { comision: 0.25 })], { comision: 1 });
    expect(reply.body.message).toBe('Recibido de Correos: 20,25\u00a0€ de 2 cobros');
    expect(await remesa()).toMatchObject({ recibido: 20.25, comision: 1.75, cobros: 2, referencia: 'LIQ-1', aparte: [] });
    await agree();
    await admin.call(api.deshacerRemesa, { params: { id: (await remesa()).id } });
    expect((await money()).data).toHaveLength(2);
    await agree();
  });

  it('a row that does not agree and of which nobody says what it is refuses the whole', async () => {
    const [a, b] = [await collected(), await collected()];
    const reply = await read([row(a), row(b, 16)]);
    expect([reply.status, reply.body.message]).toEqual([409, expect.stringContaining(`Fila 2 (${b.numero_orden})`)]);
    expect((await read([row(a, 17, { forma: 'apuntar' }), row(b, 16, { forma: 'aparte' })])).status).toBe(409);
    expect((await money()).data).toHaveLength(2);
  });

  it('two persons who read one file at once receive it once', async () => {
    const order = await collected();
    const colleague = await world.as(await world.user({ role: 'superadmin' }));
    const both = await Promise.all([read([row(order)]), read([row(order)], {}, colleague)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await money()).remesas).toHaveLength(1);
    expect(await check([row(order)])).toEqual(['ya_pagada']);
    expect((await read([row(order, 17, { forma: 'fuera' })])).status).toBe(409);
    await agree();
  });

  it('less is its commission, or what it collected: then the order owes the rest', async () => {
    const [a, b] = [await collected(), await collected()];
    await read([row(a, 16, { forma: 'comision' }), row(b, 16, { forma: 'apuntar' })]);
    expect(await remesa()).toMatchObject({ recibido: 32, comision: 1, cobros: 2 });
    expect([await see(a), await see(b)].map(({ pendiente }) => pendiente)).toEqual([0, 1]);
    expect(await estadosOf(b)).toEqual(['16 pagado', '17 anulado']);
    await agree();
  });

  it('more is put apart, or is owed back to the customer', async () => {
    const [a, b] = [await collected(), await collected()];
    await read([row(a, 18, { forma: 'aparte' }), row(b, 18, { forma: 'apuntar' })]);
    const { aparte, recibido } = await remesa();
    expect([recibido, aparte]).toEqual([36, [{ referencia: a.numero_orden, importe: 1, motivo: expect.stringContaining('paga 18') }]]);
    expect([await see(a), await see(b)].map(({ por_reembolsar }) => por_reembolsar)).toEqual([0, 1]);
    await agree();
  });

  it('rows of nothing, of an order that nobody collected, and twice are put apart or left out', async () => {
    const [a, paid] = [await collected(), await world.pedido({ estado: 'completado' })];
    const filas = [row(a), row(a), row(paid, 5), { referencia: 'XX-77', seguimiento: null, importe: 3 }];
    expect(await check(filas)).toEqual(['exacta', 'repetida', 'sin_cobro', 'desconocida']);
    await read(filas.map((fila, i) => ({ ...fila, ...(i > 0 && ({ forma: i === 1 ? 'fuera' : 'aparte' } as const)) })));
    expect(await remesa()).toMatchObject({ recibido: 25, cobros: 1, aparte: [{ importe: 5 }, { referencia: 'XX-77', importe: 3 }] });
    await agree();
  });

  it('an order of another company becomes this one’s, and one that was not delivered is', async () => {
    const [other, open] = [await collected(900, 'mrw'), await toCollect(800)];
    expect(await check([row(other, 9), row(open, 8)])).toEqual(['otra_empresa', 'sin_entregar']);
    expect((await read([row(other, 9, { forma: 'apuntar' }), row(open, 8, { forma: 'apuntar' })])).status).toBe(200);
    expect(await see(open)).toMatchObject({ estado: 'completado', pendiente: 0, metodo_entrega: 'correos', empresa_transporte: 'correos' });
    expect([(await money()).data, (await remesa()).recibido]).toEqual([[], 17]);
    await agree();
  });
});

describe('crooked ways', () => {
  it('the company takes back what it paid for an order refused at the door: the order owes again', async () => {
    const [refused, next] = [await collected(), await collected(5000)];
    await read([row(refused)]);
    await read([row(next, 50), row(refused, -17, { forma: 'apuntar' })]);
    expect(await remesa()).toMatchObject({ recibido: 33, aparte: [{ referencia: refused.numero_orden, importe: -17 }] });
    expect([(await see(refused)).pendiente, await estadosOf(refused)]).toEqual([17, ['17 devuelto']]);
    await agree();
    // Its delivery is taken back afterwards: the customer never had that money.
    const body = { paso: 'deshacer_entrega', motivo: 'No lo quiso', version: (await see(refused)).version } as const;
    expect((await admin.call(deshacerPaso, { params: { id: refused.id }, body })).status).toBe(200);
    expect([(await see(refused)).estado, (await see(refused)).por_reembolsar]).toEqual(['pendiente', 0]);
    await agree();
  });

  it('a delivery taken back before its reversal arrives owes the money, until the reversal says that it is gone', async () => {
    const [refused, next] = [await collected(), await collected(5000)];
    await read([row(refused)]);
    const body = { paso: 'deshacer_entrega', motivo: 'No lo quiso', version: (await see(refused)).version } as const;
    await admin.call(deshacerPaso, { params: { id: refused.id }, body });
    expect(await estadosOf(refused)).toEqual(['17 devolucion_pendiente']);
    await read([row(next, 50), row(refused, -17, { forma: 'apuntar' })]);
    expect(await estadosOf(refused)).toEqual(['17 devuelto']);
    await agree();
  });

  it('a payment and its reversal in one file are nothing, and more taken back than paid is refused', async () => {
    const [refused, next] = [await collected(), await collected(500)];
    const filas = [row(refused, -17, { forma: 'apuntar' }), row(refused), row(next, 5)];
    expect(await check(filas)).toEqual(['negativa', 'exacta', 'exacta']);
    await read(filas);
    expect(await remesa()).toMatchObject({ recibido: 5, cobros: 1, aparte: [] });
    expect([(await see(refused)).pendiente, (await money()).data]).toEqual([17, []]);
    await agree();
    expect((await read([row(next, -5, { forma: 'apuntar' })])).body.message).toContain('descuenta más de lo que paga');
    expect(await estadosOf(next)).toEqual(['5 pagado']);
  });

  it('orders deleted and anonymised between delivery and remittance are received all the same', async () => {
    const [gone, secret] = [await collected(), await collected(900)];
    await admin.call(deletePedido, { params: { id: gone.id } });
    const erased = await admin.call(anonimizar, { body: { pedidos: [secret.id], motivo: 'Lo pide', confirmacion: 'ANONIMIZAR' } });
    expect(erased.status, erased.text).toBe(200);
    expect(await check([row(gone), row(secret, 9)])).toEqual(['exacta', 'exacta']);
    expect((await read([row(gone), row(secret, 9)])).status).toBe(200);
    expect((await money()).data).toEqual([]);
    await agree();
  });

  it('a delivery taken back between delivery and remittance is of an order that waits', async () => {
    const order = await collected();
    const body = { paso: 'deshacer_entrega', motivo: 'Era otro', version: (await see(order)).version } as const;
    await admin.call(deshacerPaso, { params: { id: order.id }, body });
    expect(await check([row(order)])).toEqual(['sin_entregar']);
    await admin.call(setEstado, { params: { id: order.id }, body: { estado: 'cancelado' } });
    expect(await check([row(order)])).toEqual(['sin_cobro']);
    await read([row(order, 17, { forma: 'aparte' })]);
    expect(await remesa()).toMatchObject({ recibido: 17, cobros: 0, aparte: [{ importe: 17 }] });
    await agree();
  });

  it('a remittance of January brings the payments of December, whose day stays', async () => {
    const order = await collected();
    await world.db.updateTable('pagos').set({ fecha: '2025-12-29' }).execute();
    await read([row(order)], { fecha: '2026-01-08' });
    expect((await remesa()).fecha).toBe('2026-01-08');
    expect((await admin.call(listPagos, { params: { id: order.id } })).body.data.map(({ fecha }) => fecha)).toEqual(['2025-12-29']);
    await agree();
  });

  it('goods that come back after the remittance are owed back by the shop, also when the remittance is undone and read again', async () => {
    const order = await collected();
    await read([row(order)]);
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    const back = await admin.call(createDevolucion, { params: { id: order.id }, body: { lineas, motivo: 'desistimiento' } });
    expect(back.status, back.text).toBe(201);
    const owes = { cobro_empresa: 0, por_reembolsar: 17, situacion: { id: 'por_reembolsar' } };
    expect(await see(order)).toMatchObject(owes);
    expect(await remesa()).toMatchObject({ recibido: 17, cobros: 1 });
    await agree();
    await admin.call(api.deshacerRemesa, { params: { id: (await remesa()).id } });
    expect(await see(order)).toMatchObject({ ...owes, cobro_empresa: 17 });
    await agree();
    expect(await check([row(order)])).toEqual(['exacta']);
    await read([row(order)]);
    expect(await see(order)).toMatchObject(owes);
    // The shop has paid the customer back: the company takes nothing back from it.
    const refund = { reembolso: 17 };
    const paid = await admin.call(reembolsarDevolucion, { params: { id: back.body.data.id }, body: refund });
    expect(paid.status, paid.text).toBe(200);
    expect(await check([row(order, -17)])).toEqual(['negativa']);
    expect((await see(order)).por_reembolsar).toBe(0);
    await agree();
  });

  it('the sheet of a company that has nothing can be opened', async () => {
    expect((await money()).sin_deuda).toEqual([]);
    const plain = await world.pedido();
    await admin.call(createEnvio, { body: { plantilla: 'seur', ids: [plain.id] } });
    expect((await money()).sin_deuda).toEqual([]);
    const waiting = await toCollect();
    await admin.call(createEnvio, { body: { plantilla: 'seur', ids: [waiting.id] } });
    expect((await money()).sin_deuda).toEqual(['SEUR']);
    const order = await collected();
    expect((await money()).sin_deuda).toEqual(['SEUR']);
    await read([row(order)]);
    expect((await money()).sin_deuda).toEqual(['Correos', 'SEUR']);
    await admin.call(api.deshacerRemesa, { params: { id: (await remesa()).id } });
    expect((await money()).sin_deuda).toEqual(['SEUR']);
  });
});

it('of 200 orders with ten crooked rows 95 in 100 close by themselves, ten are asked, and the books agree', async () => {
  const pedidos: Order[] = [];
  for (let n = 0; n < 200; n += 1) pedidos.push(await toCollect(1000 + n, { estado: 'completado' }));
  await world.db
    .insertInto('pagos')
    .values(
      pedidos.map(({ id }, n) => ({
        ...{ pedido_id: id, proveedor: 'empresa', empresa: n === 9 ? 'MRW' : 'Correos', referencia: '' },
        ...{ importe_cents: 1000 + n, estado: 'pagado' as const, al_entregar: true },
      })),
    )
    .execute();
  const late = await toCollect(700);
  const exact = pedidos.map((order, n) => row(order, (1000 + n) / 100, { comision: 0.1 }));
  const crooked = [
    { ...exact[0], importe: 9.9 },
    { ...exact[1], importe: 10.5 },
    { ...exact[2], referencia: 'NO-HAY-1' },
    { ...exact[3], referencia: 'NO-HAY-2' },
    exact[9],
    exact[10],
    row(late, 7),
    { ...exact[4], importe: 9 },
    { ...exact[5], importe: -10.05 },
    { ...exact[6], importe: 12 },
  ] as Fila[];
  const filas = [...exact.filter((_, n) => ![0, 1, 2, 3, 4, 6, 9].includes(n)), ...crooked];
  const { body } = await admin.call(api.comprobarRemesa, { body: { empresa: 'Correos', filas } });
  const asked = body.data.filter(({ clase }) => clase !== 'exacta');
  expect([asked.length, (filas.length - asked.length) / filas.length]).toEqual([10, expect.closeTo(0.95, 1)]);
  const answered = filas.map((fila, i) => ({ ...fila, ...(body.data[i]?.formas[0] && { forma: body.data[i].formas[0] }) }));
  const reply = await read(answered);
  expect(reply.status, reply.text).toBe(200);
  // What the company has not paid is still with it.
  expect((await money()).data.map(({ numero_orden }) => numero_orden).toSorted()).toEqual(
    [2, 3].map((n) => pedidos[n]?.numero_orden).toSorted(),
  );
  await agree();
});
