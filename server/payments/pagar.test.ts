import { beforeAll, beforeEach, expect, it } from 'vitest';
import { avisarTransferencia, getEmpresa, getPago, startPago } from '../../contract/pagar/pagar.ts';
import { anotarPago, devolverPago, listPagos, reembolsarSobra } from '../../contract/payments/payments.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { insideOf, REDSYS, redsysSays } from '../../test/paying.ts';
import { createWorld, type World } from '../../test/world.ts';

/* The payment page beyond the amount: failed payments, refunds, contact data and deliveries. */

let world: World;
beforeAll(async () => {
  world = await createWorld({ ...REDSYS, LOG_LEVEL: 'silent' });
  return world.close;
});
beforeEach(() => world.reset());

const IMPORTE = 4321;
const unpaid = async () => {
  const row = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: IMPORTE });
  return { ...row, token: row.pago_token ?? '' };
};
const seen = async ({ token }: { token: string }) => (await world.nobody().call(getPago, { params: { token } })).body.data;

/** Begins a payment by Redsys and returns its order number at the bank. */
async function begin({ token }: { token: string }): Promise<string> {
  const { body } = await world.nobody().call(startPago, { params: { token, proveedor: 'redsys' }, body: { metodo: 'tarjeta' } });
  return String(insideOf(body.fields?.Ds_MerchantParameters ?? '').DS_MERCHANT_ORDER);
}

it('a declined payment is shown until the next payment begins', async () => {
  const pedido = await unpaid();
  expect((await seen(pedido)).intento_fallido).toBe(false);
  const order = await begin(pedido);
  expect((await seen(pedido)).intento_fallido).toBe(false);
  await redsysSays(world.nobody(), { order, importe: IMPORTE, response: '0190' });
  expect(await seen(pedido)).toMatchObject({ estado: 'pendiente_pago', intento_fallido: true });
  const again = await begin(pedido);
  expect((await seen(pedido)).intento_fallido).toBe(false);
  await redsysSays(world.nobody(), { order: again, importe: IMPORTE });
  expect(await seen(pedido)).toMatchObject({ estado: 'pendiente', intento_fallido: false });
});

it('the page of a cancelled paid order announces a refund within fourteen days, and later the refund’s date', async () => {
  const admin = await world.as('superadmin');
  const pedido = await unpaid();
  await redsysSays(world.nobody(), { order: await begin(pedido), importe: IMPORTE });
  expect((await seen(pedido)).devoluciones).toEqual([]);
  const params = { id: pedido.id };
  await admin.call(pedidos.setEstado, { params, body: { estado: 'cancelado' } });
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' }).format();
  const last = new Date(Date.parse(today) + 14 * 86_400_000).toISOString().slice(0, 10);
  expect((await seen(pedido)).devoluciones).toEqual([{ importe: 43.21, hecha: false, fecha: last }]);

  const [pago] = (await admin.call(listPagos, { params })).body.data;
  await admin.call(devolverPago, { params: { id: pago?.id ?? '' }, body: {} });
  expect((await seen(pedido)).devoluciones).toEqual([{ importe: 43.21, hecha: true, fecha: today }]);
});

it('the page of a deleted paid order shows only its refund, and stays after the refund', async () => {
  const admin = await world.as('superadmin');
  const pedido = await unpaid();
  await redsysSays(world.nobody(), { order: await begin(pedido), importe: IMPORTE });
  const params = { id: pedido.id };
  await admin.call(pedidos.deletePedido, { params });
  const closed = { estado: 'cancelado', por_pagar: false, pendiente: 0, transferencia: null, dias_posibles: [] };
  expect(await seen(pedido)).toMatchObject({ ...closed, devoluciones: [{ importe: 43.21, hecha: false }] });
  const token = { params: { token: pedido.token } };
  expect((await world.nobody().call(avisarTransferencia, token)).status).toBe(404);
  expect(
    (await world.nobody().call(startPago, { params: { ...token.params, proveedor: 'redsys' }, body: { metodo: 'tarjeta' } })).status,
  ).toBe(404);
  const answer = await admin.call(reembolsarSobra, { params, body: { importe: 43.21, referencia: null } });
  expect(answer.status, answer.text).toBe(200);
  expect(await seen(pedido)).toMatchObject({ ...closed, devoluciones: [{ importe: 43.21, hecha: true }] });
});

it('the page of a cancelled unpaid order announces no refund', async () => {
  const admin = await world.as('superadmin');
  const pedido = await unpaid();
  await begin(pedido);
  await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
  expect((await seen(pedido)).devoluciones).toEqual([]);
});

