import { beforeAll, beforeEach, expect, it } from 'vitest';
import { getCostumbre } from '../../contract/clientes/clientes.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { createPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let pack_id: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { cashOnDelivery: true } });
  pack_id = (await world.pack({ pack_price_cents: 850 })).id;
});

const order = async (fields: Partial<BodyIn<typeof createPedido>>, who = admin) => {
  const body = { cliente_nombre: 'Rosa Prado', cliente_direccion: 'Calle Mayor 3', cliente_telefono: '600 11 22 33', pack_id, ...fields };
  const made = await who.call(createPedido, { body });
  expect(made.status, made.text).toBe(201);
  return made.body.data;
};
const usual = async (who = admin, cliente_id?: string) => (await who.call(getCostumbre, { query: { cliente_id } })).body.data;
const customerOf = async (id: string) =>
  (await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', id).executeTakeFirstOrThrow()).cliente_id as string;

it('the usual way to pay is that of more than half of the last ten orders of the seller', async () => {
  expect((await usual()).forma).toBeNull();
  await order({ contra_reembolso: true });
  expect((await usual()).forma).toBe('al_entregar');
  await order({ pago: { metodo: 'bizum' } });
  expect((await usual()).forma).toBeNull();
  for (let n = 0; n < 6; n++) await order({ estado: 'pendiente_pago' });
  expect((await usual()).forma).toBe('enlace');
  for (let n = 0; n < 6; n++) await order({ pago: { metodo: 'bizum' } });
  expect((await usual()).forma).toBe('pagado');
  for (let n = 0; n < 6; n++) await order({});
  expect((await usual()).forma).toBe('despues');
  // Each seller has a custom of their own.
  const reseller = await world.as('revendedor');
  expect((await usual(reseller)).forma).toBeNull();
  await order({}, reseller);
  expect((await usual(reseller)).forma).toBe('enlace');
  expect((await usual()).forma).toBe('despues');
});

it('a customer comes with the latest order that stands, refusals and debts', async () => {
  const first = await order({ lineas: [{ pack_id, cantidad: 2 }], contra_reembolso: true, pack_id: undefined });
  const id = await customerOf(first.id);
  const cancelled = await order({});
  await admin.call(setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });
  expect(await usual(admin, id)).toMatchObject({
    forma: 'al_entregar',
    ultima: { forma: 'al_entregar', total: 17, lineas: [{ pack_id, cantidad: 2 }] },
    rechazados: 0,
    debe: 0,
  });
  const carrier = await world.user({ role: 'transportista' });
  await world.db
    .insertInto('intentos')
    .values(
      [1, 2].map(() => ({
        pedido_id: first.id,
        transportista_id: carrier.id,
        transportista_nombre: 'T',
        motivo: 'Rechazado por el cliente: caro',
      })),
    )
    .execute();
  const owed = await order({});
  await admin.call(setEstado, { params: { id: owed.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect(await usual(admin, id)).toMatchObject({ rechazados: 1, debe: 8.5, ultima: { forma: 'despues', total: 8.5 } });
  // Another seller's customer is not found.
  const reseller = await world.as('revendedor');
  expect((await reseller.call(getCostumbre, { query: { cliente_id: id } })).status).toBe(404);
});
