import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../contract/policy/policy.ts';
import { reassignedFrom } from '../lectura/reassigned.ts';
import type { StoredPedido } from '../lectura/row.ts';
import { trackingUrl } from '../lectura/tracking.ts';
import { auditEntry, historyRow } from './history.ts';

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