it('the payment page announces the refund of a duplicate payment while the order continues', async () => {
  const admin = await world.as('superadmin');
  const pedido = await unpaid();
  const [first, second] = [await begin(pedido), await begin(pedido)];
  for (const order of [first, second]) await redsysSays(world.nobody(), { order, importe: IMPORTE });
  expect(await seen(pedido)).toMatchObject({ estado: 'pendiente', devoluciones: [{ importe: 43.21, hecha: false }] });
  // A single payment of another order announces no refund.
  const other = await unpaid();
  const body = { metodo: 'efectivo', importe: 43.21, fecha: '2026-01-05' } as const;
  expect((await admin.call(anotarPago, { params: { id: other.id }, body })).status).toBe(201);
  expect((await seen(other)).devoluciones).toEqual([]);
});

it('the payment page, even of a wrong link, shows the contact data of the settings', async () => {
  const pedido = await unpaid();
  const nothing = { telefono: null, email: null, whatsapp_url: null };
  expect((await seen(pedido)).contacto).toEqual(nothing);
  const admin = await world.as('superadmin');
  const fields = {
    companyName: 'Almazara Sur',
    companyEmail: 'hola@almazara.es',
    companyPhone: '953 12 34 56',
    companyWhatsapp: '600 11 22 33',
  };
  expect((await admin.call(updateSettings, { body: fields })).status).toBe(200);
  const contacto = { telefono: '953 12 34 56', email: 'hola@almazara.es', whatsapp_url: 'https://wa.me/34600112233' };
  expect((await seen(pedido)).contacto).toEqual(contacto);
  await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
  expect((await seen(pedido)).contacto).toEqual(contacto);
  expect((await world.nobody().call(getEmpresa)).body).toEqual({ empresa: 'Almazara Sur', contacto });
});

it('an invalid telephone is refused in the settings', async () => {
  const admin = await world.as('superadmin');
  const { status, body } = await admin.call(updateSettings, { body: { companyPhone: 'llámame', companyWhatsapp: '12' } });
  expect([status, body.errors]).toEqual([
    422,
    { companyPhone: ['El teléfono no es válido'], companyWhatsapp: ['El número de WhatsApp no es válido'] },
  ]);
});

it('the payment page shows a failed delivery and the next try, but not the carrier’s own words', async () => {
  const carrier = await world.as('transportista');
  const pedido = await world.pedido({ estado: 'en_ruta', transportista_id: carrier.user.id });
  const at = { token: pedido.pago_token ?? '' };
  const fail = (motivo: string) =>
    carrier.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'asignado', paso: 'fallar', motivo } });
  expect(await seen(at)).toMatchObject({ intentos: [], proximo_intento: null });
  expect((await fail('Ausente: perro suelto')).status).toBe(200);
  const pago = await seen(at);
  expect(pago.intentos).toEqual([{ fecha: expect.any(String), causa: 'Ausente' }]);
  expect(Date.parse(pago.proximo_intento ?? '')).toBeGreaterThan(Date.now());
  await carrier.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta' } });
  await fail('No me ha gustado la calle');
  expect((await seen(at)).intentos.map(({ causa }) => causa)).toEqual(['Ausente', null]);
  expect(JSON.stringify(await seen(at))).not.toMatch(/perro|gustado/);
});

it('the payment page shows the address with its floor and door, and the delivery date if paid now', async () => {
  const { pago_token } = await world.pedido({
    estado: 'pendiente_pago',
    cliente_direccion: 'Calle Mayor 3',
    cliente_direccion2: 'Puerta 4-B',
    cliente_codigo_postal: '28013',
    cliente_ciudad: 'Madrid',
    cliente_provincia: 'Madrid',
  });
  const pago = await seen({ token: pago_token ?? '' });
  expect(Date.parse(pago.fecha_si_paga ?? '')).toBeGreaterThan(Date.now());
  expect(pago.direccion).toBe('Calle Mayor 3, Puerta 4-B, 28013 Madrid');
});

it('a reported transfer is shown on the order to office and reseller, but not to the carrier', async () => {
  const [admin, reseller, carrier] = [await world.as('superadmin'), await world.as('revendedor'), await world.as('transportista')];
  await admin.call(updateSettings, { body: { companyName: 'Almazara', companyIban: 'ES9121000418450200051332' } });
  const people = { revendedor_id: reseller.user.id, transportista_id: carrier.user.id };
  const row = await world.pedido({ estado: 'asignado', precio_total_cents: IMPORTE, ...people });
  const read = async (who: typeof admin) => (await who.call(pedidos.getPedido, { params: { id: row.id } })).body.data as object;
  expect(await read(admin)).toMatchObject({ transferencia_avisada_at: null });
  expect((await world.nobody().call(avisarTransferencia, { params: { token: row.pago_token ?? '' } })).status).toBe(200);
  for (const who of [admin, reseller]) expect(await read(who)).toMatchObject({ transferencia_avisada_at: expect.any(String) });
  expect(await read(carrier)).not.toHaveProperty('transferencia_avisada_at');
});
