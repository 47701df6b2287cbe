import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { deshacerPaso, verDeshacer } from '../../contract/deshacer/deshacer.ts';
import { listDevoluciones, reembolsarDevolucion, retenerDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anotarPago, devolverPago, listPagos } from '../../contract/payments/payments.ts';
import { assignTransportista, createPedido, getPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import type { ReversalName } from '../../contract/pedidos/reversals.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid } from '../../test/day.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import type { Person } from '../../test/world.ts';
import { settleAll } from '../facturables/settle.ts';

/* Steps taken back a cent, a second or a unit to each side of an edge. */

worldForEachTest();

const undo = (id: string, paso: ReversalName, { by = admin, motivo = 'Por error' }: { by?: Person; motivo?: string | null } = {}) =>
  by.call(deshacerPaso, { params: { id }, body: { paso, motivo } });
const preview = async (id: string, by = admin) => (await by.call(verDeshacer, { params: { id } })).body.data;
const words = async (id: string) => (await preview(id)).consecuencias.slice(1).map((each) => each.replace(/\s/g, ' '));
const see = async (id: string) => (await admin.call(getPedido, { params: { id } })).body.data;
const step = async (id: string, estado: string, more: object = {}, by = admin) =>
  expect((await by.call(setEstado, { params: { id }, body: { estado, ...more } as never })).status).toBe(200);
const pay = async (id: string, importe: number) =>
  expect((await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid() } })).status).toBe(201);
const cancel = (id: string) => step(id, 'cancelado', { motivo: 'Por error' });
/** Moves the last step of an order back by seconds. */
const age = (id: string, seconds: number) =>
  sql`UPDATE pedidos_historial SET created_at = created_at - make_interval(secs => ${seconds}) WHERE pedido_id = ${id}`.execute(world.db);

/** Units of every order of `world.pedido`. */
const UNITS = 'Vuelve a reservar 2 unidades del stock';

it('a departure wants a reason only after sixty minutes', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  await step(id, 'en_ruta', {}, carrier);
  await age(id, 59 * 60 + 30);
  expect((await preview(id, carrier)).con_motivo).toBe(false);
  await age(id, 60);
  expect([(await preview(id, carrier)).con_motivo, (await preview(id)).con_motivo]).toEqual([true, false]);
  expect((await undo(id, 'volver_de_ruta', { by: carrier, motivo: null })).status).toBe(422);
});

it('a carrier takes a delivery back until the minutes of the settings are over', async () => {
  for (const [seconds, status] of [
    [14 * 60 + 40, 200],
    [15 * 60 + 20, 409],
  ] as const) {
    const { id } = await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id });
    await step(id, 'completado', { metodo_entrega: 'manual' }, carrier);
    await age(id, seconds);
    expect((await undo(id, 'deshacer_entrega', { by: carrier })).status).toBe(status);
  }
});

it('the last step is taken back, not one before it, and not one of another order', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  const other = await world.pedido({ estado: 'en_proceso', transportista_id: carrier.user.id });
  await step(id, 'en_ruta', {}, carrier);
  await step(id, 'asignado', { motivo: 'No estaba', paso: 'fallar' }, carrier);
  await step(id, 'en_proceso', {}, carrier);
  await step(id, 'en_ruta', {}, carrier);
  await step(other.id, 'en_ruta', {}, carrier);
  expect((await preview(id)).vuelve_a).toBe('en_proceso');
  expect((await undo(id, 'volver_de_ruta')).status).toBe(200);
  expect([(await see(id)).estado, (await see(other.id)).estado]).toEqual(['en_proceso', 'en_ruta']);
});

it.each([
  [0, 'No queda nada por cobrar', 'pendiente'],
  [0.01, 'Quedan por cobrar 0,01 €', 'pendiente_pago'],
] as const)('an order cancelled with %s € to pay is reopened as %s', async (missing, sentence, estado) => {
  const { id } = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 2000 });
  await pay(id, 20 - missing);
  await cancel(id);
  expect(await words(id)).toEqual([
    `Los ${missing ? '19,99' : '20,00'} € que había que devolver vuelven a pagar el pedido`,
    sentence,
    UNITS,
  ]);
  expect((await preview(id)).vuelve_a).toBe(estado);
  expect((await undo(id, 'reabrir')).status).toBe(200);
  expect(await see(id)).toMatchObject({ estado, pendiente: missing });
});

