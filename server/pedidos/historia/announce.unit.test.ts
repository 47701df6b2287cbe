import { describe, expect, test } from 'vitest';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { StoredPedido } from '../lectura/row.ts';
import { changeNotices, isOffered, offerNotices } from './announce.ts';

const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const AT = '2026-11-25T20:00:00Z';
const order = (fields: object = {}) =>
  ({
    id: 'p',
    numero_orden: 'ORD-1',
    cliente_nombre: 'Ana',
    cliente_codigo_postal: '28013',
    estado: 'pendiente_pago',
    revendedor_id: 'r',
    transportista_id: null,
    transportista_nombre: null,
    incidencia_at: null,
    motivo: null,
    deleted_at: null,
    en_empresa_at: null,
    recoge_at: null,
    ...fields,
  }) as unknown as StoredPedido;
/** Who is told what: roles or ids, the text, the address, and «mail» if it is sent by mail too. */
const notices = (before: object | null, after: object, step: object = {}) =>
  changeNotices(OFFICE, { action: 'update', ...step }, before && order(before), order(after)).map(
    ({ tipo, texto, roles, users, enlace, mail, except, pedido_id, renews }) => {
      expect([except, pedido_id ?? 'p']).toEqual(['o', 'p']);
      return [
        tipo,
        [...(roles ?? []), ...(users ?? [])].join(' '),
        texto,
        enlace,
        [mail && 'mail', renews && 'renews'].filter(Boolean).join(' '),
      ];
    },
  );

const WHO = 'ORD-1 (Ana)';
const MINE = '/mis-pedidos?search=ORD-1';
const CARRIED = '/pedidos-asignados?search=ORD-1';
const OFFER = ['pedido_disponible', 'transportista', `Pedido disponible: ${WHO}`, '/pedidos-disponibles?search=ORD-1', ''];
const BY = { transportista_id: 't', transportista_nombre: 'Tere' };
const TAKEN = ['pedido_tomado', 'r', `Tere lleva el pedido ${WHO}`, MINE, 'mail'];
const GIVEN = ['pedido_asignado', 't', `Se te ha asignado el pedido ${WHO}`, CARRIED, ''];
const failed = (more = '') => [
  ['intento_fallido', 'r', `Intento de entrega fallido de ${WHO}${more}`, MINE, 'mail renews'],
  ['intento_fallido', 'superadmin', `Intento de entrega fallido de ${WHO}${more}`, '/pedidos/p', 'renews'],
];
const gone = (what: string, whom = 't') => ['pedido_retirado', whom, `Olga ${what}`, '/pedidos-asignados', ''];

