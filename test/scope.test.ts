import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as clientesSchemas from '../contract/clientes/schemas.ts';
import { type Condition, conditionHolds, SELF } from '../contract/kit/condition.ts';
import * as liquidacionesSchemas from '../contract/liquidaciones/schemas.ts';
import { EN_MANOS, ESTADOS, FINALES } from '../contract/pedidos/estados.ts';
import { pedidosQuery } from '../contract/pedidos/filters.schemas.ts';
import { estadoBody } from '../contract/pedidos/schemas.ts';
import {
  type Actor,
  can,
  PEDIDO_RULES,
  type PedidoAction,
  type Person,
  ROLES,
  type Role,
  roleMay,
  SISTEMA,
} from '../contract/policy/policy.ts';
import * as transportistaSchemas from '../contract/transportista/schemas.ts';
import { LISTA_NAMES } from '../contract/vistas/fields.ts';
import { listClientes } from '../server/clientes/clientes.ts';
import { listStatements, readOpen } from '../server/liquidaciones/liquidaciones.ts';
import { totalsQuery } from '../server/pedidos/lectura/filter.ts';
import { listPedidos } from '../server/pedidos/lectura/list.ts';
import { findPedido } from '../server/pedidos/lectura/row.ts';
import { allowedSql, conditionSql } from '../server/pedidos/lectura/scope.ts';
import { setEstado } from '../server/pedidos/pasos/transition.ts';
import { listAvailable, listTowns } from '../server/transportista/available.ts';
import { listVistas } from '../server/vistas/vistas.ts';
import type { PedidoRow, UserRow } from './builders.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const actorOf = ({ id, role, full_name }: UserRow): Actor => ({ id, role, full_name });

/** Creates two people of each role, and orders in every combination of estado, reseller, carrier and deletion that the database admits. */
async function everyPedido() {
  const people = await Promise.all([...ROLES, ...ROLES].map((role) => world.user({ role })));
  const idsOf = (role: Role) => [...people.filter((p) => p.role === role).map(({ id }) => id), null];
  const pack = await world.pack();
  const rows: PedidoRow[] = [];
  for (const estado of ESTADOS) {
    for (const revendedor_id of idsOf('revendedor')) {
      for (const transportista_id of idsOf('transportista')) {
        const carried = transportista_id !== null;
        if (EN_MANOS.includes(estado) ? !carried : carried && !FINALES.includes(estado)) continue;
        for (const deleted_at of [null, new Date().toISOString()]) {
          const fields = { estado, revendedor_id, transportista_id, deleted_at, pack };
          rows.push(await world.pedido(fields));
          if (estado === 'en_ruta') rows.push(await world.pedido({ ...fields, contra_reembolso: true }));
        }
      }
    }
  }
  return { rows, actors: [...people.map(actorOf), SISTEMA] };
}

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();

test('the SQL of every action on an order agrees with can()', async () => {
  const { rows, actors } = await everyPedido();
  expect(rows.length).toBeGreaterThan(60);
  for (const action of Object.keys(PEDIDO_RULES) as PedidoAction[]) {
    for (const actor of actors) {
      const name = `${action} ${actor.role}`;
      const found = await world.db.selectFrom('pedidos').select('id').where(allowedSql(actor, action)).execute();
      const may = rows.filter((row) => can(actor, action, row));
      expect(idsOf(found), name).toEqual(idsOf(may));
      // Guards against trivial rules: some rows pass, and for resellers and carriers less than half.
      expect(may.length > 0, name).toBe(roleMay(ROLES.find((role) => role === actor.role) ?? 'superadmin', action));
      if (actor.role !== 'revendedor' && actor.role !== 'transportista') continue;
      expect(may.length, name).toBeLessThan(rows.length / 2);
      expect(
        may.filter((row) => row.deleted_at),
        name,
      ).toEqual([]);
    }
  }
});

test('any condition gives the same result in SQL and in TypeScript, also for a null column', async () => {
  const { rows, actors } = await everyPedido();
  const values: Condition[] = [
    ...[null, ...ESTADOS].map((is) => ({ column: 'estado', is })),
    ...[null, SELF].flatMap((is) => ['revendedor_id', 'transportista_id'].map((column) => ({ column, is }))),
    { column: 'deleted_at', is: null },
  ];
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Condition>(...values),
      fc.record({ not: tie('condition') }),
      fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(condition, fc.constantFrom(...actors), async (rule, actor) => {
      const found = await world.db.selectFrom('pedidos').select('id').where(conditionSql(rule, actor)).execute();
      expect(idsOf(found)).toEqual(idsOf(rows.filter((row) => conditionHolds(rule, actor, row))));
    }),
    { numRuns: 200 },
  );
});

describe('a person whose role this version does not know', () => {
  const stranger = async () => ({ ...actorOf(await world.user({ role: 'revendedor' })), role: 'almacen' }) as unknown as Person;

  test('a person with an unknown role reads no orders, not even their own, and no totals', async () => {
    await everyPedido();
    const me = await stranger();
    const { id } = await world.pedido({ revendedor_id: me.id, estado: 'pendiente_pago' });
    for (const action of Object.keys(PEDIDO_RULES) as PedidoAction[])
      expect(await world.db.selectFrom('pedidos').select('id').where(allowedSql(me, action)).execute(), action).toEqual([]);
    await expect(listPedidos(world.db, me, pedidosQuery.parse({ revendedor_id: me.id }))).rejects.toMatchObject({ status: 403 });
    for (const filter of [{}, { search: 'pedido' }]) {
      expect(await listPedidos(world.db, me, pedidosQuery.parse(filter))).toMatchObject({ data: [], total: 0 });
      for (const each of ['all', 'day'] as const) expect(totalsQuery(world.db, me, filter, each)).toBeUndefined();
    }
    expect(await listAvailable(world.db, me, transportistaSchemas.listDisponibles.query.parse({}))).toMatchObject({ data: [], total: 0 });
    for (const de of ['asignados', 'disponibles'] as const) expect(await listTowns(world.db, me, { de })).toEqual([]);
    await expect(findPedido(world.db, me, id)).rejects.toMatchObject({ status: 404 });
    await expect(setEstado(world.db, me, id, estadoBody.parse({ estado: 'cancelado' }))).rejects.toMatchObject({ status: 404 });
  });

  test('a person with an unknown role has no customers, statements or views', async () => {
    const me = await stranger();
    await world.pedido({ revendedor_id: me.id });
    expect(await listClientes(world.db, me, clientesSchemas.listClientes.query.parse({}))).toMatchObject({ data: [], total: 0 });
    expect(await listStatements(world.db, me, liquidacionesSchemas.listLiquidaciones.query.parse({}))).toMatchObject({
      data: [],
      total: 0,
    });
    expect((await readOpen(world.db, me, liquidacionesSchemas.getAbierta.query.parse({}))).personas).toEqual([]);
    for (const lista of LISTA_NAMES) await expect(listVistas(world.db, me, lista)).rejects.toMatchObject({ status: 403 });
  });
});
