import { describe, expect, test } from 'vitest';
import { AT, actorOf as actor, CASES, CLOCK, orderWith as order } from '../../test/situations.ts';
import { ROLES, type Role } from '../policy/policy.ts';
import { ESTADOS } from './estados.ts';
import { businessDay, mayLoad, mayPrepare, type SituationOrder, situationOf } from './situation.ts';
import { SITUATION_IDS, type SituationId } from './situations.ts';

/** Steps that each role is offered, the next one first; `-` for no next step. */
const OFFERED: Partial<Record<SituationId, Partial<Record<Role, string>>>> = {
  eliminado: { superadmin: 'reembolsar restaurar' },
  rechazado: { superadmin: 'responder completar', revendedor: 'responder', transportista: '- completar' },
  espera_respuesta: { superadmin: 'responder completar', revendedor: 'responder', transportista: '- completar' },
  transferencia_avisada: { superadmin: 'cobrar cancelar', revendedor: 'cancelar' },
  por_reembolsar: { superadmin: 'reembolsar' },
  en_empresa: { superadmin: 'leer_respuesta sacar completar' },
  recoge: { superadmin: 'completar' },
  sin_pagar: { superadmin: 'cobrar pedir_pago cancelar', revendedor: 'pedir_pago cancelar' },
  atrasado: { superadmin: 'preparar salir completar', transportista: 'salir completar preparar' },
  sin_volver: { superadmin: 'completar fallar', transportista: 'completar fallar' },
  aplazado: { superadmin: 'preparar salir completar', transportista: 'salir completar preparar' },
  intento: { superadmin: 'salir completar preparar', transportista: 'salir completar preparar' },
  cargado: { superadmin: 'salir completar', transportista: 'salir completar' },
  por_asignar: { superadmin: 'asignar completar', transportista: 'tomar' },
  asignado: { superadmin: 'preparar salir completar', transportista: 'salir completar preparar' },
  preparado: { superadmin: 'salir completar', transportista: 'salir completar' },
  en_reparto: { superadmin: 'completar fallar', transportista: 'completar fallar' },
  por_cobrar: { superadmin: 'cobrar pedir_pago', revendedor: 'pedir_pago' },
  mercancia: { superadmin: 'recibir' },
  cancelado_fuera: { superadmin: 'recibir' },
};

describe.each(SITUATION_IDS)('%s', (id) => {
  const [fields, sentence] = CASES[id];
  test('the sentence of a situation says what, why and since when', () => {
    expect(situationOf(order(fields), actor('superadmin'), CLOCK)).toMatchObject({ id, sentence, more: [] });
  });

  test.each(ROLES)('%s is offered its steps, the next one first', (role) => {
    const { next, others } = situationOf(order(fields), actor(role), CLOCK);
    expect([next?.paso ?? '-', ...others.map(({ paso }) => paso)].join(' ')).toBe(OFFERED[id]?.[role] ?? '-');
  });
});

test('an order that waits, is with a company, is collected or unpaid does not leave', () => {
  const stays = SITUATION_IDS.filter((id) => !situationOf(order(CASES[id][0]), actor('superadmin'), CLOCK).mayLeave);
  expect(stays).toEqual([
    ...['eliminado', 'rechazado', 'espera_respuesta', 'transferencia_avisada', 'por_reembolsar', 'en_empresa', 'recoge', 'sin_pagar'],
    ...['por_cobrar', 'cobro_en_empresa', 'mercancia', 'entregado_en_parte', 'entregado', 'cancelado_fuera', 'cancelado'],
  ]);
});

