import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../contract/policy/policy.ts';
import { reassignedFrom } from '../lectura/reassigned.ts';
import type { PedidoRow, StoredPedido } from '../lectura/row.ts';
import { trackingUrl } from '../lectura/tracking.ts';
import { shownFiles } from './attempts.ts';
import { auditEntry, changeEvents, historyRow } from './history.ts';

const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const order = (fields: object = {}) =>
  ({ id: 'p', estado: 'asignado', transportista_id: 't', deleted_at: null, cliente_nombre: 'Ana', ...fields }) as StoredPedido;
const step = (before: object | null, after: object, more: object = {}) =>
  historyRow(OFFICE, { accion: 'Pedido editado', ...more }, before && order(before), order(after));

describe('the history of a change', () => {
  const NONE = {
    estado_anterior: null,
    estado_nuevo: null,
    nota: null,
    ocurrido_at: null,
    ocurrido_dicho: null,
    cambios: {},
    retirado_a: null,
    antes: null,
    deshace_id: null,
  };
  const WHO = { pedido_id: 'p', actor_user_id: 'o', actor_role: 'superadmin', actor_nombre: 'Olga', accion: 'Pedido editado' };
  test.each<[string, object, object]>([
    ['of nothing', step({}, {}), {}],
    ['of a field', step({}, { cliente_nombre: 'Eva' }), { cambios: { cliente_nombre: ['Ana', 'Eva'] } }],
    ['of a field that was empty', step({ cliente_nombre: undefined }, {}), { cambios: { cliente_nombre: [null, 'Ana'] } }],
    ['of the estado', step({}, { estado: 'en_ruta' }), { estado_anterior: 'asignado', estado_nuevo: 'en_ruta' }],
    ['of a new order', step(null, {}), { estado_nuevo: 'asignado' }],
    [
      'of a step on the road',
      step({}, {}, { happened: { at: 'a', ocurrido_at: 'b', ocurrido_dicho: 'c' }, nota: 'n' }),
      { ocurrido_at: 'b', ocurrido_dicho: 'c', nota: 'n' },
    ],
    [
      'of a step that can be taken back',
      step({}, {}, { antes: { motivo: 'm' }, deshace: 'h' }),
      { antes: '{"motivo":"m"}', deshace_id: 'h' },
    ],
    ['of the carrier', step({}, { transportista_id: 'u' }), { retirado_a: 't' }],
  ])('%s', (_, row, wanted) => expect(row).toEqual({ ...WHO, ...NONE, ...wanted }));

  test('says in the log both sides of what changed', () => {
    const moved = step({}, { estado: 'en_ruta', cliente_nombre: 'Eva' });
    expect(auditEntry(moved, 'update', 'ORD-1')).toEqual({
      ...{ type: 'pedido', action: 'update', entity_type: 'pedido', entity_id: 'p', description: 'Pedido editado: ORD-1' },
      ...{ antes: { estado: 'asignado', cliente_nombre: 'Ana' }, despues: { estado: 'en_ruta', cliente_nombre: 'Eva' } },
    });
    expect(auditEntry(step({}, {}), 'update', 'ORD-1')).toMatchObject({ antes: {}, despues: {} });
    expect(auditEntry(step({}, {}), 'update', 'ORD-1').antes).not.toHaveProperty('estado');
  });
});

test.each<[string, object | null, object, string | null]>([
  ['stays', {}, {}, null],
  ['goes to another', {}, { transportista_id: 'u' }, 't'],
  ['goes to nobody', {}, { transportista_id: null }, 't'],
  ['comes to the carrier', { transportista_id: null }, {}, null],
  ['is cancelled', {}, { estado: 'cancelado' }, 't'],
  ['is deleted', {}, { deleted_at: '2026-11-28' }, 't'],
  ['is new', null, {}, null],
])('of an order that %s, the carrier who loses it is known', (_, before, after, lost) => {
  expect(reassignedFrom(before && order(before), order(after))).toBe(lost);
});

test.each<[string | null, string | null, string | null]>([
  ['https://x.es/{numero}/{numero}', 'A B', 'https://x.es/A%20B/A%20B'],
  ['http://x.es/{numero}', 'A', null],
  ['https://x.es/{numero}', null, null],
  ['https://x.es/{numero}', '', null],
  [null, 'A', null],
  ['https://x.es/{numero}', '\ud800', 'https://x.es/%EF%BF%BD'],
])('the page %s of the number %j is %s', (template, numero, url) => expect(trackingUrl(template, numero)).toBe(url));

