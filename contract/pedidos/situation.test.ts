import { describe, expect, test } from 'vitest';
import { type Actor, ROLES, type Role } from '../policy/policy.ts';
import { EN_MANOS, ESTADOS, FINALES } from './estados.ts';
import { SITUATION_IDS, type SituationId, type SituationOrder, situationOf } from './situation.ts';

const CLOCK = { now: new Date('2026-11-27T10:00:00Z'), zone: 'Europe/Madrid' };
const actor = (role: Role): Actor => ({ id: role, role, full_name: role });
const order = (given: Partial<SituationOrder> = {}): SituationOrder => {
  const estado = given.estado ?? 'pendiente';
  return {
    estado,
    revendedor_id: 'revendedor',
    transportista_id: EN_MANOS.includes(estado) ? 'transportista' : null,
    transportista_nombre: EN_MANOS.includes(estado) ? 'Javier' : null,
    cliente_nombre: 'María',
    fecha_pedido: '2026-11-25T09:00:00Z',
    fecha_estimada: '2026-11-28T11:00:00Z',
    fecha_completado: FINALES.includes(estado) ? '2026-11-27T08:00:00Z' : null,
    pendiente: estado === 'pendiente_pago' ? 126.7 : 0,
    ...given,
  };
};
const AT = '2026-11-25T20:00:00Z';
/** An order in each situation, with what its readers are told of it. */
const CASES: Record<SituationId, [Partial<SituationOrder>, sentence: string]> = {
  eliminado: [{ deleted_at: AT, por_reembolsar: 26.7 }, 'Eliminado el 25/11: hay que devolver 26,70\u00a0€'],
  espera_respuesta: [{ estado: 'asignado', incidencia_at: AT, motivo: 'Ausente' }, 'Sin entregar desde el 25/11: Ausente. ¿Qué se hace?'],
  transferencia_avisada: [
    { estado: 'pendiente_pago', transferencia_avisada_at: AT },
    'El cliente dice que ha hecho la transferencia el 25/11: faltan por llegar 126,70\u00a0€',
  ],
  por_reembolsar: [{ estado: 'completado', por_reembolsar: 5 }, 'Hay que devolver 5,00\u00a0€ a María'],
  en_empresa: [{ en_empresa: 'Correos', en_empresa_at: AT }, 'Con Correos desde el 25/11'],
  recoge: [{ recoge_at: AT }, 'Lo recoge el cliente en la tienda, desde el 25/11'],
  sin_pagar: [{ estado: 'pendiente_pago' }, 'Sin pagar desde el 25/11: 126,70\u00a0€'],
  atrasado: [{ estado: 'asignado', fecha_estimada: '2026-11-23T11:00:00Z' }, 'Prometido para el 23/11: 4 días tarde. Lo lleva Javier'],
  por_asignar: [{}, 'Sin transportista. Prometido para el 28/11'],
  asignado: [{ estado: 'asignado' }, 'Lo lleva Javier. Prometido para el 28/11'],
  preparado: [{ estado: 'en_proceso' }, 'Lo prepara Javier. Prometido para el 28/11'],
  en_reparto: [{ estado: 'en_ruta' }, 'En reparto con Javier'],
  por_cobrar: [{ estado: 'completado', pendiente: 62.5 }, 'Entregado el 27/11 y por cobrar: 62,50\u00a0€'],
  entregado_en_parte: [{ estado: 'completado', entrega_parcial: true }, 'Entregado en parte el 27/11'],
  entregado: [{ estado: 'completado' }, 'Entregado el 27/11'],
  cancelado: [{ estado: 'cancelado' }, 'Cancelado'],
};
/** Steps that each role is offered, the next one first; `-` for no next step. */
const OFFERED: Partial<Record<SituationId, Partial<Record<Role, string>>>> = {
  eliminado: { superadmin: 'reembolsar restaurar' },
  espera_respuesta: { superadmin: 'responder completar', revendedor: 'responder', transportista: '- completar' },
  transferencia_avisada: { superadmin: 'cobrar cancelar', revendedor: 'cancelar' },
  por_reembolsar: { superadmin: 'reembolsar' },
  en_empresa: { superadmin: 'leer_respuesta sacar completar' },
  recoge: { superadmin: 'completar' },
  sin_pagar: { superadmin: 'cobrar pedir_pago cancelar', revendedor: 'pedir_pago cancelar' },
  atrasado: { superadmin: 'preparar salir completar', transportista: 'salir completar preparar' },
  por_asignar: { superadmin: 'asignar completar', transportista: 'tomar' },
  asignado: { superadmin: 'preparar salir completar', transportista: 'salir completar preparar' },
  preparado: { superadmin: 'salir completar', transportista: 'salir completar' },
  en_reparto: { superadmin: 'completar fallar', transportista: 'completar fallar' },
  por_cobrar: { superadmin: 'cobrar pedir_pago', revendedor: 'pedir_pago' },
};

