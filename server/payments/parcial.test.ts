import { beforeAll, beforeEach, expect, it } from 'vitest';
import { anularDevolucion, listDevoluciones, pedirResto, reembolsarDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import type { Parte } from '../../contract/devoluciones/fields.ts';
import { getPago } from '../../contract/pagar/pagar.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

/* How the customer's payment page shows a delivery in parts. */

let world: World;
let admin: Person;
let carrier: Person;
let packs: string[];
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ superadmin: admin, transportista: carrier } = await everyRole(world));
  const pack = async (cents: number) =>
    (await world.pack({ product_id: (await world.product({ stock: 1000 })).id, pack_quantity: 1, pack_price_cents: cents })).id;
  packs = [await pack(1000), await pack(250)];
  await admin.call(updateSettings, { body: { partialDeliveries: true, cashOnDelivery: true } });
});

/** Creates an order of three packs at 10 € and four at 2.50 € and sends it out; returns its id. */
async function onItsWay({ pagado = 0, contra_reembolso = false } = {}): Promise<string> {
  const lineas = packs.map((pack_id, i) => ({ pack_id, cantidad: 3 + i }));
  const cliente = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: '612345678', cliente_codigo_postal: '28013' };
  const { id } = (await admin.call(createPedido, { body: { ...cliente, lineas, envio: 0, contra_reembolso } })).body.data;
  if (pagado) await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: pagado, fecha: dayInMadrid() } });
  await carrier.call(autoAsignar, { params: { id } });
  await carrier.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
  return id;
}
const LEFT: Parte[] = [
  { numero: 1, cantidad: 1, motivo: 'rechazado' },
  { numero: 2, cantidad: 1, motivo: 'falta' },
  { numero: 2, cantidad: 1, motivo: 'danado' },
];
const deliver = (id: string, no_entregado: Parte[], more = {}) =>
  carrier.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual', no_entregado, ...more } });
async function seen(id: string) {
  const { pago_token } = await world.db.selectFrom('pedidos').select('pago_token').where('id', '=', id).executeTakeFirstOrThrow();
  return (await world.nobody().call(getPago, { params: { token: pago_token ?? '' } })).body.data;
}
const returnOf = async (id: string) => (await admin.call(listDevoluciones, { params: { id } })).body.data[0]?.id ?? '';
const MONEY = { valor: 15, sin_pagar: 0, por_devolver: 0, devuelto: 0, pasado: 0, resto: null };

it('the payment page of a complete delivery mentions no parts', async () => {
  const id = await onItsWay({ pagado: 40 });
  expect(await seen(id)).not.toHaveProperty('parcial');
  await deliver(id, []);
  expect(await seen(id)).not.toHaveProperty('parcial');
});

it('the payment page of a paid order lists undelivered goods and the money still to be refunded', async () => {
  const id = await onItsWay({ pagado: 40 });
  await deliver(id, LEFT);
  const { parcial, pagado, pendiente, lineas } = await seen(id);
  expect(parcial?.lineas).toEqual([
    { producto: lineas[0]?.producto, pedidas: 3, faltan: [{ cantidad: 1, motivo: 'rechazado' }] },
    {
      producto: lineas[1]?.producto,
      pedidas: 4,
      faltan: expect.arrayContaining([
        { cantidad: 1, motivo: 'falta' },
        { cantidad: 1, motivo: 'danado' },
      ]),
    },
  ]);
  expect(parcial).toMatchObject({ ...MONEY, por_devolver: 15 });
  expect([pagado, pendiente]).toEqual([40, 0]);
  await admin.call(reembolsarDevolucion, { params: { id: await returnOf(id) }, body: { reembolso: 10, referencia: 'TRF' } });
  const later = await seen(id);
  expect(later.parcial).toMatchObject({ ...MONEY, por_devolver: 5, devuelto: 10 });
  expect(later.pagado).toBe(30);
});

it('a customer who pays at the door pays only for the delivered goods', async () => {
  const id = await onItsWay({ contra_reembolso: true });
  await deliver(id, LEFT, { cobrado: 25, cobrado_metodo: 'efectivo' });
  const { parcial, pagado, por_pagar } = await seen(id);
  expect(parcial).toMatchObject({ ...MONEY, sin_pagar: 15 });
  expect([pagado, por_pagar]).toEqual([25, false]);
});

it('the payment page of a partly paid order separates the paid and the unpaid part of the undelivered goods', async () => {
  const id = await onItsWay({ pagado: 32 });
  await deliver(id, LEFT);
  expect((await seen(id)).parcial).toMatchObject({ ...MONEY, sin_pagar: 8, por_devolver: 7 });
});

it('the payment page links to the order for the rest, and does not list the moved money as a refund', async () => {
  const id = await onItsWay({ pagado: 40 });
  await deliver(id, LEFT);
  const { data: rest } = (await admin.call(pedirResto, { params: { id: await returnOf(id) } })).body;
  const { parcial, devoluciones } = await seen(id);
  expect(parcial).toMatchObject({ ...MONEY, pasado: 15, resto: { numero_orden: rest.numero_orden, cancelado: false } });
  expect(devoluciones).toEqual([]);
  const token = parcial?.resto?.url.split('/').at(-1) ?? '';
  expect((await world.nobody().call(getPago, { params: { token } })).body.data).toMatchObject({ total: 15, pagado: 15, por_pagar: false });
  await admin.call(setEstado, { params: { id: rest.id }, body: { estado: 'cancelado' } });
  expect((await seen(id)).parcial?.resto?.cancelado).toBe(true);
});

it('the payment page mentions no parts once the return is annulled', async () => {
  const id = await onItsWay({ pagado: 40 });
  await deliver(id, LEFT);
  await admin.call(anularDevolucion, { params: { id: await returnOf(id) }, body: { motivo: 'Se entregó todo' } });
  expect(await seen(id)).not.toHaveProperty('parcial');
});