it('an order that the office had released unpaid is released again, unless a cent of its money was refunded', async () => {
  const make = () => world.pedido({ estado: 'pendiente', precio_total_cents: 2000 });
  const [unpaid, refunded, cash] = [await make(), await make(), await world.pedido({ estado: 'pendiente', contra_reembolso: true })];
  await pay(refunded.id, 0.01);
  for (const { id } of [unpaid, refunded, cash]) await cancel(id);
  expect(await words(unpaid.id)).toEqual(['Quedan por cobrar 20,00 €', UNITS]);
  const [pago] = (await admin.call(listPagos, { params: { id: refunded.id } })).body.data;
  await admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: { nota: null } });
  const back = [];
  for (const { id } of [unpaid, refunded, cash]) back.push((await preview(id)).vuelve_a);
  expect(back).toEqual(['pendiente', 'pendiente_pago', 'pendiente']);
});

it.each([
  [1, 'Vuelve a reservar 1 unidad del stock'],
  [2, 'Vuelve a reservar 2 unidades del stock'],
] as const)('an order of %i unit is reopened with it, at the day that was fixed', async (cantidad, sentence) => {
  const pack = await world.pack({ pack_quantity: 1 });
  const body = { pack_id: pack.id, cantidad, cliente_nombre: 'Ana', cliente_direccion: 'C 1', fecha_estimada: '2031-02-03' };
  const { id } = (await admin.call(createPedido, { body })).body.data;
  const { fecha_estimada } = await see(id);
  await cancel(id);
  expect(await words(id)).toEqual([expect.stringContaining('Quedan por cobrar'), sentence]);
  expect((await undo(id, 'reabrir')).status).toBe(200);
  expect(await see(id)).toMatchObject({ fecha_estimada, unidades_retenidas: cantidad, transportista_id: null });
});

it('a delivery whose missing goods were refunded, or kept by the shop, by a cent is not taken back', async () => {
  await admin.call(updateSettings, { body: { partialDeliveries: true } as never });
  const pack = await world.pack({ pack_price_cents: 1000 });
  const partly = async () => {
    const body = { pack_id: pack.id, cantidad: 3, cliente_nombre: 'Ana', cliente_direccion: 'C 1' };
    const { id } = (await admin.call(createPedido, { body })).body.data;
    await pay(id, 30);
    await step(id, 'completado', { metodo_entrega: 'manual', no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] });
    return { id, devolucion: (await admin.call(listDevoluciones, { params: { id } })).body.data[0]?.id ?? '' };
  };
  const [refunded, kept, open] = [await partly(), await partly(), await partly()];
  const back = { params: { id: refunded.devolucion }, body: { reembolso: 0.01, referencia: null } };
  expect((await admin.call(reembolsarDevolucion, back)).status).toBe(200);
  const keep = { params: { id: kept.devolucion }, body: { importe: 0.01, motivo: 'Porte' } };
  expect((await admin.call(retenerDevolucion, keep)).status).toBe(200);
  const message = 'Lo que no se entregó ya se ha reembolsado o retenido: anula antes esa devolución';
  for (const { id } of [refunded, kept]) {
    expect((await preview(id)).rechazo).toBe(message);
    expect(await undo(id, 'deshacer_entrega')).toMatchObject({ status: 409, body: { message } });
  }
  expect(await words(open.id)).toContain('Lo que no se entregó vuelve a formar parte del pedido');
  expect((await undo(open.id, 'deshacer_entrega')).status).toBe(200);
});

it('of a payment that was refunded in part only the rest counts again, and other orders keep what they owe', async () => {
  const make = () => world.pedido({ estado: 'pendiente', precio_total_cents: 2000 });
  const [order, other] = [await make(), await make()];
  for (const { id } of [order, other]) await pay(id, 20);
  await sql`UPDATE pagos SET devuelto_cents = 500 WHERE pedido_id = ${order.id}`.execute(world.db);
  for (const { id } of [order, other]) await cancel(id);
  expect(await words(order.id)).toEqual([
    'Los 15,00 € que había que devolver vuelven a pagar el pedido',
    'Quedan por cobrar 5,00 €',
    UNITS,
  ]);
  expect((await undo(order.id, 'reabrir')).status).toBe(200);
  expect(await see(order.id)).toMatchObject({ estado: 'pendiente_pago', pagado: 15, pendiente: 5 });
  const estados = async ({ id }: { id: string }) => (await admin.call(listPagos, { params: { id } })).body.data.map(({ estado }) => estado);
  expect([await estados(order), await estados(other)]).toEqual([['pagado'], ['devolucion_pendiente']]);
});

