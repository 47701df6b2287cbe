import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { avisarTransferencia, getPago, simularPago, startPago } from '../../contract/pagar/pagar.ts';
import * as pedidos from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { createWorld, type World } from '../../test/world.ts';
import { simulatePago } from './payments.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  const data = {
    companyName: 'Almazara Sur',
    companyIban: 'es91 2100 0418 4502 0005 1332',
    companyBic: 'caixesbbxxx',
    smtpHost: 'smtp.enruta.test',
  };
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify(data) as never })
    .execute();
});

const unpaid = async () => {
  const row = await world.pedido({ estado: 'pendiente_pago', precio_total_cents: 123450 });
  return { ...row, token: row.pago_token ?? '' };
};

it('the payment page shows the amount and the ways to pay to anyone with its URL', async () => {
  const pedido = await unpaid();
  const { status, body } = await world.nobody().call(getPago, { params: { token: pedido.token } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    numero_orden: pedido.numero_orden,
    total: 1234.5,
    estado: 'pendiente_pago',
    empresa: 'Almazara Sur',
    simulador: false,
  });
  expect(body.data.transferencia).toEqual({
    beneficiario: 'Almazara Sur',
    iban: 'ES9121000418450200051332',
    bic: 'CAIXESBBXXX',
    concepto: pedido.numero_orden,
    // Fields of EPC069-12: service tag, version, UTF-8, SCT, BIC, name, IBAN, amount, purpose, reference, text.
    epc: `BCD\n002\n1\nSCT\nCAIXESBBXXX\nAlmazara Sur\nES9121000418450200051332\nEUR1234.50\n\n\n${pedido.numero_orden}`,
  });
});

it('the payment page and its QR code name the holder of the account, and the page still names the shop', async () => {
  const admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { companyHolder: 'Aceites del Sur S.L.' } });
  const { body } = await world.nobody().call(getPago, { params: { token: (await unpaid()).token } });
  expect([body.data.empresa, body.data.transferencia?.beneficiario]).toEqual(['Almazara Sur', 'Aceites del Sur S.L.']);
  expect(body.data.transferencia?.epc.split('\n')[5]).toBe('Aceites del Sur S.L.');
});

it('the payment page does not contain the customer’s telephone', async () => {
  const pedido = await world.pedido({ estado: 'pendiente_pago', cliente_telefono: '600 999 111' });
  const { text } = await world.nobody().call(getPago, { params: { token: pedido.pago_token ?? '' } });
  expect(text).toContain(pedido.numero_orden);
  expect(text).not.toContain('999 111');
});

it('the payment page responds identically to a guessed token, a deleted order and an order’s id', async () => {
  const pedido = await unpaid();
  const admin = await world.as('superadmin');
  await admin.call(pedidos.deletePedido, { params: { id: pedido.id } });
  const replies = await Promise.all(['x', pedido.id, pedido.token].map((token) => world.nobody().call(getPago, { params: { token } })));
  expect(replies.map((r) => r.status)).toEqual([404, 404, 404]);
  expect(new Set(replies.map((r) => r.text)).size).toBe(1);
});

it('the page of a paid order shows its progress and no way to pay', async () => {
  const pedido = await unpaid();
  const admin = await world.as('superadmin');
  const paid = await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'pendiente', referencia: 'TRF 25/11' } });
  expect(paid.body.data.estado).toBe('pendiente');
  const { body } = await world.nobody().call(getPago, { params: { token: pedido.token } });
  expect(body.data).toMatchObject({ estado: 'pendiente', transferencia: null });
  expect(await world.db.selectFrom('pagos').select(['proveedor', 'referencia', 'importe_cents']).execute()).toEqual([
    { proveedor: 'manual', referencia: 'TRF 25/11', importe_cents: 123450 },
  ]);
});

it('a payment can be simulated once, and only in the demo', async () => {
  const pedido = await unpaid();
  expect((await world.nobody().call(simularPago, { params: { token: pedido.token } })).status).toBe(404);
  await simulatePago(world.db, pedido.token, true);
  await expect(simulatePago(world.db, pedido.token, true)).rejects.toThrow('ya no está pendiente de pago');
  const { estado } = await world.db.selectFrom('pedidos').select('estado').where('id', '=', pedido.id).executeTakeFirstOrThrow();
  expect(estado).toBe('pendiente');
});

