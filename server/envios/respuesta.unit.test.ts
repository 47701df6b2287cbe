import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { FilaRespuesta } from '../../contract/envios/envios.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { decideAnswerRow } from './respuesta.ts';

const OFFICE: Actor = { id: 'o', role: 'superadmin', full_name: 'Olga' };
const AT = '2026-11-25T20:00:00Z';
const ORDER = {
  id: 'p',
  estado: 'pendiente',
  deleted_at: null,
  numero_seguimiento: null,
  por_cobrar_cents: 0,
  en_empresa: 'Correos',
  en_empresa_at: AT,
  revendedor_id: null,
  transportista_id: null,
  anonimizado_at: null,
  bloqueado_at: null,
};
const huella = (bare: string) => createHash('sha256').update(bare).digest('hex').slice(0, 16);
const decide = (fila: object, row: object = {}, line: object = {}) => {
  const whole = { referencia: 'ORD-1', seguimiento: null, estado: null, lectura: null, ...fila } as unknown as FilaRespuesta;
  const { pedido_id, resultado, message } = decideAnswerRow(
    OFFICE,
    { ...ORDER, ...row } as unknown as PedidoRow,
    { huella: null, sacado_at: null, ...line },
    whole,
  );
  expect(pedido_id).toBe('p');
  return `${resultado}: ${message.replaceAll('\u00a0', ' ')}`;
};
const DONE = { lectura: 'entregado' };
const AWAY = { lectura: 'incidencia', estado: 'Ausente' };

test.each<[string, object, object, object, string]>([
  ['delivered', DONE, {}, {}, 'completar: Completado'],
  ['delivered, with its number', { ...DONE, seguimiento: 'PQ1' }, {}, {}, 'completar: Completado con PQ1'],
  ['delivered, and a cent collected', DONE, { por_cobrar_cents: 1 }, {}, 'completar: Completado; la empresa ha cobrado 0,01 €'],
  ['delivered, by its known word', { estado: 'Entregado' }, {}, {}, 'completar: Completado'],
  ['delivered, by another word that a person has read so', { ...DONE, estado: 'OK' }, {}, {}, 'completar: Completado'],
  ['an unknown word', { estado: 'Zzz' }, {}, {}, 'no_encaja: No se sabe qué significa «Zzz»: compruébalo con la empresa'],
  ['no word', {}, {}, {}, 'no_encaja: No dice si está entregado'],
  ['on the way', { lectura: 'en_camino', estado: 'En reparto' }, {}, {}, 'en_camino: No se da por entregado: En reparto'],
  ['on the way, without a word', { lectura: 'en_camino' }, {}, {}, 'en_camino: No se da por entregado: en camino'],
  [
    'a number that a sheet has spoilt',
    { ...DONE, seguimiento: '1,23E+15' },
    {},
    {},
    'no_encaja: «1,23E+15» no es un número de seguimiento: la hoja lo ha estropeado. Escríbelo como texto',
  ],
  ['a deleted order', DONE, { deleted_at: AT }, {}, 'no_encaja: El pedido está eliminado'],
  ['an order taken out of the batch', DONE, {}, { sacado_at: AT }, 'no_encaja: El pedido se sacó de este envío'],
  ['a delivered order taken out of the batch', DONE, { estado: 'completado' }, { sacado_at: AT }, 'igual: Ya estaba completado'],
  ['an order delivered before', DONE, { estado: 'completado', numero_seguimiento: 'PQ1' }, {}, 'igual: Ya estaba completado'],
  [
    'an order delivered before with its number',
    { ...DONE, seguimiento: 'PQ1' },
    { estado: 'completado', numero_seguimiento: 'PQ1' },
    {},
    'igual: Ya estaba completado',
  ],
  [
    'an order delivered with another number',
    { ...DONE, seguimiento: 'PQ2' },
    { estado: 'completado', numero_seguimiento: 'PQ1' },
    {},
    'no_encaja: Ya está completado con otro número',
  ],
  [
    'an order delivered without a number',
    { ...DONE, seguimiento: 'PQ2' },
    { estado: 'completado' },
    {},
    'no_encaja: Ya está completado con otra entrega, sin número',
  ],
  [
    'an order that cannot be delivered',
    DONE,
    { estado: 'cancelado' },
    {},
    'no_encaja: El pedido está en estado «Cancelado» y no puede pasar a «Completado»',
  ],
  ['nobody at home', AWAY, {}, {}, 'incidencia: No entregado: Ausente'],
  ['not delivered, without a word', { lectura: 'incidencia' }, {}, {}, 'incidencia: No entregado'],
  ['nobody at home, of a delivered order', AWAY, { estado: 'completado' }, {}, 'incidencia: Comentario: Ausente'],
  ['nobody at home, read before', AWAY, {}, { huella: huella('AUSENTE') }, 'igual: La incidencia ya estaba anotada'],
  ['another reason than before', AWAY, {}, { huella: huella('ROTO') }, 'incidencia: No entregado: Ausente'],
])('an answer that says %s', (_, fila, row, line, wanted) => expect(decide(fila, row, line)).toBe(wanted));

test('an incident of an order whose data is blocked is refused with its reason', () => {
  expect(decide(AWAY, { bloqueado_at: AT })).toMatch(/^no_encaja: .+bloque/);
});
