import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { autoAsignar, listDisponibles } from '../../../contract/transportista/transportista.ts';
import { createWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const ADDRESS = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Mayor 1' };

it('the delivery window is hidden from carriers until one takes the order, and its changes are recorded', async () => {
  const [reseller, carrier, admin] = [await world.as('revendedor'), await world.as('transportista'), await world.as('superadmin')];
  const pack = await world.pack();
  const created = await reseller.call(api.createPedido, { body: { ...ADDRESS, pack_id: pack.id, franja_horaria: ' De 8 a 14 h ' } });
  expect(created.body.data.franja_horaria).toBe('De 8 a 14 h');
  const params = { id: created.body.data.id };
  await admin.call(api.setEstado, { params, body: { estado: 'pendiente', referencia: 'TRF' } });

  const [offered] = (await carrier.call(listDisponibles)).body.data;
  expect(offered).not.toHaveProperty('franja_horaria');
  const taken = await carrier.call(autoAsignar, { params });
  expect(taken.body.pedido.franja_horaria).toBe('De 8 a 14 h');

  await admin.call(api.updatePedido, { params, body: { ...ADDRESS, franja_horaria: 'Por la tarde' } });
  const [edited] = (await admin.call(api.getHistorial, { params })).body.data;
  expect(edited?.cambios).toEqual({ franja_horaria: ['De 8 a 14 h', 'Por la tarde'] });
});

const SEARCHED = Object.entries(PEDIDO_FIELDS).flatMap(([name, field]) => ('searched' in field && field.kind !== 'money' ? [name] : []));

it('the search text follows a change of the total', async () => {
  const { id } = await world.pedido();
  await sql`UPDATE pedidos SET precio_total_cents = 123405 WHERE id = ${id}`.execute(world.db);
  const { rows } = await sql<{ texto: string }>`SELECT texto FROM pedidos_busqueda WHERE pedido_id = ${id}`.execute(world.db);
  expect(rows[0]?.texto).toContain(' 1234,05');
});

it.each(SEARCHED)('the search text follows a change of %s', async (name) => {
  const { id } = await world.pedido({ numero_seguimiento: 'AB1', revendedor_nombre: 'Berta' });
  await sql`UPDATE pedidos SET ${sql.ref(name)} = '2031999999' WHERE id = ${id}`.execute(world.db);
  const { rows } = await sql<{ texto: string }>`SELECT texto FROM pedidos_busqueda WHERE pedido_id = ${id}`.execute(world.db);
  expect(rows[0]?.texto).toContain('2031999999');
});

it.each(['cliente_nombre', 'franja_horaria', 'instrucciones'] as const)('%s is refused one character beyond its maximum', async (name) => {
  const admin = await world.as('superadmin');
  const pack = await world.pack();
  const { max } = PEDIDO_FIELDS[name];
  const create = (length: number) => admin.call(api.createPedido, { body: { ...ADDRESS, pack_id: pack.id, [name]: 'x'.repeat(length) } });
  expect((await create(max)).status).toBe(201);
  const { status, body } = await create(max + 1);
  expect([status, body]).toMatchObject([422, { errors: { [name]: [`No puede superar los ${max} caracteres`] } }]);
});