describe('programs hear of a change', () => {
  const AT = '2026-11-28T10:00:00Z';
  const BASE = { estado: 'asignado', transportista_id: 't', incidencia_at: null, pendiente_cents: 0, cantidad_devuelta: 0, metadata: {} };
  const FREE = { estado: 'pendiente', transportista_id: null };
  const UNPAID = { ...FREE, pendiente_cents: 100 };
  test.each<[string, object | null, object, string[]]>([
    ['of a new order', null, {}, ['creado']],
    ['of nothing', {}, {}, []],
    ['of a field', {}, { cliente_nombre: 'Eva' }, ['modificado']],
    ['of metadata', {}, { metadata: { a: '1' } }, ['modificado']],
    ['of a field that is no part of the history', {}, { version: 2 }, []],
    ['of the last payment', UNPAID, FREE, ['pagado']],
    ['of a payment of a part', UNPAID, { ...UNPAID, pendiente_cents: 1 }, []],
    ['of a price beyond what is paid', FREE, UNPAID, []],
    ['of an order that leaves pendiente_pago paid', { ...FREE, estado: 'pendiente_pago' }, FREE, ['pagado']],
    ['of an order that leaves pendiente_pago unpaid', { ...UNPAID, estado: 'pendiente_pago' }, UNPAID, []],
    ['of the payment of a cancelled order', { ...UNPAID, estado: 'cancelado' }, { ...FREE, estado: 'cancelado' }, []],
    ['of a carrier', FREE, {}, ['asignado']],
    ['of another carrier', { transportista_id: 'u' }, {}, ['asignado']],
    ['of another carrier of a prepared order', { estado: 'en_proceso' }, { estado: 'en_proceso', transportista_id: 'u' }, ['asignado']],
    ['of a carrier who is withdrawn', {}, FREE, ['modificado']],
    ['of a preparation, which is none', {}, { estado: 'en_proceso' }, []],
    ['of a preparation with a new name', {}, { estado: 'en_proceso', cliente_nombre: 'Eva' }, []],
    ['of the road', { estado: 'en_proceso' }, { estado: 'en_ruta' }, ['en_ruta']],
    ['of a failed attempt', { estado: 'en_ruta' }, {}, ['intento_fallido']],
    ['of a preparation after the road', { estado: 'en_ruta' }, { estado: 'en_proceso' }, []],
    ['of an order that waits for an answer', {}, { incidencia_at: AT }, ['intento_fallido']],
    ['of an order that still waits, and its name', { incidencia_at: AT }, { incidencia_at: AT, cliente_nombre: 'Eva' }, ['modificado']],
    ['of an answer', { incidencia_at: AT, cliente_nombre: 'Eva' }, {}, ['modificado']],
    ['of a delivery', { estado: 'en_ruta' }, { estado: 'completado' }, ['completado']],
    ['of a cancellation', {}, { estado: 'cancelado' }, ['cancelado']],
    ['of a return', { estado: 'completado' }, { estado: 'completado', cantidad_devuelta: 1 }, ['devuelto']],
    ['of a return undone', { estado: 'completado', cantidad_devuelta: 1 }, { estado: 'completado' }, []],
    ['of a carrier and of the payment', UNPAID, {}, ['pagado', 'asignado']],
  ])('%s', (_, before, after, names) => {
    const row = (fields: object) => order({ ...BASE, ...fields }) as PedidoRow;
    const events = changeEvents({ accion: 'x' }, before && row(before), row(after));
    expect(events).toEqual(names.map((name) => `pedido.${name}`));
  });

  test('of a step taken back by its own event, and of any other by what it changes', () => {
    const row = (estado: string) => order({ ...BASE, estado }) as PedidoRow;
    const back = (before: string, after: string) => changeEvents({ accion: 'x', deshace: 'h' }, row(before), row(after));
    expect(back('completado', 'en_ruta')).toEqual(['pedido.entrega_deshecha']);
    expect(back('cancelado', 'asignado')).toEqual(['pedido.reabierto']);
    expect(changeEvents({ accion: 'x' }, row('completado'), row('en_ruta'))).toEqual(['pedido.en_ruta']);
    expect(back('asignado', 'cancelado')).toEqual(['pedido.cancelado']);
  });
});

describe('the files of a step', () => {
  const files = [
    { tipo: 'foto' as const, id: 'f', hay: true },
    { tipo: 'foto' as const, id: 'g', hay: false },
    { tipo: 'firma' as const, id: null, hay: false },
  ];
  const urls = (actor: Actor, fields: object = {}) => shownFiles(actor, order(fields) as PedidoRow, files).map(({ url }) => url);
  test('have an address while they are stored, for those who see proofs of an order whose data is not blocked', () => {
    expect(urls(OFFICE)).toEqual(['/api/pruebas/f/fichero', null, null]);
    expect(urls({ id: 't', role: 'transportista', full_name: 'Tere' })).toEqual([null, null, null]);
    expect(urls(OFFICE, { bloqueado_at: '2026-11-28' })).toEqual([null, null, null]);
    expect(urls(OFFICE, { anonimizado_at: '2026-11-28' })).toEqual([null, null, null]);
  });
  test('are said to be sent once they are known', () => {
    expect(shownFiles(OFFICE, order() as PedidoRow, files).map(({ tipo, enviada }) => [tipo, enviada])).toEqual([
      ['foto', true],
      ['foto', true],
      ['firma', false],
    ]);
  });
});
