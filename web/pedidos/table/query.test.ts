import { expect, test } from 'vitest';
import { pedidoFilters } from '../../../contract/pedidos/filters.schemas.ts';
import { DEFAULT_FILTERS, inForce, isFiltered, NO_FILTERS, pedidosQuery } from './query.ts';

const ID = '11111111-2222-4333-8444-555555555555';

test('valid filters in the address become the query', () => {
  const filters = {
    ...DEFAULT_FILTERS,
    estado: 'pendiente,asignado',
    transportista_id: 'sin',
    revendedor_id: ID,
    empresa_transporte: 'mrw',
    page: 3,
  };
  expect(pedidosQuery(filters)).toMatchObject({
    estado: 'pendiente,asignado',
    transportista_id: 'sin',
    revendedor_id: ID,
    empresa_transporte: 'mrw',
    page: 3,
    sort: 'fecha_pedido',
    dir: 'desc',
  });
  expect(inForce(filters)).toEqual(filters);
});

test('an invalid filter in the address is neither sent nor shown', () => {
  const written = { ...DEFAULT_FILTERS, estado: 'volando', transportista_id: 'pepe', fecha_desde: 'ayer', sort: 'precio', dir: 'arriba' };
  const { estado, transportista_id, fecha_desde, sort, dir } = pedidosQuery(written);
  expect([estado, transportista_id, fecha_desde, sort, dir]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(inForce(written)).toEqual(DEFAULT_FILTERS);
  expect(isFiltered(inForce(written))).toBe(false);
});

test('unknown estados are dropped from a list of estados', () => {
  expect(inForce({ ...DEFAULT_FILTERS, estado: 'cancelado,volando,pendiente' }).estado).toBe('pendiente,cancelado');
});

test('sort and page do not count as filters', () => {
  expect(isFiltered({ ...DEFAULT_FILTERS, sort: 'estado', dir: 'asc', page: 4 })).toBe(false);
  expect(isFiltered({ ...DEFAULT_FILTERS, search: 'ana' })).toBe(true);
});

test('every filter of the server is a filter of the list, except filters that only programs and links use', () => {
  const others = { ids: '', cliente_id: '', numero_orden: '', referencia_externa: '', metadata: '', modificado_desde: '' };
  expect(Object.keys({ ...NO_FILTERS, ...others }).sort()).toEqual(Object.keys(pedidoFilters).sort());
});

test('an impossible day in the address is dropped', () => {
  const days = { fecha_desde: '2026-02-30', fecha_hasta: '0001-01-01', completado_desde: '2026-13-01' };
  expect(inForce({ ...DEFAULT_FILTERS, ...days })).toEqual(DEFAULT_FILTERS);
  expect(inForce({ ...DEFAULT_FILTERS, fecha_desde: '2028-02-29' }).fecha_desde).toBe('2028-02-29');
});