describe.each(SITUATION_IDS)('%s', (id) => {
  const [given, sentence] = CASES[id];
  test('its sentence says what, why and since when', () => {
    expect(situationOf(order(given), actor('superadmin'), CLOCK)).toMatchObject({ id, sentence, more: [] });
  });

  test.each(ROLES)('%s is offered its steps, the next one first', (role) => {
    const { next, others } = situationOf(order(given), actor(role), CLOCK);
    expect([next?.paso ?? '-', ...others.map(({ paso }) => paso)].join(' ')).toBe(OFFERED[id]?.[role] ?? '-');
  });
});

test('what waits, is with a company, is collected or unpaid does not leave', () => {
  const stays = SITUATION_IDS.filter((id) => !situationOf(order(CASES[id][0]), actor('superadmin'), CLOCK).mayLeave);
  expect(stays).toEqual([
    ...['eliminado', 'espera_respuesta', 'transferencia_avisada', 'por_reembolsar', 'en_empresa', 'recoge', 'sin_pagar'],
    ...['por_cobrar', 'entregado_en_parte', 'entregado', 'cancelado'],
  ]);
});

test('an order in several situations tells the most important one, the others beside it, and their steps', () => {
  const given = {
    estado: 'asignado',
    incidencia_at: AT,
    motivo: 'Correos: Ausente',
    en_empresa: 'Correos',
    en_empresa_at: AT,
    por_reembolsar: 5,
  };
  const found = situationOf(order(given as Partial<SituationOrder>), actor('superadmin'), CLOCK);
  expect(found).toMatchObject({
    id: 'espera_respuesta',
    more: ['Hay que devolver 5,00\u00a0€ a María', 'Con Correos desde el 25/11'],
    mayLeave: false,
  });
  expect([found.next?.paso, ...found.others.map(({ paso }) => paso)]).toEqual(['responder', 'reembolsar', 'leer_respuesta']);
});

test('the day of the promise decides what is late, in the time zone of the business', () => {
  const late = (now: string) =>
    situationOf(order({ fecha_estimada: '2026-11-26T22:30:00Z' }), actor('superadmin'), { ...CLOCK, now: new Date(now) });
  expect(late('2026-11-26T22:59:00Z').id).toBe('por_asignar');
  expect(late('2026-11-26T23:01:00Z')).toMatchObject({ id: 'atrasado', sentence: 'Prometido para el 26/11: 1 día tarde' });
});

test('every estado has a sentence', () => {
  for (const estado of ESTADOS) expect(situationOf(order({ estado }), actor('superadmin'), CLOCK).sentence).not.toBe('');
});

test('an order with sealed data offers no step that needs the data', () => {
  const { next } = situationOf(order({ ...CASES.espera_respuesta[0], bloqueado_at: AT }), actor('revendedor'), CLOCK);
  expect(next).toBeUndefined();
});
