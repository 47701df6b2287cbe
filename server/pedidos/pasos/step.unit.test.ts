import { describe, expect, test } from 'vitest';
import { ESTADOS, type Estado, FINALES } from '../../../contract/pedidos/estados.ts';
import { mayTransition, TRANSITIONS, type TransitionInput, type TransitionName, transitionsTo } from '../../../contract/pedidos/flow.ts';
import { type Action, type Actor, SISTEMA } from '../../../contract/policy/policy.ts';
import { STATE_TABLE } from '../../../test/state-table.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { BACK, computeStep, endsOutside, refuseStaying, refuseStep } from './step.ts';

const AT = '2026-03-29T10:00:00.000Z';
const SOON = '2026-03-30T10:00:00.000Z';
const admin: Actor = { id: 'a', role: 'superadmin', full_name: 'Ada' };
const carrier: Actor = { id: 'c', role: 'transportista', full_name: 'Celia' };
const reseller: Actor = { id: 'r', role: 'revendedor', full_name: 'Rita' };
const strangers: Actor[] = [
  { ...carrier, id: 'otra' },
  { ...reseller, id: 'otra' },
];
const program = (...scopes: Action[]): Actor => ({ id: 'k', role: 'programa', full_name: 'ERP', scopes });
/** People with an unknown role; `constructor` is also a property that every object inherits. */
const unknown = ['almacen', 'constructor'].map((role) => ({ id: 'c', role, full_name: 'Nuria' }) as unknown as Actor);

const held = (estado: Estado) => !['pendiente_pago', 'pendiente', 'cancelado'].includes(estado);
const order = (estado: Estado, more: Partial<PedidoRow> = {}) =>
  ({
    estado,
    revendedor_id: 'r',
    transportista_id: held(estado) ? 'c' : null,
    transportista_nombre: held(estado) ? 'Celia' : null,
    unidades_retenidas: 6,
    motivo: 'Ausente',
    version: 3,
    deleted_at: null,
    ...more,
  }) as PedidoRow;
