import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getPago } from '../../../contract/pagar/pagar.ts';
import { anotarPago, anularPago, listPagos } from '../../../contract/payments/payments.ts';
import * as pedidos from '../../../contract/pedidos/pedidos.ts';
import { adminStats } from '../../../contract/stats/stats.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

/* Payments are independent of the estado (design, section 4.31). */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

const HOY = dayInMadrid();
const order = (fields: Parameters<World['pedido']>[0] = {}) => world.pedido({ precio_total_cents: 10_000, ...fields });
const note = (id: string, fields: object = {}, who = admin) =>
  who.request('POST', `/api/pedidos/${id}/pagos`, { body: { metodo: 'transferencia', importe: 40, fecha: HOY, ...fields } });
const read = async (id: string) => (await admin.call(pedidos.getPedido, { params: { id } })).body.data;
const errorsOf = ({ text }: { text: string }) => JSON.parse(text).errors;

describe('a payment noted by hand', () => {
  it.each(['transferencia', 'efectivo', 'tarjeta', 'bizum', 'otro'] as const)(
    'a payment by %s, noted by hand, changes the amount paid but not the estado',
    async (metodo) => {
      const pedido = await order({ estado: 'en_ruta' });
      const { status, body } = await admin.call(anotarPago, {
        params: { id: pedido.id },
        body: { metodo, importe: 40, fecha: '2026-01-05', referencia: 'R-1' },
      });
      expect([status, body.data]).toMatchObject([201, { estado: 'en_ruta', pagado: 40, precio_total: 100, version: pedido.version }]);
      expect((await note(pedido.id, { importe: '60.00' })).status).toBe(201);
      expect(await read(pedido.id)).toMatchObject({ estado: 'en_ruta', pagado: 100 });
      expect((await admin.call(listPagos, { params: { id: pedido.id } })).body.data).toMatchObject([
        { proveedor: 'transferencia', importe: 60, fecha: HOY, estado: 'pagado' },
        { proveedor: metodo, importe: 40, fecha: '2026-01-05', referencia: 'R-1', estado: 'pagado' },
      ]);
    },
  );

  it('a payment noted by hand makes an order pendiente only once the whole price is paid', async () => {
    const { id } = await order({ estado: 'pendiente_pago' });
    await note(id, { importe: 99.99 });
    expect(await read(id)).toMatchObject({ estado: 'pendiente_pago', pagado: 99.99 });
    await note(id, { importe: 0.01, metodo: 'bizum' });
    expect(await read(id)).toMatchObject({ estado: 'pendiente', pagado: 100 });
    expect((await admin.call(listPagos, { params: { id } })).body.data).toHaveLength(2);
  });

  it('«Marcar como pagado» books the amount still due', async () => {
    const { id } = await order({ estado: 'pendiente_pago' });
    await note(id);
    const { body } = await admin.call(pedidos.setEstado, { params: { id }, body: { estado: 'pendiente', referencia: 'TRF' } });
    expect(body.data).toMatchObject({ estado: 'pendiente', pagado: 100 });
    expect((await admin.call(listPagos, { params: { id } })).body.data.map(({ importe }) => importe)).toEqual([60, 40]);
  });

  it('a payment noted by hand is refused if its amount, day or method is not allowed', async () => {
    const { id } = await order({ precio_total_cents: 300_000 });
    expect(errorsOf(await note(id, { importe: 3000.01 }))).toEqual({ importe: ['Como máximo lo que falta por pagar: 3.000,00\u00a0€'] });
    expect(errorsOf(await note(id, { importe: 0 }))).toEqual({ importe: ['Indica cuánto se ha pagado'] });
    expect(errorsOf(await note(id, { fecha: '2999-01-01' }))).toEqual({ fecha: ['Ese día todavía no ha llegado'] });
    expect((await note(id, { importe: 999.99 })).status).toBe(201);
    // Ley 11/2021: the limit applies to the whole sale, even if only a cent is paid in cash.
    expect(errorsOf(await note(id, { metodo: 'efectivo', importe: 0.01 }))).toEqual({
      metodo: ['De una venta de 1.000 € o más no se puede cobrar nada en efectivo (Ley 11/2021, art. 18)'],
    });
    for (const body of [{ metodo: 'cheque' }, { importe: -1 }, { importe: 1.005 }, { fecha: 'ayer' }, { estado: 'pagado' }])
      expect((await note(id, body)).status, JSON.stringify(body)).toBe(422);
    expect(await read(id)).toMatchObject({ pagado: 999.99 });
  });

  it('an order with a cash payment cannot grow to the legal limit until the payment is annulled', async () => {
    const { id: pack_id } = await world.pack({ pack_price_cents: 50_000 });
    const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1' };
    const { id } = (await admin.call(pedidos.createPedido, { body: { ...cliente, lineas: [{ pack_id, cantidad: 1 }] } })).body.data;
    const grow = () => admin.call(pedidos.setLineas, { params: { id }, body: { lineas: [{ numero: 1, cantidad: 2 }] } });
    expect((await note(id, { metodo: 'efectivo', importe: 10 })).status).toBe(201);
    expect(Object.keys(errorsOf(await grow()))).toEqual(['lineas']);
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    await admin.call(anularPago, { params: { id: pago?.id ?? '' }, body: { motivo: 'Era de otro pedido' } });
    expect((await grow()).status).toBe(200);
    expect((await note(id, { metodo: 'efectivo', importe: 10 })).status).toBe(422);
  });

  it('a payment noted by hand is refused for a paid, cancelled or deleted order', async () => {
    const refusal = async (fields: object, importe = 100) => {
      const { id } = await order(fields);
      await note(id, { importe });
      return (await note(id, { importe })).body;
    };
    expect(await refusal({})).toMatchObject({ message: 'El pedido ya está pagado' });
    expect(await refusal({ estado: 'cancelado' })).toMatchObject({ message: 'Un pedido cancelado no se puede cobrar' });
    expect(await refusal({ deleted_at: new Date().toISOString() })).toMatchObject({
      message: 'El pedido está eliminado: restáuralo antes',
    });
  });

  it('a payment of the whole amount is booked once when sent twice concurrently', async () => {
    const { id } = await order();
    const both = await Promise.all([note(id, { importe: 100 }), note(id, { importe: 100 })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await read(id)).toMatchObject({ pagado: 100 });
  });

  it('only a payment noted by hand can be annulled, with a reason', async () => {
    const { id } = await order();
    await note(id);
    const [pago] = (await admin.call(listPagos, { params: { id } })).body.data;
    const annul = (body: { motivo: string }) => admin.call(anularPago, { params: { id: pago?.id ?? '' }, body });
    expect((await annul({ motivo: '' })).status).toBe(422);
    expect((await annul({ motivo: 'Era de otro pedido' })).status).toBe(200);
    expect((await annul({ motivo: 'Otra vez' })).status).toBe(409);
    expect(await read(id)).toMatchObject({ pagado: 0 });
    expect((await admin.call(listPagos, { params: { id } })).body.data).toMatchObject([{ estado: 'anulado', nota: 'Era de otro pedido' }]);
    const bank = await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'stripe', referencia: 'cs_1', importe_cents: 100, estado: 'pagado' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await admin.call(anularPago, { params: { id: bank.id }, body: { motivo: 'x' } })).status).toBe(409);
  });

  it('a payment noted by hand can be booked and annulled by superadmins only', async () => {
    const { id } = await order({ estado: 'asignado' });
    for (const role of ['revendedor', 'transportista'] as const) {
      const who = await world.as(role);
      expect((await note(id, {}, who)).status, role).toBe(403);
      expect((await who.call(anularPago, { params: { id }, body: { motivo: 'x' } })).status, role).toBe(403);
    }
  });

  it('a payment noted by hand is in the history with amount, method and reference', async () => {
    const { id } = await order();
    await note(id, { metodo: 'bizum', referencia: 'R-7' });
    const { body } = await admin.call(pedidos.getHistorial, { params: { id } });
    expect(body.data[0]).toMatchObject({ accion: 'Pago anotado', nota: '40,00\u00a0€ · Bizum · R-7', actor_nombre: admin.user.full_name });
  });
});