test('an order in several situations tells the most important one, the others beside it, and their steps', () => {
  const fields = {
    estado: 'asignado',
    incidencia_at: AT,
    motivo: 'Correos: Ausente',
    en_empresa: 'Correos',
    en_empresa_at: AT,
    por_reembolsar: 5,
  };
  const found = situationOf(order(fields as Partial<SituationOrder>), actor('superadmin'), CLOCK);
  expect(found).toMatchObject({
    id: 'espera_respuesta',
    more: ['Hay que devolver 5,00\u00a0€ a María', 'Con Correos desde el 25/11'],
    mayLeave: false,
  });
  expect([found.next?.paso, ...found.others.map(({ paso }) => paso)]).toEqual(['responder', 'reembolsar', 'leer_respuesta']);
});

test('a late order of a company says once how late the order is', () => {
  const held = { estado: 'asignado', en_empresa: 'Correos', en_empresa_at: AT, fecha_estimada: '2026-11-23T11:00:00Z' } as const;
  const { sentence, more } = situationOf(order(held), actor('superadmin'), CLOCK);
  expect([sentence, ...more].join(' · ').match(/4 días tarde/g)).toHaveLength(1);
});

test('the day of the promise decides what is late, in the time zone of the business', () => {
  const late = (now: string) =>
    situationOf(order({ fecha_estimada: '2026-11-26T22:30:00Z' }), actor('superadmin'), { ...CLOCK, now: new Date(now) });
  expect(late('2026-11-26T22:59:00Z').id).toBe('por_asignar');
  expect(late('2026-11-26T23:01:00Z')).toMatchObject({ id: 'atrasado', sentence: 'Prometido para el 26/11: 1 día tarde' });
});

test('the sentence does not name the carrier to the carrier', () => {
  const late = order({ ...CASES.atrasado[0], transportista_id: actor('transportista').id, transportista_nombre: 'Tomás' });
  expect(situationOf(late, actor('superadmin'), CLOCK).sentence).toMatch(/Lo lleva Tomás$/);
  expect(situationOf(late, actor('transportista'), CLOCK).sentence).toMatch(/tarde$/);
});

test('every estado has a sentence', () => {
  for (const estado of ESTADOS) expect(situationOf(order({ estado }), actor('superadmin'), CLOCK).sentence).not.toBe('');
});

test.each([
  ['pendiente', {}, true, false],
  ['pendiente_pago', {}, false, false],
  ['asignado', {}, true, true],
  ['en_proceso', {}, true, true],
  ['en_ruta', {}, true, false],
  ['completado', {}, false, false],
  ['asignado', { incidencia_at: AT }, false, false],
  // With a company or for the customer to collect: picked, but not loaded.
  ['asignado', { en_empresa: 'Correos', en_empresa_at: AT }, true, false],
  ['asignado', { recoge_at: AT }, true, false],
] as const)('an order %s with %j is picked (%s) and may be loaded (%s)', (estado, fields, picked, loaded) => {
  const one = order({ estado, ...fields });
  expect([mayPrepare(one), mayLoad(one)]).toEqual([picked, loaded]);
});

test.each<[string, Partial<SituationOrder>, string]>([
  [
    'of the first attempt',
    { estado: 'asignado', intento_at: AT, intentos: 1 },
    '1.er intento el 25/11. Lo lleva Javier. Prometido para el 28/11',
  ],
  ['of no counted attempt', { estado: 'asignado', intento_at: AT }, '0.º intento el 25/11. Lo lleva Javier. Prometido para el 28/11'],
  ['without a promise', { estado: 'asignado', fecha_estimada: null }, 'Lo lleva Javier'],
  ['with nothing to pay', { estado: 'pendiente_pago', pendiente: 0 }, 'Por cobrar desde el 25/11'],
  ['with a cent to pay', { estado: 'completado', pendiente: 0.01 }, 'Entregado el 27/11 y por cobrar: 0,01\u00a0€'],
  ['with one euro to pay', { estado: 'completado', pendiente: 1 }, 'Entregado el 27/11 y por cobrar: 1,00\u00a0€'],
  ['paid beyond its total', { estado: 'completado', pendiente: -5 }, 'Entregado el 27/11'],
  [
    'with goods that stray with nobody',
    { estado: 'en_ruta', salio_at: AT, transportista_nombre: null },
    'Salió el 25/11 y no se ha entregado ni ha vuelto',
  ],
  ['promised for later, that strays', { estado: 'en_ruta', salio_at: '2026-11-28T20:00:00Z' }, 'En reparto con Javier'],
])('the sentence of an order %s', (_, fields, sentence) =>
  expect(situationOf(order(fields), actor('superadmin'), CLOCK).sentence).toBe(sentence),
);