it('money at the door is annulled while it is unchecked, and owed once the office has found it at the terminal', async () => {
  await admin.call(updateSettings, { body: { cashOnDelivery: true } as never });
  const delivered = async () => {
    const { id } = await world.pedido({
      ...{ estado: 'en_ruta' as const, transportista_id: carrier.user.id, contra_reembolso: true, precio_total_cents: 2500 },
    });
    await step(id, 'completado', { metodo_entrega: 'manual', cobrado: 25, cobrado_metodo: 'tarjeta' }, carrier);
    return id;
  };
  const [open, checked] = [await delivered(), await delivered()];
  await sql`UPDATE pagos SET comprobado_at = now() WHERE pedido_id = ${checked}`.execute(world.db);
  expect((await words(open))[0]).toBe(`Los 25,00 € (Tarjeta (datáfono)) salen de lo cobrado por ${carrier.user.full_name}`);
  expect((await words(checked))[0]).toBe('Los 25,00 € (Tarjeta (datáfono)) ya están en la oficina: quedan por devolver');
  expect((await preview(checked, carrier)).rechazo).toMatch(/pide a la oficina/);
  for (const id of [open, checked]) expect((await undo(id, 'deshacer_entrega')).status).toBe(200);
  const estados = async (id: string) => (await admin.call(listPagos, { params: { id } })).body.data.map(({ estado }) => estado);
  expect([await estados(open), await estados(checked)]).toEqual([['anulado'], ['devolucion_pendiente']]);
});

it('what was earned is reversed once each time, of that delivery alone, and nobody who earned nothing is named', async () => {
  const tarifas = [{ zona: 'peninsula' as const, entrega: 3, intento: 1 }];
  expect((await admin.call(setGanancia, { params: { id: carrier.user.id }, body: { tarifas } })).status).toBe(200);
  const make = () => world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id, cliente_codigo_postal: '28013' });
  const [order, other] = [await make(), await make()];
  const done = { metodo_entrega: 'manual' };
  await step(other.id, 'completado', done, carrier);
  const earned = async (id: string) =>
    (
      await sql<{ cents: number }>`SELECT cents FROM ganancias WHERE pedido_id = ${id} ORDER BY created_at, cents DESC`.execute(world.db)
    ).rows.map(({ cents }) => Number(cents));
  for (let i = 0; i < 2; i += 1) {
    await step(order.id, 'completado', done, carrier);
    expect(await words(order.id)).toEqual([`Se anula lo que ganan con ella ${carrier.user.full_name}`]);
    expect((await undo(order.id, 'deshacer_entrega')).status).toBe(200);
  }
  expect([await earned(order.id), await earned(other.id)]).toEqual([[300, -300, 300, -300], [300]]);
  const { id } = await world.pedido({ estado: 'en_ruta', transportista_id: (await world.user({ role: 'transportista' })).id });
  await step(id, 'completado', done);
  expect(await words(id)).toEqual([]);
});

it('a delivery gives back the reason of the last attempt of its order, and what an older version had not kept', async () => {
  const make = () => world.pedido({ estado: 'asignado', transportista_id: carrier.user.id });
  const [order, other] = [await make(), await make()];
  const fail = async (id: string, motivo: string) => {
    await step(id, 'en_ruta', {}, carrier);
    await step(id, 'asignado', { motivo, paso: 'fallar' }, carrier);
  };
  await fail(order.id, 'Ausente');
  await fail(order.id, 'Sin timbre');
  await fail(other.id, 'Otra calle');
  await step(order.id, 'en_ruta', {}, carrier);
  await step(order.id, 'completado', { metodo_entrega: 'mrw', numero_seguimiento: 'MRW9' }, carrier);
  await sql`UPDATE pedidos_historial SET antes = NULL WHERE pedido_id = ${order.id}`.execute(world.db);
  expect((await undo(order.id, 'deshacer_entrega')).status).toBe(200);
  expect(await see(order.id)).toMatchObject({ estado: 'en_ruta', motivo: 'Sin timbre', metodo_entrega: null, numero_seguimiento: null });
});