it('a shop without provider keys offers only transfers and accepts no notifications', async () => {
  const pedido = await unpaid();
  const params = { token: pedido.token };
  const nobody = world.nobody();
  expect((await nobody.call(getPago, { params })).body.data).toMatchObject({
    metodos: { stripe: false, redsys: false },
    transferencia: { concepto: pedido.numero_orden },
  });
  const asked = [
    await nobody.call(startPago, { params: { ...params, proveedor: 'stripe' } }),
    await nobody.call(startPago, { params: { ...params, proveedor: 'redsys' }, body: { metodo: 'tarjeta' } }),
    await nobody.request('POST', '/api/webhooks/stripe', { body: {}, xsrf: false }),
    await nobody.request('POST', '/api/webhooks/redsys', {
      body: 'Ds_SignatureVersion=a&Ds_MerchantParameters=b&Ds_Signature=c',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      xsrf: false,
    }),
  ];
  expect(asked.map((reply) => reply.status)).toEqual([404, 404, 404, 404]);
  const { headers } = await nobody.request('GET', '/healthz');
  expect(headers['content-security-policy']).toContain("form-action 'self';");
});

it('an order that no longer waits for its reported transfer says no day until which it waits', async () => {
  const pedido = await unpaid();
  const params = { token: pedido.token };
  expect((await world.nobody().call(avisarTransferencia, { params })).status).toBe(200);
  const admin = await world.as('superadmin');
  expect((await admin.call(pedidos.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } })).status).toBe(200);
  expect((await world.nobody().call(getPago, { params })).body.data).toMatchObject({ estado: 'cancelado', transferencia_hasta: null });
});

it('a transfer reported repeatedly notifies superadmins once, and the order stays unpaid', async () => {
  const pedido = await unpaid();
  const params = { token: pedido.token };
  const admin = await world.as('superadmin');
  const before = await world.nobody().call(getPago, { params });
  expect(before.body.data.transferencia_avisada).toBe(false);
  for (let i = 0; i < 3; i += 1) expect((await world.nobody().call(avisarTransferencia, { params })).status).toBe(200);
  expect((await world.nobody().call(getPago, { params })).body.data).toMatchObject({
    estado: 'pendiente_pago',
    transferencia_avisada: true,
    transferencia_hasta: addDays(dayInMadrid(), 7),
  });
  const { body } = await admin.call(listNotifications);
  expect(body.data).toMatchObject([
    {
      tipo: 'transferencia_avisada',
      texto: `Transferencia avisada: ${pedido.numero_orden} (${pedido.cliente_nombre}). Comprueba que ha llegado.`,
      enlace: `/pedidos/${pedido.id}`,
    },
  ]);
  const mails = await world.db.selectFrom('outbox').select(['recipient', 'payload']).execute();
  expect(mails.map((mail) => mail.recipient)).toEqual([admin.user.email]);
  expect(mails[0]?.payload.texto).not.toContain('1.234');
  expect((await admin.call(pedidos.listPedidos, { query: { transferencia: 'si' } })).body.total).toBe(1);
});

it('a transfer cannot be reported to a shop without a bank account', async () => {
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ companyIban: '' }) })
    .execute();
  const { status, body } = await world.nobody().call(avisarTransferencia, { params: { token: (await unpaid()).token } });
  expect([status, body.message]).toEqual([409, 'Esta tienda no cobra por transferencia: ponte en contacto con ella']);
});

it('a transfer cannot be reported for a paid or unknown order', async () => {
  const paid = await unpaid();
  const body = { estado: 'pendiente' as const, referencia: 'TRF' };
  await (await world.as('superadmin')).call(pedidos.setEstado, { params: { id: paid.id }, body });
  const reply = await world.nobody().call(avisarTransferencia, { params: { token: paid.token } });
  expect([reply.status, reply.body.message]).toEqual([409, 'Este pedido ya no está pendiente de pago']);
  expect((await world.nobody().call(avisarTransferencia, { params: { token: 'x' } })).status).toBe(404);
});
