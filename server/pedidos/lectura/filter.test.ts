import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PedidoFilters } from '../../../contract/pedidos/filters.schemas.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { idsHolding, ordersFor, scopedOrders } from './filter.ts';
import { ordersAmong } from './list.ts';
import { lockPedidos } from './row.ts';

/* Which orders each filter finds, and who may use it. */

let world: World;
let people: Record<'superadmin' | 'revendedor' | 'transportista', Person>;
let office: Actor;
const names = new Map<string, string>();
beforeAll(async () => {
  world = await createWorld();
  await world.reset();
  people = await everyRole(world);
  office = actorOf('superadmin');
  const make = async (name: string, fields: Parameters<World['pedido']>[0], paid = 0) => {
    const { id } = await world.pedido({ revendedor_id: people.revendedor.user.id, precio_total_cents: 1000, ...fields });
    names.set(id, name);
    if (paid)
      await sql`INSERT INTO pagos (pedido_id, proveedor, referencia, importe_cents) VALUES (${id}, 'manual', '', ${paid}::int)`.execute(
        world.db,
      );
  };
  await make('unpaid', { estado: 'pendiente_pago', metadata: { color: 'rojo:vivo', talla: '1' } });
  await make('cent', { estado: 'pendiente', metadata: { color: 'rojo' }, cliente_ciudad: 'Toledo' }, 1);
  await make('part', { estado: 'pendiente', cliente_ciudad: 'Toledo' }, 999);
  await make('paid', { estado: 'pendiente' }, 1000);
  await make('carried', { estado: 'asignado', transportista_id: people.transportista.user.id }, 1000);
  await make('cancelled', { estado: 'cancelado' });
  await make('deleted', { estado: 'pendiente', deleted_at: new Date().toISOString() });
  return world.close;
});
const actorOf = (role: keyof typeof people): Actor => ({ id: people[role].user.id, role, full_name: role });
const idOf = (name: string) => [...names].find(([, known]) => known === name)?.[0] ?? '';
const found = async (f: PedidoFilters, actor = office) =>
  (await ordersFor(world.db, actor, f).select('id').execute()).map(({ id }) => names.get(id) ?? '').sort();

describe('a list finds the orders', () => {
  it.each<[PedidoFilters, string[]]>([
    [{}, ['cancelled', 'carried', 'cent', 'paid', 'part', 'unpaid']],
    [{ pagado: 'si' }, ['carried', 'paid']],
    [{ pagado: 'falta' }, ['cent', 'part', 'unpaid']],
    [{ pagado: 'parte' }, ['cent', 'part']],
    [{ pagado: 'no' }, ['unpaid']],
    [{ metadata: 'color:rojo:vivo' }, ['unpaid']],
    [{ metadata: 'color:rojo' }, ['cent']],
    [{ metadata: 'talla:1' }, ['unpaid']],
    [{ eliminados: 'si' }, ['deleted']],
    [{ transportista_id: 'sin' }, ['cancelled', 'cent', 'paid', 'part', 'unpaid']],
    [{ ciudad: 'Toledo', pagado: 'parte' }, ['cent', 'part']],
    [{ estado: ['cancelado', 'asignado'] }, ['cancelled', 'carried']],
    [{ search: 'a' }, ['cancelled', 'carried', 'cent', 'paid', 'part', 'unpaid']],
    [{ search: 'toledo' }, ['cent', 'part']],
  ] as [PedidoFilters, string[]][])('%j', async (f, wanted) => expect(await found(f)).toEqual(wanted));

  it('of one shipment file', async () => {
    const shipment = async (...orders: string[]) => {
      const { rows } = await sql<{
        id: string;
      }>`INSERT INTO envios (plantilla_id, empresa, creado_por_nombre) SELECT min(id), 'SEUR', 'Olga' FROM plantillas_envio RETURNING id`.execute(
        world.db,
      );
      for (const name of orders)
        await sql`INSERT INTO envios_pedidos (envio_id, pedido_id) VALUES (${rows[0]?.id}, ${idOf(name)})`.execute(world.db);
      return rows[0]?.id ?? '';
    };
    const one = await shipment('paid', 'cent');
    await shipment('part');
    expect(await found({ envio_id: one })).toEqual(['cent', 'paid']);
  });

  it('that are named, of those in the list', async () => {
    const ids = ['paid', 'cent', 'deleted'].map(idOf);
    expect(await found({ ids })).toEqual(['cent', 'paid']);
    const shown = await ordersAmong(world.db, actorOf('transportista'), ['paid', 'carried', 'part'].map(idOf));
    expect(shown.map(({ id }) => names.get(id))).toEqual(['carried']);
    expect(shown[0]).toMatchObject({ lineas: [{ numero: 1 }], cliente: expect.anything() });
    expect(await ordersAmong(world.db, office, [])).toEqual([]);
    expect(await found({ eliminados: 'si' }, actorOf('revendedor'))).toEqual([]);
  });
});

describe('a filter by what is hidden is refused', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  it.each<[PedidoFilters, string[]]>([
    [{}, []],
    [{ devolucion: 'pendiente' }, ['revendedor', 'transportista']],
    [{ cliente_id: id }, ['transportista']],
    [{ envio_id: id }, ['revendedor', 'transportista']],
    [{ pagado: 'si' }, ['transportista']],
    [{ metadata: 'a:b' }, ['revendedor', 'transportista']],
    [{ eliminados: 'si' }, []],
  ] as [PedidoFilters, string[]][])('%j to %j', (f, roles) => {
    const refused = (['superadmin', 'revendedor', 'transportista'] as const).filter((role) => {
      try {
        scopedOrders(world.db, actorOf(role), f);
        return false;
      } catch (error) {
        expect(error).toMatchObject({ status: 403 });
        return true;
      }
    });
    expect(new Set(refused)).toEqual(new Set(roles));
  });
});

describe('the ids of a search', () => {
  it('are those of all orders with its words, none for a whole number or no search', async () => {
    expect((await idsHolding(world.db, 'toledo'))?.ids.map((id) => names.get(id)).sort()).toEqual(['cent', 'part']);
    expect(await idsHolding(world.db, 'toledo')).toMatchObject({ all: true });
    expect(await idsHolding(world.db, 'nowhere')).toEqual({ ids: [], all: true });
    for (const search of [undefined, 'a', 'ORD-2026-000001']) expect(await idsHolding(world.db, search)).toBeUndefined();
  });
});

it('many orders are locked at once, and one that is hidden refuses itself alone', async () => {
  const ids = ['cancelled', 'carried'].map(idOf);
  const outcomes = await transact(world.db, (tx) => lockPedidos(tx, actorOf('transportista'), ids));
  expect(outcomes.get(ids[1] ?? '')).toMatchObject({ id: ids[1] });
  expect(outcomes.get(ids[0] ?? '')).toMatchObject({ status: 404 });
});
