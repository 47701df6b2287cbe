import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { bloquearCliente, getCliente, listClientes, separarCliente, unirCliente, updateCliente } from '../../contract/clientes/clientes.ts';
import { listEvents } from '../../contract/webhooks/events.ts';
import { settled } from '../../test/settled.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* Customers with a letter, a figure, an address or a record more. */

let world: World;
let admin: Person;
let rosa: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rosa = await world.as('revendedor');
});

async function known(cliente_nombre: string, cliente_telefono: string | null, fields: object = {}) {
  const { id } = await world.pedido({ revendedor_id: rosa.user.id, cliente_nombre, cliente_telefono, ...fields });
  const { cliente_id } = await world.db.selectFrom('pedidos').select('cliente_id').where('id', '=', id).executeTakeFirstOrThrow();
  return cliente_id ?? '';
}
const names = async (query: object, who = admin) =>
  (await who.call(listClientes, { query })).body.data.map(({ cliente_nombre }) => cliente_nombre).toSorted();
const read = async (id: string) => (await admin.call(getCliente, { params: { id } })).body.data;
const join = (id: string, cliente_id: string) => admin.call(unirCliente, { params: { id }, body: { cliente_id } });

it('one letter or figure is searched; one sign is none, and finds everybody', async () => {
  await known('Ana', '600112233');
  await known('Zoe', '711445566');
  expect(await names({ search: 'a' })).toEqual(['Ana']);
  expect(await names({ search: '7' })).toEqual(['Zoe']);
  expect(await names({ search: ' ' })).toEqual(['Ana', 'Zoe']);
});

it('the views show whom to call, who is blocked, even without orders, and who was joined by a made-up telephone', async () => {
  const [ana, bea, eva] = [await known('Ana', '600112233'), await known('Bea', '600112244'), await known('Eva', '600112255')];
  await admin.call(updateCliente, { params: { id: ana }, body: { nota: null, avisar_antes: true, version: 1 } });
  await admin.call(bloquearCliente, { params: { id: bea }, body: { motivo: 'Impago' } });
  await sql`UPDATE pedidos SET deleted_at = now() WHERE cliente_id = ${bea}`.execute(world.db);
  expect(await names({})).toEqual(['Ana', 'Eva']);
  expect(await names({ ver: 'avisar' })).toEqual(['Ana']);
  expect(await names({ ver: 'bloqueados' })).toEqual(['Bea']);
  expect(await names({ ids: [ana, eva] })).toEqual(['Ana', 'Eva']);
  expect(await names({ ids: [eva] })).toEqual(['Eva']);
  // Eight figures, or a telephone that can be somebody's, are no made-up telephone.
  const joined = async (telefono: string) => {
    await sql`UPDATE clientes SET unido_a = ${ana}, telefono = ${telefono} WHERE id = ${eva}`.execute(world.db);
    return names({ ver: 'separar' });
  };
  expect([await joined('600112255'), await joined('00000000'), await joined('000000000')]).toEqual([[], [], ['Eva']]);
  await sql`UPDATE clientes SET unido_a = NULL WHERE id = ${eva}`.execute(world.db);
  expect(await names({ ver: 'separar' })).toEqual([]);
});

it('addresses that differ by case, accents or an empty part are one; deleted orders give none', async () => {
  const at = (cliente_direccion: string, fecha_pedido: string, more: object = {}) =>
    known('Ana', '600112233', {
      cliente_direccion,
      cliente_direccion2: null,
      cliente_codigo_postal: null,
      cliente_ciudad: null,
      fecha_pedido,
      ...more,
    });
  const id = await at('Calle Ávila 3', '2026-01-01T10:00:00Z');
  await at('CALLE AVILA 3', '2026-01-03T10:00:00Z', { cliente_direccion2: '', cliente_ciudad: '', cliente_codigo_postal: '' });
  await at('Calle Ávila 3', '2026-01-02T10:00:00Z', { cliente_codigo_postal: '28013' });
  await at('Otra 1', '2026-01-04T10:00:00Z', { deleted_at: new Date().toISOString() });
  expect((await read(id)).direcciones).toMatchObject([
    { cliente_direccion: 'CALLE AVILA 3', pedidos: 2, ultimo_pedido: '2026-01-03T10:00:00.000Z' },
    { cliente_codigo_postal: '28013', pedidos: 1, ultimo_pedido: '2026-01-02T10:00:00.000Z' },
  ]);
});

it('a customer has the latest fifty addresses', async () => {
  let id = '';
  for (let i = 10; i < 61; i += 1)
    id = await known('Ana', '600112233', { cliente_direccion: `Calle ${i}`, fecha_pedido: `2026-01-01T10:00:${i % 60}Z` });
  const { direcciones } = await read(id);
  expect(direcciones).toHaveLength(50);
  // The last of them was at second 0.
  expect(direcciones.map(({ cliente_direccion }) => cliente_direccion)).not.toContain('Calle 60');
  expect(direcciones[0]?.cliente_direccion).toBe('Calle 59');
});

it('a note, a block and metadata of one customer leave another as it is, and a change of nothing writes nothing', async () => {
  const [ana, bea] = [await known('Ana', '600112233'), await known('Bea', '600112244')];
  const before = await read(bea);
  const note = (version: number) =>
    admin.call(updateCliente, { params: { id: ana }, body: { nota: 'Perro', avisar_antes: true, version, metadata: { erp: '7' } } });
  expect((await note(1)).status).toBe(200);
  await admin.call(bloquearCliente, { params: { id: ana }, body: { motivo: 'Impago' } });
  expect(await read(bea)).toEqual(before);
  const { version } = (await read(ana)).propia;
  expect((await note(version)).body.data.propia.version).toBe(version);
  expect(await read(ana)).toMatchObject({ nota: 'Perro', avisar_antes: true, bloqueado_motivo: 'Impago', metadata: { erp: '7' } });
});

it('each change of a customer is told to programs once, a separation for both', async () => {
  await world.db
    .insertInto('webhooks')
    .values({ url: 'https://erp.test', descripcion: null, secreto: 'x', eventos: ['cliente.modificado'], api_key_id: null })
    .execute();
  const [ana, bea] = [await known('Ana', '600112233'), await known('Bea', '600112244')];
  await join(ana, bea);
  await admin.call(separarCliente, { params: { id: bea } });
  await admin.call(bloquearCliente, { params: { id: bea }, body: { motivo: null } });
  await settled(world.db);
  const events = (await admin.call(listEvents, { query: {} })).body.data as unknown as { data: { cliente: object } }[];
  const changes = events.map(({ data }) => data.cliente).filter(Boolean);
  expect(changes.slice(0, 1)).toEqual([{ id: ana, cambio: 'union' }]);
  expect(changes.slice(1, 3)).toEqual(expect.arrayContaining([ana, bea].map((id) => ({ id, cambio: 'separacion' }))));
  expect(changes.slice(3)).toEqual([{ id: bea, cambio: 'bloqueo' }]);
});
