import { expect, it } from 'vitest';
import { failedReason, isRefused } from './attempts.ts';
import { placeWords, storedPlace } from './direccion.ts';
import { describeEstado } from './estados.ts';
import { FIELDS, PEDIDO_FIELDS, pedidoField, pedidoLabel } from './fields.ts';
import { filterAudience } from './filters.fields.ts';
import { happenedEarlier } from './happened.ts';
import { companyLabel, firmLabel } from './metodos.ts';
import { PEDIDO_AT, placePath } from './place.ts';
import { findReversal, isReversal, stepLabel } from './reversals.ts';
import { typedWords } from './typed.ts';

const having = (property: 'always' | 'copied' | 'searched' | 'recorded') => FIELDS.filter((name) => pedidoField(name)[property] === true);

it('fields that are always there, copied, searched and recorded', () => {
  expect(having('always').join(' ')).toBe(
    'id numero_orden fecha_pedido estado precio_total pagado pendiente producto empresa_transporte intentos precio_unitario envio descuento ' +
      'contra_reembolso cantidad_devuelta reembolsado entrega_parcial cobro_empresa por_reembolsar unidades_retenidas num_lineas version ' +
      'created_at updated_at',
  );
  expect(having('copied').join(' ')).toBe(
    'cliente_nombre cliente_telefono cliente_direccion cliente_direccion2 cliente_codigo_postal cliente_ciudad cliente_provincia cliente_pais ' +
      'cliente_nif precio_total producto cantidad franja_horaria instrucciones precio_unitario revendedor_id envio descuento contra_reembolso pack_id',
  );
  expect(having('searched').join(' ')).toBe(
    'numero_orden cliente_nombre cliente_telefono cliente_direccion cliente_direccion2 cliente_codigo_postal cliente_ciudad cliente_provincia ' +
      'precio_total producto numero_seguimiento referencia_externa revendedor_nombre',
  );
  expect(having('recorded').join(' ')).toBe(
    'metodo_entrega numero_seguimiento empresa_transporte aviso_cliente fecha_estimada incidencia_at recoge_at en_empresa transportista_nombre',
  );
});

it('personal data is masked elsewhere from a length on: shorter text would hide other words', () => {
  const masked = FIELDS.flatMap((name) => {
    const { erased } = pedidoField(name);
    return typeof erased === 'object' && erased.maskElsewhere ? [[name, erased.maskElsewhere]] : [];
  });
  expect(Object.fromEntries(masked)).toEqual({
    cliente_nombre: 3,
    cliente_direccion2: 4,
    cliente_direccion: 5,
    ...{ cliente_telefono: 6, numero_seguimiento: 6, instrucciones: 6, aviso_cliente: 6, motivo: 6 },
    cliente_nif: 8,
  });
});

it('an order is of one to 9999 packs', () => {
  const { min, max } = PEDIDO_FIELDS.cantidad;
  expect([min, max]).toEqual([1, 9999]);
});

it('words of fields, estados and steps that this version does not know stay', () => {
  expect([pedidoLabel('motivo'), pedidoLabel('otro')]).toEqual(['Último intento fallido', 'otro']);
  expect([describeEstado('en_ruta').label, describeEstado('otro').label]).toEqual(['En Ruta', 'Desconocido']);
  expect([companyLabel('mrw'), companyLabel('SEUR')]).toEqual(['MRW', 'SEUR']);
  expect(['correos', 'SEUR', 'manual', '', null, undefined].map(firmLabel)).toEqual(['Correos', 'SEUR', ...Array(4).fill(undefined)]);
  expect([stepLabel('salir'), stepLabel('reabrir')]).toEqual(['Salir a reparto', 'Reabrir el pedido']);
  expect(['reabrir', 'salir', 'toString'].map(isReversal)).toEqual([true, false, false]);
});

it.each([
  ['en_ruta', 'volver_de_ruta'],
  ['completado', 'deshacer_entrega'],
  ['cancelado', 'reabrir'],
  ['asignado', undefined],
] as const)('the way back from %s is %s', (estado, name) => expect(findReversal(estado)).toBe(name));

it.each([
  ['Ausente', 'Ausente'],
  ['Ausente: llamé dos veces', 'Ausente'],
  ['Ausente llamé', null],
  ['No estaba: Ausente', null],
  ['', null],
  [null, null],
])('the attempt «%s» failed for the reason %s', (motivo, reason) => expect(failedReason(motivo)).toBe(reason));

it('a refusal is the reason, or the reason and a note', () => {
  const all = ['Rechazado por el cliente', 'Rechazado por el cliente: no lo quiere', 'Rechazado', 'Ausente', null];
  expect(all.map(isRefused)).toEqual([true, true, false, false, false]);
});

it('the history shows when a step happened from an hour’s delay on', () => {
  const at = (time: string | null) => happenedEarlier({ created_at: '2026-11-27T10:00:00.000Z', ocurrido_at: time });
  expect([null, '2026-11-27T09:00:00.000Z', '2026-11-27T08:59:59.999Z', '2026-11-27T11:30:00.000Z'].map(at)).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

const place = { cliente_direccion: 'Mar, 1', cliente_direccion2: null, cliente_codigo_postal: '08001', cliente_ciudad: 'Barcelona' };

it('an address is compared as one text of its parts, a thousand characters long at most', () => {
  const of = (cliente_direccion: string) => placeWords({ ...place, cliente_direccion, cliente_provincia: '', cliente_pais: 'España' });
  expect(of('Mar, 1')).toBe('Mar, 1, 08001, Barcelona, España');
  expect(of('x'.repeat(1001))).toBe('x'.repeat(1000));
});

it.each([
  [{ cliente_pais: null }, { cliente_pais: null }],
  [{ cliente_pais: ' PT ' }, { cliente_pais: 'Portugal' }],
  [
    { cliente_pais: 'es', cliente_provincia: 'PM', cliente_codigo_postal: '7001' },
    { cliente_pais: 'España', cliente_provincia: 'Baleares', cliente_codigo_postal: '07001' },
  ],
  [
    { cliente_pais: 'España', cliente_provincia: 'Otra' },
    { cliente_pais: 'España', cliente_provincia: 'Otra' },
  ],
])('the place %j is stored as %j', (written, stored) => expect(storedPlace(written)).toStrictEqual(stored));

it('what was typed for a step is told in words, without the PIN and what is empty', () => {
  const body = {
    motivo: 'Ausente',
    llamado: 'cliente',
    metodo_entrega: 'SEUR',
    cobrado: 0,
    pin: '1234',
    receptor_nombre: '',
    forma_entrega: null,
  };
  expect(typedWords(body, (euros) => `${euros} €`)).toEqual([
    'Motivo: Ausente',
    '¿A quién has llamado?: Al cliente',
    'Método de entrega: SEUR',
    'Cobrado (€): 0 €',
  ]);
});

it('each role opens an order on its own screen', () => {
  const order = { id: 'x', numero_orden: 'ORD-1' };
  const paths = (['superadmin', 'revendedor', 'transportista'] as const).map((role) => placePath(PEDIDO_AT[role](order)));
  expect(paths).toEqual(['/pedidos/x', '/mis-pedidos?search=ORD-1', '/pedidos-asignados?search=ORD-1']);
});

it.each([
  ['search', 'order'],
  ['ciudad', 'order'],
  ['revendedor_id', 'sale'],
  ['incidencia', 'delivery'],
  ['metadata', 'programs'],
] as const)('the filter %s is for the audience «%s»', (name, audience) => expect(filterAudience(name)).toBe(audience));