it('a stale answer, and a time that the office says, are refused; an order with nothing to take back says nothing', async () => {
  const { id, version } = await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id });
  await step(id, 'completado', { metodo_entrega: 'manual' }, carrier);
  const send = (more: object) =>
    admin.call(deshacerPaso, { params: { id }, body: { paso: 'deshacer_entrega', motivo: 'Por error', ...more } as never });
  expect((await send({ version: version + 7 })).status).toBe(409);
  expect(await send({ ocurrido: new Date().toISOString() })).toMatchObject({
    status: 422,
    body: { errors: { ocurrido: [expect.stringContaining('transportista')] } },
  });
  const open = await world.pedido();
  expect(await preview(open.id)).toEqual({ paso: null, vuelve_a: null, con_motivo: false, consecuencias: [], rechazo: null });
});

it('what was collected by the office is annulled in nobody’s name', async () => {
  await admin.call(updateSettings, { body: { cashOnDelivery: true } as never });
  const { id } = await world.pedido({ estado: 'pendiente', contra_reembolso: true, precio_total_cents: 2500 });
  await step(id, 'completado', { metodo_entrega: 'manual', cobrado: 25, cobrado_metodo: 'efectivo' });
  expect(await words(id)).toEqual(['El cobro de 25,00 € (Efectivo) se anula']);
});

it('a step that is taken back is announced to whoever knew of it, and never to its author', async () => {
  const reseller = await world.as('revendedor');
  const motivo = `Por error ${'x'.repeat(280)}`;
  const notices = async (who: Person) =>
    (await who.call(listNotifications)).body.data
      .filter(({ tipo }) => tipo === 'paso_deshecho')
      .map(({ texto, enlace }) => [texto, enlace]);
  const own = { transportista_id: carrier.user.id, revendedor_id: reseller.user.id };
  const { id, numero_orden, cliente_nombre } = await world.pedido({ ...own, estado: 'asignado' });
  const others = `search=${encodeURIComponent(numero_orden)}`;
  await step(id, 'en_ruta', {}, carrier);
  await undo(id, 'volver_de_ruta', { by: carrier, motivo: null });
  const back = `De vuelta en el almacén: ${numero_orden} (${cliente_nombre})`;
  expect([await notices(admin), await notices(carrier), await notices(reseller)]).toEqual([[[back, `/pedidos/${id}`]], [], []]);
  await step(id, 'en_ruta', {}, carrier);
  await step(id, 'completado', { metodo_entrega: 'manual' }, carrier);
  await undo(id, 'deshacer_entrega', { by: carrier, motivo });
  const texto = `Entrega deshecha: ${numero_orden} (${cliente_nombre}). ${motivo}`.slice(0, 300);
  expect((await notices(admin))[0]).toEqual([texto, `/pedidos/${id}`]);
  expect([await notices(reseller), await notices(carrier)]).toEqual([[[texto, `/mis-pedidos?${others}`]], []]);
});

it('the office reads that an invoice will have a negative row, if one was written', async () => {
  const { pack } = await vatShop(world);
  const invoiced = '«Para facturar» tendrá una fila en negativo';
  const make = async () => {
    const body = { pack_id: pack.id, cliente_nombre: 'Ana', cliente_direccion: 'C 1', cliente_codigo_postal: '28013' };
    const { id } = (await admin.call(createPedido, { body })).body.data;
    await admin.call(assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    await step(id, 'en_ruta', {}, carrier);
    await step(id, 'completado', { metodo_entrega: 'manual' }, carrier);
    return id;
  };
  const id = await make();
  await settled(world.db);
  await settleAll(world.db);
  expect(await words(id)).toContain(invoiced);
  expect((await preview(id, carrier)).consecuencias).not.toContain(invoiced);
  expect(await words(await make())).not.toContain(invoiced);
});