describe('who is told of a change', () => {
  test.each<[string, object | null, object, unknown[]]>([
    ['nothing', {}, { cliente_nombre: 'Eva' }, []],
    ['a new order', null, {}, [['pedido_nuevo', 'superadmin', `Nuevo pedido ${WHO}`, '/pedidos/p', 'mail']]],
    [
      'a new order that carriers can take',
      null,
      { estado: 'pendiente' },
      [OFFER, ['pedido_nuevo', 'superadmin', `Nuevo pedido ${WHO}`, '/pedidos/p', 'mail']],
    ],
    ['a payment', {}, { estado: 'pendiente' }, [OFFER, ['pedido_pagado', 'r', `Pedido pagado: ${WHO}`, MINE, 'mail']]],
    ['a payment of an order of a carrier', BY, { ...BY, estado: 'asignado' }, []],
    ['a carrier', { estado: 'pendiente' }, { ...BY, estado: 'asignado' }, [TAKEN, GIVEN]],
    [
      'a carrier without name',
      { estado: 'pendiente' },
      { ...BY, transportista_nombre: null, estado: 'asignado' },
      [[TAKEN[0], 'r', `Otra persona lleva el pedido ${WHO}`, MINE, 'mail'], GIVEN],
    ],
    [
      'another carrier',
      { ...BY, transportista_id: 'u', estado: 'asignado' },
      { ...BY, estado: 'asignado' },
      [gone(`ha dado a Tere el pedido ${WHO}`, 'u'), GIVEN],
    ],
    ['no carrier any more', { ...BY, estado: 'asignado' }, { estado: 'pendiente' }, [OFFER, gone(`te ha retirado el pedido ${WHO}`)]],
    ['a preparation', { ...BY, estado: 'asignado' }, { ...BY, estado: 'en_proceso' }, []],
    ['a failed attempt', { ...BY, estado: 'en_ruta' }, { ...BY, estado: 'asignado' }, failed()],
    [
      'a failed attempt with its reason',
      { ...BY, estado: 'en_ruta' },
      { ...BY, estado: 'asignado', motivo: 'Ausente' },
      failed(': Ausente'),
    ],
    [
      'an order that waits for an answer',
      { ...BY, estado: 'asignado' },
      { ...BY, estado: 'asignado', incidencia_at: AT, motivo: 'Ausente' },
      failed(': Ausente. Di qué se hace con él'),
    ],
    ['an order that waits already', { ...BY, estado: 'asignado', incidencia_at: AT }, { ...BY, estado: 'asignado', incidencia_at: AT }, []],
    ['an answer', { ...BY, estado: 'asignado', incidencia_at: AT }, { ...BY, estado: 'asignado' }, []],
    [
      'a delivery',
      { ...BY, estado: 'en_ruta' },
      { ...BY, estado: 'completado' },
      [['pedido_completado', 'r', `Pedido entregado: ${WHO}`, MINE, 'mail']],
    ],
    [
      'a cancellation',
      { ...BY, estado: 'asignado' },
      { ...BY, estado: 'cancelado' },
      [
        ['pedido_cancelado', 'r', `Pedido cancelado: ${WHO}`, MINE, ''],
        ['pedido_cancelado', 't', `Olga ha cancelado el pedido ${WHO}`, '/pedidos-asignados?estado=cancelado&search=ORD-1', ''],
      ],
    ],
  ])('%s', (_, before, after, wanted) => expect(notices(before, after)).toEqual(wanted));

  test('a deletion is told to the carrier, a restored order to those who may take it', () => {
    expect(notices({ ...BY, estado: 'asignado' }, { ...BY, estado: 'asignado', deleted_at: AT }, { action: 'delete' })).toEqual([
      gone(`ha eliminado el pedido ${WHO}`),
    ]);
    expect(notices({ estado: 'pendiente', deleted_at: AT }, { estado: 'pendiente' }, { action: 'restore' })).toEqual([OFFER]);
    expect(notices({ ...BY, estado: 'asignado', deleted_at: AT }, { ...BY, estado: 'asignado' }, { action: 'restore' })).toEqual([]);
  });
});

describe('a step taken back is told to those who were told of it', () => {
  const back = (estado: string, after: string, nota?: string) =>
    notices({ ...BY, estado }, { ...BY, estado: after }, { deshace: 'x', nota });
  test.each([
    ['completado', 'en_ruta', 'mail', true],
    ['cancelado', 'asignado', '', true],
    ['en_ruta', 'asignado', '', false],
  ])('%s', (estado, after, mail, isForReseller) => {
    const [texto] = back(estado, after).map((row) => row[2]);
    expect(texto).toMatch(/^[A-Z].*: ORD-1 \(Ana\)$/);
    expect(back(estado, after)).toEqual([
      ['paso_deshecho', 'superadmin', texto, '/pedidos/p', mail],
      ['paso_deshecho', 't', texto, CARRIED, ''],
      ...(isForReseller ? [['paso_deshecho', 'r', texto, MINE, 'mail']] : []),
    ]);
  });

  test('a step without a name of its own, by what it is', () => {
    expect(back('asignado', 'pendiente')[0]?.[2]).toBe('Paso deshecho: ORD-1 (Ana)');
  });

  test('with its reason, at most three hundred letters; both carriers are told', () => {
    expect(back('cancelado', 'asignado', 'Fue un error')[0]?.[2]).toMatch(/: ORD-1 \(Ana\)\. Fue un error$/);
    expect(String(back('cancelado', 'asignado', 'a'.repeat(400))[0]?.[2])).toHaveLength(300);
    expect(notices({ ...BY, estado: 'cancelado' }, { ...BY, transportista_id: 'u', estado: 'asignado' }, { deshace: 'x' })[1]?.[1]).toBe(
      't u',
    );
  });
});

test('orders are offered to carriers one by one, with one push for all', () => {
  const free = order({ estado: 'pendiente' });
  expect([isOffered(free), isOffered(order()), isOffered(null)]).toEqual([true, false, false]);
  expect(offerNotices(OFFICE, [free, order(), free, free]).map(({ quiet, postcode }) => [quiet, postcode])).toEqual([
    [true, '28013'],
    [true, '28013'],
    [false, '28013'],
  ]);
});