test('its carrier is not told who carries it, and reads the rest of the sentence', () => {
  const mine = order({ estado: 'asignado', aplazado_at: AT, transportista_id: 'transportista' });
  const sentenceFor = (role: Role) => situationOf(mine, actor(role), CLOCK).sentence;
  expect([sentenceFor('transportista'), sentenceFor('superadmin')]).toEqual([
    'El cliente pidió otro día: el 28/11',
    'El cliente pidió otro día: el 28/11. Lo lleva Javier',
  ]);
});

test('a situation has the time since which it holds, if it has one', () => {
  const since = (fields: Partial<SituationOrder>) => situationOf(order(fields), actor('superadmin'), CLOCK).since;
  expect([since({ estado: 'asignado', aplazado_at: AT }), since({ estado: 'asignado' }), since({ estado: 'en_ruta' })]).toEqual([
    AT,
    null,
    null,
  ]);
});

test('a day of the business begins at its own midnight', () => {
  const at = '2026-11-26T23:30:00Z';
  expect([businessDay(at, 'Europe/Madrid'), businessDay(at, 'UTC'), businessDay(at, 'Europe/Madrid')]).toEqual([
    '2026-11-27',
    '2026-11-26',
    '2026-11-27',
  ]);
});

test.each(['anonimizado_at', 'bloqueado_at'] as const)('with %s no answer is asked for; money is paid back all the same', (sealed) => {
  const steps = (fields: Partial<SituationOrder>) => {
    const { next, others } = situationOf(order({ ...fields, [sealed]: AT }), actor('superadmin'), CLOCK);
    return [next, ...others].map((each) => each?.paso);
  };
  expect(steps(CASES.espera_respuesta[0])).not.toContain('responder');
  expect(steps(CASES.por_reembolsar[0])).toEqual(['reembolsar']);
});

test('an order with sealed data offers no step that needs the data', () => {
  const { next } = situationOf(order({ ...CASES.espera_respuesta[0], bloqueado_at: AT }), actor('revendedor'), CLOCK);
  expect(next).toBeUndefined();
});

test('the brief words of a situation leave out what the list shows beside them; a plain estado has none', () => {
  const briefs = SITUATION_IDS.map((id) => [id, situationOf(order(CASES[id][0]), actor('superadmin'), CLOCK).brief.replace(/\s/g, ' ')]);
  expect(Object.fromEntries(briefs.filter(([, brief]) => brief))).toEqual({
    aplazado: 'Pidió otro día: el 28/11',
    atrasado: '4 días tarde',
    cancelado_fuera: 'Vuelve mercancía',
    cargado: 'Cargado',
    cobro_en_empresa: 'Lo cobró Correos',
    eliminado: 'Eliminado el 25/11: hay que devolver 26,70 €',
    en_empresa: 'Con Correos',
    entregado_en_parte: 'En parte',
    espera_respuesta: 'Por decidir: Ausente',
    intento: '2.º intento: Ausente',
    mercancia: 'Vuelve mercancía',
    por_cobrar: 'Por cobrar: 62,50 €',
    por_reembolsar: 'Devolver 5,00 €',
    rechazado: 'Rechazado en la puerta',
    recoge: 'Lo recoge el cliente',
    sin_volver: 'Salió el 25/11',
    transferencia_avisada: 'Dice que ha pagado',
  });
});