describe('the amount paid', () => {
  const listed = async (pagado: 'si' | 'parte' | 'no', who = admin) => {
    const { status, body } = await who.call(pedidos.listPedidos, { query: { pagado } });
    return status === 200 ? [body.total, body.data.map(({ numero_orden }) => numero_orden)] : status;
  };

  it('the payment filter finds paid, partly paid or unpaid orders, but no cancelled orders', async () => {
    const reseller = await world.as('revendedor');
    const [paid, part, none] = [await order({ revendedor_id: reseller.user.id }), await order(), await order()];
    await order({ estado: 'cancelado' });
    await order({ deleted_at: new Date().toISOString() });
    await note(paid.id, { importe: 100 });
    await note(part.id);
    expect([await listed('si'), await listed('parte'), await listed('no')]).toEqual([
      [1, [paid.numero_orden]],
      [1, [part.numero_orden]],
      [1, [none.numero_orden]],
    ]);
    expect(await listed('si', reseller)).toEqual([1, [paid.numero_orden]]);
    expect(await listed('no', reseller)).toEqual([0, []]);
    // The filter would reveal payments to a carrier.
    expect(await listed('si', await world.as('transportista'))).toBe(403);
  });

  it('the amount paid is zero after a cancellation, which makes a refund due', async () => {
    const { id } = await order();
    await note(id);
    const { body } = await admin.call(pedidos.setEstado, { params: { id }, body: { estado: 'cancelado' } });
    expect(body.data).toMatchObject({ estado: 'cancelado', pagado: 0 });
    expect((await admin.call(listPagos, { params: { id } })).body.data).toMatchObject([{ estado: 'devolucion_pendiente', importe: 40 }]);
  });

  it('the copy of a paid order is unpaid, and the message says so', async () => {
    const { id } = await order();
    await note(id, { importe: 100 });
    const { body } = await admin.call(pedidos.duplicatePedido, { params: { id } });
    expect(body.data).toMatchObject({ estado: 'pendiente', pagado: 0 });
    expect(body.message).toBe(`Pedido duplicado como ${body.data.numero_orden}: la copia está sin pagar`);
  });

  it('the amount paid does not change the income, which counts orders', async () => {
    const { id } = await order();
    const income = async () => (await admin.call(adminStats)).body.data.ingresos;
    const before = await income();
    await note(id);
    expect(await income()).toBe(before);
  });
});

it('the payment page of an assigned order asks for the rest until all is paid', async () => {
  const { id, pago_token } = await order({ estado: 'asignado' });
  const page = async () => (await world.nobody().call(getPago, { params: { token: pago_token ?? '' } })).body.data;
  expect(await page()).toMatchObject({ total: 100, pendiente: 100, por_pagar: true, estado: 'asignado' });
  await note(id);
  expect(await page()).toMatchObject({ total: 100, pendiente: 60, por_pagar: true });
  await note(id, { importe: 60 });
  expect(await page()).toMatchObject({ pendiente: 0, por_pagar: false });
});

it('payment links never use the host of the request', async () => {
  const { id } = await order();
  const { text } = await admin.request('GET', `/api/pedidos/${id}`, { headers: { host: 'ladrones.test' } });
  expect(text).toContain('"payment_link":"/pagar/');
  expect(text).not.toContain('ladrones');
});
