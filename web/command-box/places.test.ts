import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { mayTransition, TRANSITION_NAMES, type TransitionName } from '../../contract/pedidos/flow.ts';
import { mayLoad, SITUATION_IDS, type SituationOrder, situationOf } from '../../contract/pedidos/situation.ts';
import type { PedidoFacts } from '../../contract/policy/facts.ts';
import { type Actor, can, ROLES } from '../../contract/policy/policy.ts';
import { actorOf, CASES, CLOCK, orderWith } from '../../test/situations.ts';
import { type Action, isOffered, nameOf, rowActionsFor } from '../pedidos/actions/actions.ts';
import { ableIn } from '../pedidos/lote/able.ts';
import { onSheet } from '../pedidos/print/sheets.ts';
import { pedidoEntry } from './entries.ts';

/* Every situation × place × role: each place tells the same sentence and offers no step that the server refuses. */

beforeEach(() => {
  vi.useFakeTimers({ now: CLOCK.now });
});
afterEach(() => {
  vi.useRealTimers();
});

const TAKES: Partial<Record<string, TransitionName>> = { complete: 'completar' };
/** True if the server refuses the action, by the rules that it applies. */
function isRefused(actor: Actor, name: string, order: SituationOrder): boolean {
  const facts = order as PedidoFacts;
  const transition = TRANSITION_NAMES.find((each) => each === (TAKES[name] ?? name));
  if (transition) return !mayTransition(actor, transition, facts);
  const needs: Partial<Record<Action['kind'], boolean>> = {
    assign: can(actor, 'paso:asignar', facts) && !['pendiente_pago', ...FINALES].includes(order.estado),
    answer: !!order.incidencia_at && can(actor, 'pedido:postpone', facts),
    takeOut: !!order.en_empresa_at,
    readAnswer: !!order.en_empresa_at,
    pay: Number(order.pendiente) > 0 && order.estado !== 'cancelado' && can(actor, 'pago:manage'),
    edit: can(actor, 'pedido:edit', facts),
    delete: can(actor, 'pedido:delete', facts),
    restore: can(actor, 'pedido:restore', facts),
  };
  return needs[name as Action['kind']] === false;
}

const BULK = ['assign', 'pay', 'preparar', 'salir', 'complete', 'cancelar', 'delete'];

describe.each(SITUATION_IDS)('%s', (id) => {
  const order = { ...orderWith(CASES[id][0]), id: '1', numero_orden: 'ORD-1', cliente_nombre: 'María' };
  const stays = ['eliminado', 'espera_respuesta', 'en_empresa', 'recoge', 'sin_pagar'].includes(id);

  test.each(ROLES)('a %s reads its sentence in every place and is offered nothing that is refused', (role) => {
    const actor = actorOf(role);
    const { sentence } = situationOf(order, actor, CLOCK);
    expect(pedidoEntry(actor, order).hint).toBe(sentence);
    for (const { action } of rowActionsFor(actor, order as never))
      expect([nameOf(action), isRefused(actor, nameOf(action), order)]).toEqual([nameOf(action), false]);
    for (const act of BULK) {
      const { none, words } = ableIn(actor, [order as never], act);
      expect([act, none]).toEqual([act, isRefused(actor, act, order)]);
      if (none) expect(words).toBe(`ORD-1: ${sentence}`);
    }
    if (isOffered(actor, order, 'responder')) expect(order.incidencia_at).toBeTruthy();
    if (isOffered(actor, order, 'pedir_pago'))
      expect([order.pendiente, order.transferencia_avisada_at]).toEqual([expect.any(Number), undefined]);
  });

  test('it is no stop and not loaded where it stays', () => {
    if (stays) expect([onSheet.ruta(order), mayLoad(order)]).toEqual([false, false]);
    else expect(onSheet.ruta(order)).toBe(!FINALES.includes(order.estado) && id !== 'transferencia_avisada');
  });
});

test('of several orders the bulk menu says how many may take a step', () => {
  const [waits, carried] = (['espera_respuesta', 'asignado'] as const).map((id) => ({ ...orderWith(CASES[id][0]), id, numero_orden: id }));
  expect(ableIn(actorOf('superadmin'), [waits, carried] as never, 'salir')).toEqual({ none: false, words: '1 de 2' });
});
