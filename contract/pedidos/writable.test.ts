import { expect, it } from 'vitest';
import { AT, actorOf, orderWith } from '../../test/situations.ts';
import {
  editsField,
  FIELDS_CARRIED,
  FIELDS_OFFERED,
  FIELDS_UNPRICED,
  RECORDED_FIELDS,
  seenIn,
  sees,
  withoutUnwritable,
  writableFields,
} from './access.ts';
import { FIELDS, pedidoField } from './fields.ts';
import { isCarrierStep, lineasRefusal, TRANSITION_NAMES, transitionsFor, transitionsTo } from './flow.ts';
import { reversalsFor } from './reversals.ts';

const [boss, seller, carrier] = [actorOf('superadmin'), actorOf('revendedor'), actorOf('transportista')];
/** Of each audience one field, to tell a list by. */
const ONE = ['numero_orden', 'fecha_completado', 'cliente_telefono', 'referencia_externa', 'pagado', 'metadata', 'por_cobrar'] as const;
const among = (names: readonly string[]) => ONE.filter((name) => names.includes(name)).join(' ');

it('an order on offer shows no contact, and without prices no money', () => {
  expect(among(FIELDS_OFFERED)).toBe('numero_orden');
  expect(among(FIELDS_UNPRICED)).toBe('numero_orden fecha_completado cliente_telefono');
  expect(among(FIELDS_CARRIED)).toBe('numero_orden fecha_completado cliente_telefono por_cobrar');
});

it('of some order a carrier sees the contact, of another’s none', () => {
  expect(sees(carrier, 'contact')).toBe(true);
  expect(sees(carrier, 'contact', orderWith({ estado: 'asignado' }))).toBe(true);
  expect(sees(carrier, 'contact', { ...orderWith({ estado: 'asignado' }), transportista_id: 'otra' })).toBe(false);
});

it('values of hidden fields are dropped, and those that are no fields stay', () => {
  const values = { numero_orden: 1, pagado: 2, otro: 3 };
  expect(seenIn(carrier, values, orderWith({ estado: 'asignado' }))).toEqual({ numero_orden: 1, otro: 3 });
  expect(seenIn(boss, values)).toEqual(values);
});

it('an own field is refused as null, a field that is not sent stays away', () => {
  const input = { cliente_nombre: 'Ana', numero_orden: 'X', precio_total: 5 };
  expect(withoutUnwritable(boss, input)).toEqual(input);
  expect(withoutUnwritable(seller, input)).toEqual({ cliente_nombre: 'Ana', numero_orden: null, precio_total: null });
});

it('the history records what can be edited and what is recorded, and no price', () => {
  expect(RECORDED_FIELDS).toEqual(
    expect.arrayContaining(['cliente_nombre', 'instrucciones', 'fecha_estimada', 'metodo_entrega', 'en_empresa']),
  );
  expect(RECORDED_FIELDS.filter((name) => ['precio_total', 'numero_orden', 'cantidad', 'metadata'].includes(name))).toEqual([]);
});

const SOME = [
  'cliente_nombre',
  'cliente_nif',
  'instrucciones',
  'referencia_externa',
  'fecha_estimada',
  'metadata',
  'numero_orden',
  'precio_total',
];
const some = (names: readonly string[]) => SOME.filter((name) => names.includes(name)).join(' ');
const order = (fields: Parameters<typeof orderWith>[0]) => orderWith(fields);
it.each([
  ['a new order by the office', boss, undefined, SOME.join(' ')],
  ['a new order by a reseller', seller, undefined, 'cliente_nombre cliente_nif instrucciones'],
  ['a new order by a carrier', carrier, undefined, ''],
  [
    'an open order by the office',
    boss,
    order({ estado: 'asignado' }),
    'cliente_nombre cliente_nif instrucciones referencia_externa fecha_estimada metadata',
  ],
  ['a delivered order by the office', boss, order({ estado: 'completado' }), 'cliente_nif instrucciones metadata'],
  ['a cancelled order by the office', boss, order({ estado: 'cancelado' }), ''],
  ['a deleted order by the office', boss, order({ deleted_at: AT }), ''],
  ['an unpaid order by its reseller', seller, order({ estado: 'pendiente_pago' }), 'cliente_nombre cliente_nif instrucciones'],
  ['a paid order by its reseller', seller, order({}), ''],
  ['an unpaid order by another reseller', seller, { ...order({ estado: 'pendiente_pago' }), revendedor_id: 'otro' }, ''],
  ['an order by its carrier', carrier, order({ estado: 'asignado' }), ''],
] as const)('fields of %s that may be written', (_, actor, record, names) => expect(some(writableFields(actor, record))).toBe(names));

it('a field that an actor may not see is not edited either', () => {
  const other = { ...order({ estado: 'pendiente_pago' }), revendedor_id: 'otro' };
  expect(editsField(seller, 'instrucciones', order({ estado: 'pendiente_pago' }))).toBe(true);
  expect(editsField(seller, 'instrucciones', other)).toBe(false);
  expect(FIELDS.filter((name) => pedidoField(name).editedBy !== undefined)).toEqual(['metadata', 'fecha_estimada']);
});

it.each([
  [boss, 'pendiente', 'asignar completar cancelar'],
  [boss, 'asignado', 'preparar salir completar devolver cancelar'],
  [boss, 'completado', ''],
  [carrier, 'en_ruta', 'completar fallar'],
  [seller, 'pendiente_pago', 'cancelar'],
] as const)('steps of %j from %s', (actor, estado, names) => expect(transitionsFor(actor, order({ estado })).join(' ')).toBe(names));

it('a carrier’s steps are those of an order in hand; taking one is no such step', () => {
  expect(TRANSITION_NAMES.filter(isCarrierStep).join(' ')).toBe('preparar salir completar fallar volver devolver');
});

it('a step that nobody may take is named all the same, so that the refusal can name it', () => {
  expect(transitionsTo(carrier, order({}), 'asignado')).toEqual(['tomar']);
  expect(transitionsTo(boss, order({}), 'asignado')).toEqual(['asignar']);
  expect(transitionsTo(seller, order({}), 'asignado')).toEqual(['asignar']);
  expect(transitionsTo(seller, order({}), 'en_ruta')).toEqual([]);
  expect(transitionsTo(boss, order({ estado: 'completado' }), 'cancelado')).toEqual([]);
});

it.each([
  [boss, 'completado', ['deshacer_entrega']],
  [boss, 'cancelado', ['reabrir']],
  [boss, 'asignado', []],
  [seller, 'completado', []],
  [carrier, 'en_ruta', ['volver_de_ruta']],
] as const)('ways back of %j from %s', (actor, estado, names) => expect(reversalsFor(actor, order({ estado }))).toEqual(names));

it('lines that may not change say why', () => {
  const why = (fields: object) => lineasRefusal(seller, { ...order({}), descuento: 0, ...fields });
  expect(why({ deleted_at: AT })).toContain('está eliminado');
  expect(why({ estado: 'pendiente' })).toContain('ya está pagado');
  expect(why({ estado: 'pendiente', contra_reembolso: true })).toContain('ya está en marcha');
  expect(why({ estado: 'asignado' })).toContain('solo se pueden cambiar');
  expect(why({ estado: 'pendiente_pago' })).toBeUndefined();
});
