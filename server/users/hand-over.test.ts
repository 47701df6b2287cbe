import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { login } from '../../contract/session/session.ts';
import { deleteUser, listUsers, updateUser } from '../../contract/users/users.ts';
import { PASSWORD } from '../../test/builders.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Handing over the open orders of a person who is deactivated or deleted. */

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

const row = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const isThere = async (id: string) =>
  world.db.selectFrom('users').select(['is_active', 'deleted_at']).where('id', '=', id).executeTakeFirstOrThrow();
const listed = async (id: string) => (await admin.call(listUsers)).body.data.find((user) => user.id === id);
const GONE = { pedidos_a: ['Elige a otra persona activa con el mismo papel'] };

test('the list of people has open orders and last access of each person', async () => {
  const [reseller, carrier] = [await world.user({ role: 'revendedor' }), await world.user({ role: 'transportista' })];
  const fields = { revendedor_id: reseller.id, transportista_id: carrier.id };
  for (const estado of ['pendiente_pago', 'pendiente'] as const) await world.pedido({ estado, revendedor_id: reseller.id });
  for (const estado of ['asignado', 'en_ruta', 'completado', 'cancelado'] as const) await world.pedido({ ...fields, estado });
  expect(await listed(reseller.id)).toMatchObject({ pedidos_abiertos: 4, last_access_at: null });
  expect(await listed(carrier.id)).toMatchObject({ pedidos_abiertos: 2, last_access_at: null });
  expect(await listed(admin.user.id)).toMatchObject({ pedidos_abiertos: 0 });
  await world.nobody().call(login, { body: { email: carrier.email, password: PASSWORD } });
  await world.db.deleteFrom('sessions').where('user_id', '=', carrier.id).execute();
  expect((await listed(carrier.id))?.last_access_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

describe.each(['deactivated', 'deleted'] as const)('a person to be %s', (how) => {
  const leave = (id: string, pedidos_a?: string) =>
    how === 'deleted'
      ? admin.call(deleteUser, { params: { id }, query: { pedidos_a } })
      : admin.call(updateUser, { params: { id }, body: { is_active: false, pedidos_a } });

  test('a leaving carrier hands over held orders to a second carrier, who is notified', async () => {
    const [from, to] = [await world.user({ role: 'transportista' }), await world.user({ role: 'transportista', full_name: 'Luis' })];
    const held = [await world.pedido({ estado: 'asignado', transportista_id: from.id })];
    held.push(await world.pedido({ estado: 'en_ruta', transportista_id: from.id }));
    const done = await world.pedido({ estado: 'completado', transportista_id: from.id });
    expect((await leave(from.id, to.id)).status).toBe(200);
    for (const { id, estado } of held)
      expect(await row(id)).toMatchObject({ transportista_id: to.id, transportista_nombre: 'Luis', estado });
    expect(await row(done.id)).toMatchObject({ transportista_id: from.id });
    const notices = await world.db.selectFrom('notifications').select('tipo').where('user_id', '=', to.id).execute();
    expect(notices).toEqual([{ tipo: 'pedido_asignado' }, { tipo: 'pedido_asignado' }]);
    const history = await world.db.selectFrom('pedidos_historial').select(['accion', 'retirado_a']).execute();
    expect(history).toEqual(Array(2).fill({ accion: 'Transportista cambiado', retirado_a: from.id }));
  });

  test('a leaving reseller hands over open orders to a second reseller', async () => {
    const [from, to] = [
      await world.user({ role: 'revendedor', full_name: 'Rita' }),
      await world.user({ role: 'revendedor', full_name: 'Sol' }),
    ];
    const [open, done] = [
      await world.pedido({ estado: 'pendiente_pago', revendedor_id: from.id }),
      await world.pedido({ estado: 'completado', revendedor_id: from.id }),
    ];
    expect((await leave(from.id, to.id)).status).toBe(200);
    expect(await row(open.id)).toMatchObject({ revendedor_id: to.id, revendedor_nombre: 'Sol' });
    expect(await row(done.id)).toMatchObject({ revendedor_id: from.id });
    expect(await world.db.selectFrom('pedidos_historial').select(['accion', 'nota']).execute()).toEqual([
      { accion: 'Revendedor cambiado', nota: 'De Rita a Sol' },
    ]);
    expect(await listed(to.id)).toMatchObject({ pedidos_abiertos: 1 });
  });

  test('a leaving carrier stays active with all orders if the chosen person cannot take the orders', async () => {
    const from = await world.user({ role: 'transportista' });
    const { id } = await world.pedido({ estado: 'asignado', transportista_id: from.id });
    const others = [
      from,
      await world.user({ role: 'revendedor' }),
      await world.user({ role: 'transportista', is_active: false }),
      await world.user({ role: 'transportista', deleted_at: new Date().toISOString() }),
    ];
    for (const to of others) {
      const { status, body } = await leave(from.id, to.id);
      expect([status, body]).toMatchObject([422, { errors: GONE }]);
    }
    expect(await row(id)).toMatchObject({ transportista_id: from.id, version: 1 });
    expect(await isThere(from.id)).toEqual({ is_active: true, deleted_at: null });
  });
});

test('orders are handed over only by a person who leaves', async () => {
  const [from, to] = [await world.user({ role: 'transportista' }), await world.user({ role: 'transportista' })];
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: from.id });
  const { status } = await admin.call(updateUser, { params: { id: from.id }, body: { full_name: 'Otro nombre', pedidos_a: to.id } });
  expect(status).toBe(422);
  expect(await row(id)).toMatchObject({ transportista_id: from.id });
});
