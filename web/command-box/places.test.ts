import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FINALES } from '../../contract/pedidos/estados.ts';
import { mayTransition, TRANSITION_NAMES, type TransitionName } from '../../contract/pedidos/flow.ts';
import { mayLoad, type SituationOrder, situationIds, situationOf, whyOrderStays } from '../../contract/pedidos/situation.ts';
import { SITUATION_IDS, type SituationId } from '../../contract/pedidos/situations.ts';
import type { PedidoFacts } from '../../contract/policy/facts.ts';
import { type Actor, can, ROLES } from '../../contract/policy/policy.ts';
import { actorOf, CASES, CLOCK, CONTRADICTS, orderWith } from '../../test/situations.ts';
import { customerMessage } from '../pagar/message.ts';
import { type Action, actionName, isOffered, rowActionsFor } from '../pedidos/actions/actions.ts';
import { ableIn } from '../pedidos/lote/able.ts';
import { paidWords } from '../pedidos/pagos/paid.tsx';
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
    receive: !!order.mercancia_at && can(actor, 'devolucion:manage'),
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
  const stays = ['eliminado', 'rechazado', 'espera_respuesta', 'en_empresa', 'recoge', 'sin_pagar'].includes(id);

  test.each(ROLES)('a %s reads its sentence in every place and is offered nothing that is refused', (role) => {
    const actor = actorOf(role);
    const { sentence } = situationOf(order, actor, CLOCK);
    expect(pedidoEntry(actor, order).hint).toBe(sentence);
    for (const { action } of rowActionsFor(actor, order as never))
      expect([actionName(action), isRefused(actor, actionName(action), order)]).toEqual([actionName(action), false]);
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

/* Words of each situation by place. A bracket holds the reason why the place says nothing. */

const PLAIN_CELL = '[the badge says it]';
const NO_PAPER = '[no trip: the note is the ordinary one]';
const STATUS = '[the customer reads how the order is going]';
type Words = { cell: string; paper: string; customer: string };
const WORDS: Record<SituationId, Words> = {
  eliminado: {
    cell: 'Eliminado el 25/11: hay que devolver 26,70 €',
    paper: 'Eliminado el 25/11',
    customer: '[its address answers 404]',
  },
  rechazado: {
    cell: 'Rechazado en la puerta',
    paper: 'lo rechazó',
    customer: 'Si lo quieres, dinos',
  },
  espera_respuesta: {
    cell: 'Por decidir: Ausente',
    paper: 'Por decidir',
    customer: 'Dinos qué día',
  },
  transferencia_avisada: {
    cell: 'Dice que ha pagado',
    paper: 'ha hecho la transferencia',
    customer: 'Nos has dicho que ya has hecho la transferencia',
  },
  por_reembolsar: { cell: 'Devolver 5,00 €', paper: NO_PAPER, customer: STATUS },
  en_empresa: { cell: 'Con Correos', paper: 'Con Correos', customer: 'Correos lleva tu pedido' },
  recoge: { cell: 'Lo recoge el cliente', paper: 'Lo recoge el cliente', customer: 'Recógelo en Olivares' },
  sin_pagar: { cell: PLAIN_CELL, paper: 'Por cobrar', customer: 'al recibir el pago' },
  atrasado: { cell: '4 días tarde', paper: NO_PAPER, customer: STATUS },
  sin_volver: { cell: 'Salió el 25/11', paper: NO_PAPER, customer: 'va de camino' },
  aplazado: { cell: 'Pidió otro día: el 28/11', paper: NO_PAPER, customer: STATUS },
  intento: { cell: '2.º intento: Ausente', paper: NO_PAPER, customer: 'Volveremos a intentarlo' },
  cargado: { cell: 'Cargado', paper: NO_PAPER, customer: STATUS },
  por_asignar: { cell: PLAIN_CELL, paper: NO_PAPER, customer: STATUS },
  asignado: { cell: PLAIN_CELL, paper: NO_PAPER, customer: STATUS },
  preparado: { cell: PLAIN_CELL, paper: NO_PAPER, customer: STATUS },
  en_reparto: { cell: PLAIN_CELL, paper: NO_PAPER, customer: 'va de camino' },
  por_cobrar: { cell: 'Por cobrar: 62,50 €', paper: NO_PAPER, customer: 'Queda por pagar' },
  cobro_en_empresa: { cell: 'Lo cobró Correos', paper: NO_PAPER, customer: STATUS },
  mercancia: { cell: 'Vuelve mercancía', paper: NO_PAPER, customer: 'entregado en parte' },
  entregado_en_parte: { cell: 'En parte', paper: NO_PAPER, customer: 'entregado en parte' },
  entregado: { cell: PLAIN_CELL, paper: NO_PAPER, customer: 'entregado' },
  cancelado_fuera: { cell: 'Vuelve mercancía', paper: NO_PAPER, customer: 'cancelado' },
  cancelado: { cell: PLAIN_CELL, paper: NO_PAPER, customer: 'cancelado' },
};

/** The customer's page of an order. */
function pageOf(order: SituationOrder & Record<string, unknown>): string {
  const attempts = order.intento_at ? [{ fecha: String(order.intento_at), causa: null }] : [];
  const waits = !!order.incidencia_at;
  const { title, text } = customerMessage({
    ...{
      numero_orden: 'ORD-1',
      empresa: 'Olivares',
      contra_reembolso: false,
      devoluciones: [],
      fecha_si_paga: null,
      transferencia_hasta: null,
    },
    ...{
      estado: order.estado,
      en_empresa: (order.en_empresa as string | undefined) ?? null,
      parcial: (order.entrega_parcial ? {} : null) as never,
    },
    ...{ pendiente: Number(order.pendiente ?? 0), por_pagar: Number(order.pendiente ?? 0) > 0 },
    intentos: waits && attempts.length === 0 ? [{ fecha: String(order.incidencia_at), causa: null }] : attempts,
    proximo_intento: waits ? null : '2026-11-30',
    situaciones: situationIds(order, CLOCK),
    transferencia_avisada: !!order.transferencia_avisada_at,
  });
  return `${title} ${text}`;
}

test.each(SITUATION_IDS)('%s is said in list, money, paper and the customer’s page, and contradicted in none', (id) => {
  const order = { ...orderWith(CASES[id][0]), id: '1', numero_orden: 'ORD-1', cliente_nombre: 'María', precio_total: 130, pagado: 130 };
  const { brief, sentence, next } = situationOf(order, actorOf('superadmin'), CLOCK);
  const { cell, paper, customer } = WORDS[id];
  const not = CONTRADICTS[id];
  expect([id, brief.replaceAll('\u00a0', ' ')]).toEqual([id, cell === PLAIN_CELL ? '' : cell]);
  // A delivery note of an order that stays begins with its sentence.
  const note = whyOrderStays(order) ? sentence : '';
  if (paper === NO_PAPER) expect([id, note]).toEqual([id, '']);
  else expect(note).toContain(paper);
  const reads = pageOf(order);
  if (!customer.startsWith('[')) expect([id, reads]).toEqual([id, expect.stringMatching(new RegExp(customer, 'i'))]);
  const money = paidWords(order as never) ?? '';
  for (const words of [brief, note, next?.label ?? '', money, customer.startsWith('[') ? '' : reads])
    expect([id, words]).not.toEqual([id, expect.stringMatching(not)]);
});
