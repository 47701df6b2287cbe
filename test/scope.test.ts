import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EN_MANOS, ESTADOS, type Estado, FINALES, TRANSITIONS } from '../contract/pedidos.flow.ts';
import { type Actor, can, PEDIDO_RULES, type PedidoAction, ROLES, rolesOf, SISTEMA } from '../contract/policy.ts';
import { allowed } from '../server/pedidos/scope.ts';
import type { PedidoRow, UserRow } from './builders.ts';
import { createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

const actorOf = ({ id, role, full_name }: UserRow): Actor => ({ id, role, full_name });

/** Every estado × reseller × carrier × deleted that the database admits, for two people of each role. */
async function everyPedido() {
  const [revendedor, otroRevendedor] = [await world.user({ role: 'revendedor' }), await world.user({ role: 'revendedor' })];
  const [transportista, otroTransportista] = [await world.user({ role: 'transportista' }), await world.user({ role: 'transportista' })];
  const superadmin = await world.user({ role: 'superadmin' });
  const pack = await world.pack();
  const rows: PedidoRow[] = [];
  for (const estado of ESTADOS) {
    for (const revendedor_id of [revendedor.id, otroRevendedor.id, null]) {
      for (const transportista_id of [transportista.id, otroTransportista.id, null]) {
        const carried = transportista_id !== null;
        if (EN_MANOS.includes(estado) ? !carried : carried && !FINALES.includes(estado)) continue;
        for (const deleted_at of [null, new Date().toISOString()]) {
          rows.push(await world.pedido({ estado, revendedor_id, transportista_id, deleted_at, pack }));
        }
      }
    }
  }
  return { rows, people: [revendedor, otroRevendedor, transportista, otroTransportista, superadmin] };
}

const ACTIONS = Object.keys(PEDIDO_RULES) as PedidoAction[];

test('the SQL of every action on an order and can() are one rule', async () => {
  const { rows, people } = await everyPedido();
  expect(rows.length).toBeGreaterThan(60);
  expect(new Set(people.map((p) => p.role))).toEqual(new Set(ROLES));
  for (const action of ACTIONS) {
    for (const actor of [...people.map(actorOf), SISTEMA]) {
      const found = await world.db.selectFrom('pedidos').select('id').where(allowed(actor, action)).execute();
      const may = rows.filter((row) => can(actor, action, row));
      expect(found.map((row) => row.id).sort(), `${action} ${actor.full_name}`).toEqual(may.map((row) => row.id).sort());
      // Neither nobody's rows nor, but for a superadmin, everybody's: an empty rule would agree with itself.
      expect(may.length > 0, `${action} ${actor.role}`).toBe(
        rolesOf(action).includes(actor.role === 'sistema' ? 'superadmin' : actor.role),
      );
      if (actor.role === 'revendedor' || actor.role === 'transportista') expect(may.length).toBeLessThan(rows.length / 2);
    }
  }
});

describe('the state table', () => {
  test('reaches every estado from the two an order can start in', () => {
    const reached = new Set<Estado>(['pendiente_pago', 'pendiente']);
    for (const from of reached) for (const t of TRANSITIONS) if (t.from === from) reached.add(t.to);
    expect([...reached].sort()).toEqual([...ESTADOS].sort());
  });

  test('has one row for a pair, none out of a final estado and a way out of every other', () => {
    expect(new Set(TRANSITIONS.map((t) => `${t.from}>${t.to}`)).size).toBe(TRANSITIONS.length);
    for (const estado of ESTADOS)
      expect(
        TRANSITIONS.some((t) => t.from === estado),
        estado,
      ).toBe(!FINALES.includes(estado));
  });
});
