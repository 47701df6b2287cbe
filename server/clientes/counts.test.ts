import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { separarCliente, unirCliente } from '../../contract/clientes/clientes.ts';
import { createPedido, deletePedido, restorePedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { CLIENTES_THAT_DIFFER, PEDIDOS_OF_ANOTHER_CLIENTE } from '../../test/clientes.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

/* The stored figures of customers always match a fresh count of their orders. */

let world: World;
let admin: Person;
let packs: string[];
let sellers: (string | null)[];
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  packs = [(await world.pack({ pack_price_cents: 100 })).id, (await world.pack({ pack_price_cents: 999 })).id];
  sellers = [null, (await world.as('revendedor')).user.id];
});

const rows = async (query: string) => (await sql.raw(query).execute(world.db)).rows;

const nat = fc.nat({ max: 30 });
const who = fc.record({
  cliente_nombre: fc.constantFrom('Ana', 'Ána', 'Luis', 'Cliente anonimizado'),
  cliente_telefono: fc.constantFrom('600 11 22 33', '+34600112233', '611223344', null),
  cliente_codigo_postal: fc.constantFrom('28001', null),
});
const step = fc.oneof(
  fc.record({
    op: fc.constant('create' as const),
    who,
    pack: fc.nat({ max: 1 }),
    seller: fc.nat({ max: 1 }),
    day: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    op: fc.constantFrom('cancel' as const, 'delete' as const, 'restore' as const, 'join' as const, 'separate' as const),
    at: nat,
    to: nat,
  }),
  fc.record({ op: fc.constant('edit' as const), at: nat, who }),
);

test('the figures of customers match their orders after any mix of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const made: string[] = [];
      for (const change of steps) {
        if (change.op === 'create') {
          const { pack, seller, day } = change;
          const body = {
            ...change.who,
            cliente_direccion: 'Calle 1',
            pack_id: packs[pack] ?? null,
            revendedor_id: sellers[seller] ?? null,
            fecha_pedido: `2026-01-0${day}T10:00:00Z`,
          };
          made.push((await admin.call(createPedido, { body })).body.data.id);
          continue;
        }
        const id = made[change.at % Math.max(1, made.length)];
        if (!id) continue;
        const params = { id };
        // Refused actions, such as restoring an order that is not deleted, change nothing.
        if (change.op === 'edit') await admin.call(updatePedido, { params, body: { ...change.who, cliente_direccion: 'Calle 2' } });
        if (change.op === 'cancel') await admin.call(setEstado, { params, body: { estado: 'cancelado', motivo: 'Ya no' } });
        if (change.op === 'delete') await admin.call(deletePedido, { params });
        if (change.op === 'restore') await admin.call(restorePedido, { params });
        if (change.op === 'join' || change.op === 'separate') {
          const clientes = await world.db.selectFrom('clientes').select('id').orderBy('id').execute();
          const [a, b] = [change.at, change.to].map((at) => clientes[at % Math.max(1, clientes.length)]?.id);
          if (!a || !b) continue;
          if (change.op === 'join') await admin.call(unirCliente, { params: { id: a }, body: { cliente_id: b } });
          else await admin.call(separarCliente, { params: { id: a } });
        }
      }
      expect(await rows(CLIENTES_THAT_DIFFER)).toEqual([]);
      expect(await rows(PEDIDOS_OF_ANOTHER_CLIENTE)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('rebuilding the customers of orders loaded without triggers gives the right figures', async () => {
  const keep = { revendedor_id: null, cliente_telefono: '600112233', cliente_nombre: 'Ana' };
  await world.pedido(keep);
  await world.pedido({ ...keep, estado: 'cancelado', fecha_pedido: '2026-01-01T10:00:00Z' });
  await world.pedido({ ...keep, deleted_at: '2026-01-01T10:00:00Z' });
  await world.pedido({ cliente_telefono: null, cliente_nombre: 'Luis' });
  await world.pedido({ cliente_nombre: 'Cliente bloqueado' });
  const all =
    'SELECT revendedor_id, clave, nombre, telefono, ciudad, busqueda, pedidos, total_cents, ultimo_pedido FROM clientes ORDER BY 2';
  const before = await rows(all);
  await sql`UPDATE pedidos SET cliente_id = NULL`.execute(world.db);
  await sql`DELETE FROM clientes`.execute(world.db);
  await sql`SELECT rehacer_clientes()`.execute(world.db);
  expect(await rows(all)).toEqual(before);
  expect(await rows(CLIENTES_THAT_DIFFER)).toEqual([]);
  expect(await rows(PEDIDOS_OF_ANOTHER_CLIENTE)).toEqual([]);
});

test('the figures of a customer stay right while many orders are created, cancelled and deleted concurrently', async () => {
  const body = { cliente_nombre: 'Ana', cliente_telefono: '600112233', cliente_direccion: 'Calle 1', pack_id: packs[0] ?? null };
  const create = () => admin.call(createPedido, { body });
  const made = (await Promise.all(Array.from({ length: 12 }, create))).map(({ body }) => body.data.id);
  const end = (id: string, i: number) =>
    i % 2
      ? admin.call(deletePedido, { params: { id } })
      : admin.call(setEstado, { params: { id }, body: { estado: 'cancelado', motivo: 'Ya no' } });
  const replies = await Promise.all(made.slice(0, 8).flatMap((id, i) => [end(id, i), create()]));
  expect(replies.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  expect(await rows(CLIENTES_THAT_DIFFER)).toEqual([]);
  expect(await rows('SELECT pedidos FROM clientes')).toEqual([{ pedidos: 12 }]);
});