const fields = {
  referencia: 'TRF-1',
  motivo: 'Ausente otra vez',
  metodo_entrega: 'mrw',
  transportista_id: 'c',
  transportista_nombre: 'Celia',
};
const status = (run: () => unknown) => {
  try {
    run();
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
};

const words = (run: () => unknown) => {
  try {
    run();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the state table', () => {
  const pairs = Object.values(TRANSITIONS).flatMap(({ from, to }) => from.map((estado) => `${estado}>${to}`));

  test('the state table matches the design, and has no way out of final estados', () => {
    expect([...new Set(pairs)].sort()).toEqual(STATE_TABLE.map(({ from, to }) => `${from}>${to}`).sort());
    const reached = new Set<string>(['pendiente_pago', 'pendiente']);
    for (const from of reached) for (const row of STATE_TABLE) if (row.from === from) reached.add(row.to);
    expect([...reached].sort()).toEqual([...ESTADOS].sort());
    for (const estado of ESTADOS)
      expect([estado, pairs.some((pair) => pair.startsWith(`${estado}>`))]).toEqual([estado, !FINALES.includes(estado)]);
  });

  test('only taking and assigning join the same two estados, so calls need not name the transition', () => {
    expect(pairs.filter((pair, i) => pairs.indexOf(pair) !== i)).toEqual(['pendiente>asignado']);
    expect(transitionsTo(admin, order('pendiente'), 'asignado')).toEqual(['asignar']);
    expect(transitionsTo(carrier, order('pendiente'), 'asignado')).toEqual(['tomar']);
    expect(transitionsTo(admin, order('pendiente_pago'), 'asignado')).toEqual([]);
  });

  const each = (Object.keys(TRANSITIONS) as TransitionName[]).flatMap((name) =>
    TRANSITIONS[name].from.map((from) => [name, from] as const),
  );

  test.each(each)('the state table allows %s from %s to the roles of the design, for their own orders', (name, from) => {
    const row = STATE_TABLE.find((x) => x.from === from && x.to === TRANSITIONS[name].to);
    const its = row && { superadmin: null, carrier, owner: reseller }[row.who];
    const office = [admin, SISTEMA, program('pedido:transition')];
    const others = [carrier, reseller, ...strangers, ...unknown, program('pedido:read', 'pedido:edit')];
    for (const actor of [...office, ...others]) {
      const may =
        name === 'tomar' ? ['c', 'otra'].includes(actor.id ?? '') && actor.role === 'transportista' : [...office, its].includes(actor);
      const tried = status(() => computeStep(order(from), { name, ...fields } as TransitionInput, actor, AT, SOON));
      expect([actor.role, actor.id, tried]).toEqual([actor.role, actor.id, may ? 200 : 403]);
    }
  });

  test('the state table offers one transition to each estado of the design, and no further transition', () => {
    for (const from of ESTADOS)
      for (const to of ESTADOS) {
        const row = STATE_TABLE.find((x) => x.from === from && x.to === to);
        for (const actor of [admin, SISTEMA, carrier, reseller, ...strangers])
          expect([from, to, transitionsTo(actor, order(from), to).length]).toEqual([from, to, row ? 1 : 0]);
      }
  });

  test('the state table lets programs make the transitions that their endpoints’ permissions imply', () => {
    const may = (actor: Actor) => each.filter(([name, from]) => mayTransition(actor, name, order(from))).map(([name]) => name);
    expect(may(program('pedido:assign'))).toEqual(['asignar', 'devolver']);
    expect(may(program('pago:manage'))).toEqual(['pagar']);
  });

  test('a transition is refused for a deleted order and from a wrong estado', () => {
    expect(status(() => computeStep(order('asignado', { deleted_at: AT }), { name: 'salir' }, admin, AT, SOON))).toBe(409);
    for (const estado of ['en_ruta', 'pendiente', 'completado'] as const)
      expect(status(() => computeStep(order(estado), { name: 'salir' }, admin, AT, SOON))).toBe(409);
  });
});

describe('a transition', () => {
  const made = (from: Estado, input: TransitionInput) => computeStep(order(from), input, admin, AT, SOON);

  test.each<[Estado, TransitionInput, object, string | null]>([
    ['pendiente_pago', { name: 'pagar', referencia: 'TRF-1' }, { estado: 'pendiente', fecha_pago: AT, fecha_estimada: SOON }, 'TRF-1'],
    ['asignado', { name: 'salir' }, { estado: 'en_ruta', salio_at: AT }, null],
    ['asignado', { name: 'devolver' }, { estado: 'pendiente', transportista_id: null, transportista_nombre: null }, null],
    [
      'en_ruta',
      { name: 'fallar', motivo: 'Cerrado' },
      { estado: 'asignado', motivo: 'Cerrado', cargado_at: null, salio_at: null, aplazado_at: null },
      'Cerrado',
    ],
    ['en_proceso', { name: 'volver', motivo: 'Sin furgoneta' }, { estado: 'asignado', cargado_at: null }, 'Sin furgoneta'],
    [
      'pendiente',
      { name: 'asignar', transportista_id: 'c', transportista_nombre: 'Celia', empresa_transporte: 'mrw' },
      { estado: 'asignado', transportista_id: 'c', transportista_nombre: 'Celia', empresa_transporte: 'mrw' },
      null,
    ],
    [
      'en_ruta',
      { name: 'completar', metodo_entrega: 'mrw', empresa_transporte: null },
      {
        estado: 'completado',
        fecha_completado: AT,
        metodo_entrega: 'mrw',
        numero_seguimiento: null,
        motivo: null,
        incidencia_at: null,
        iva_regimen: 'interior',
        ...BACK,
      },
      null,
    ],
  ])('a transition from %s by %j sets the columns and the note of the history', (from, input, set, nota) => {
    expect(made(from, input)).toEqual({ set, accion: TRANSITIONS[input.name].label, nota, returned: 0 });
  });

  test('a transition that cancels an order returns its held units', () => {
    expect(made('asignado', { name: 'cancelar' })).toMatchObject({ set: { estado: 'cancelado', unidades_retenidas: 0 }, returned: 6 });
    expect(computeStep(order('asignado', { unidades_retenidas: 0 }), { name: 'cancelar' }, admin, AT, SOON).returned).toBe(0);
  });
});

describe('a step of an order that must stay', () => {
  const COMPANY = 'Lo lleva MRW: antes hay que sacarlo de su envío';
  const COLLECTED = 'Lo recoge el cliente en la tienda: para llevarlo, elige antes otro día de entrega';
  const WAITING = 'El pedido espera respuesta: antes hay que decir qué se hace con él';
  const steps: [TransitionName, Estado, [company: string, collected: string, waiting: string]][] = [
    ['asignar', 'pendiente', [COMPANY, COLLECTED, '']],
    ['salir', 'asignado', [COMPANY, COLLECTED, WAITING]],
    ['preparar', 'asignado', [COMPANY, COLLECTED, WAITING]],
    ['devolver', 'asignado', ['', '', '']],
    ['completar', 'asignado', ['', '', '']],
    ['cancelar', 'asignado', ['', '', '']],
    ['fallar', 'en_ruta', ['', '', '']],
  ];

  test.each(steps)('%s from %s is refused with the reason', (name, from, expected) => {
    const refusal = (more: Partial<PedidoRow>) =>
      words(() => computeStep(order(from, more), { name, ...fields } as TransitionInput, admin, AT, SOON));
    expect(refusal({})).toBe('');
    expect([{ en_empresa: 'MRW' }, { recoge_at: AT }, { incidencia_at: AT }].map(refusal)).toEqual(expected);
  });

  test('an order that waits for an answer may change its carrier', () => {
    expect(words(() => refuseStaying({ en_empresa: null, recoge_at: null, incidencia_at: AT }))).toBe('');
    expect(words(() => refuseStaying({ en_empresa: null, recoge_at: null, incidencia_at: AT }, true))).toBe(WAITING);
  });

  test('a step to the present estado, or to one that no step leads to, is refused in words', () => {
    const refusal = (name: TransitionName | undefined, from: Estado, to: Estado) => words(() => refuseStep(admin, order(from), name, to));
    expect(refusal('salir', 'en_ruta', 'en_ruta')).toBe('El pedido ya está en estado «En Ruta»');
    expect(refusal(undefined, 'asignado', 'pendiente_pago')).toBe(
      'El pedido está en estado «Asignado» y no puede pasar a «Pendiente Pago»',
    );
    expect(refusal('salir', 'pendiente', 'en_ruta')).toBe('El pedido está en estado «Pendiente» y no puede pasar a «En Ruta»');
  });
});

describe('columns of a step', () => {
  test.each<[string, Partial<PedidoRow>, TransitionInput, object]>([
    [
      'a payment keeps a promised date that was set by hand',
      { fecha_estimada_fijada: true },
      { name: 'pagar', referencia: 'x' },
      { fecha_pago: AT },
    ],
    ['a carrier takes the order', {}, { name: 'tomar', transportista_id: 'd', transportista_nombre: 'Dora' }, { transportista_id: 'd' }],
    ['a company is named', {}, { name: 'completar', metodo_entrega: 'fedex', empresa_transporte: 'mrw' }, { empresa_transporte: 'mrw' }],
    ['a company named before stays', { empresa_transporte: 'mrw' }, { name: 'completar', metodo_entrega: 'fedex' }, {}],
    [
      'a company delivers an order that was to go by hand',
      { empresa_transporte: 'manual' },
      { name: 'completar', metodo_entrega: 'fedex' },
      { empresa_transporte: 'fedex' },
    ],
    ['another way names no company', { empresa_transporte: 'manual' }, { name: 'completar', metodo_entrega: 'otro' }, {}],
    ['no company comes of a cancellation', { empresa_transporte: 'manual' }, { name: 'cancelar' }, {}],
    ['a tracking number', {}, { name: 'completar', metodo_entrega: 'fedex', numero_seguimiento: 'S1' }, { numero_seguimiento: 'S1' }],
  ])('%s', (_, fields, input, wanted) => {
    const from = { pagar: 'pendiente_pago', tomar: 'pendiente', completar: 'en_ruta' }[input.name as string] ?? 'asignado';
    const who = input.name === 'tomar' ? carrier : admin;
    const { set } = computeStep(order(from as Estado, fields), input, who, AT, SOON);
    expect(set).toMatchObject(wanted);
    for (const name of ['empresa_transporte', 'fecha_estimada'] as const) expect([name, name in set]).toEqual([name, name in wanted]);
  });

  test.each<[string, Partial<PedidoRow>, boolean]>([
    ['on its way', { estado: 'en_ruta' }, true],
    ['in the shop', { estado: 'asignado' }, false],
    ['loaded', { estado: 'asignado', cargado_at: AT }, true],
    ['in a company’s hands', { estado: 'pendiente', en_empresa: 'MRW' }, true],
    ['not delivered, and waiting for an answer', { estado: 'asignado', incidencia_at: AT }, true],
    ['not delivered, and collected in the shop', { estado: 'asignado', incidencia_at: AT, recoge_at: AT }, false],
    ['collected in the shop', { estado: 'asignado', recoge_at: AT }, false],
  ])('the goods of an order that ends %s are expected back: %#', (_, fields, isOut) => {
    expect(Object.keys(endsOutside(order('asignado', fields)))).toEqual(isOut ? ['mercancia_at'] : []);
    const { set } = computeStep(order('asignado', fields), { name: 'cancelar' }, admin, AT, SOON);
    expect('mercancia_at' in set).toBe(isOut);
  });
});
