import { expect, test } from 'vitest';
import { pedidoFilters } from '../../contract/pedidos/filters.schemas.ts';
import { LISTAS, PERIODOS_VISTA } from '../../contract/vistas/fields.ts';
import { DEFAULT_FILTERS } from '../pedidos/table/query.ts';
import { PRESETS } from '../ui/form/date-range.presets.ts';
import { changedConsulta, findPeriodo, isSameConsulta, withDays, withPeriodo } from './consulta.ts';

const TODAY = '2026-11-22';

test('a view keeps neither default filters nor unknown ones', () => {
  const filters = { ...DEFAULT_FILTERS, estado: 'pendiente', pagado: 'no', devolucion: 'pendiente', page: 3, dir: 'asc' };
  expect(changedConsulta('pedidos', filters, DEFAULT_FILTERS)).toEqual({
    estado: 'pendiente',
    pagado: 'no',
    devolucion: 'pendiente',
    dir: 'asc',
  });
  expect(changedConsulta('mis-pedidos', filters, DEFAULT_FILTERS)).toEqual({ estado: 'pendiente', dir: 'asc' });
});

test('a superadmin’s view can hold every filter of the table', () => {
  const { page: _, ...kept } = DEFAULT_FILTERS;
  expect([...LISTAS.pedidos.claves].sort()).toEqual([...Object.keys(kept), 'periodo'].sort());
  expect(Object.keys(pedidoFilters)).toEqual(
    expect.arrayContaining(LISTAS.pedidos.claves.filter((name) => !/^(sort|dir|periodo)$/.test(name))),
  );
});

test('a moving period is converted to its days as of today', () => {
  const consulta = { estado: 'pendiente', fecha_desde: '2026-11-01', fecha_hasta: '2026-11-30' };
  const periodo = findPeriodo(consulta, TODAY);
  expect(periodo?.label).toBe('Mes actual');
  const kept = withPeriodo(consulta, 'mes-actual');
  expect(kept).toEqual({ estado: 'pendiente', periodo: 'mes-actual' });
  expect(withDays(kept, TODAY)).toEqual(consulta);
  expect(withDays(kept, '2026-12-01')).toEqual({ estado: 'pendiente', fecha_desde: '2026-12-01', fecha_hasta: '2026-12-31' });
});

test('days must match a period exactly, and of two matching periods the requested one wins', () => {
  expect(findPeriodo({ fecha_desde: '2026-11-02', fecha_hasta: '2026-11-30' }, TODAY)).toBeUndefined();
  expect(findPeriodo({}, TODAY)).toBeUndefined();
  const year = { fecha_desde: '2026-01-01', fecha_hasta: '2026-12-31' };
  // On 31 December the last twelve months equal the year.
  expect(findPeriodo(year, '2026-12-31')?.id).toBe('anio-actual');
  expect(findPeriodo(year, '2026-12-31', 'ultimos-12-meses')?.id).toBe('ultimos-12-meses');
  expect(findPeriodo(year, TODAY, 'mes-actual')).toBeUndefined();
});

test('the server and the date picker have the same periods', () => {
  expect(PRESETS.map(({ id }) => id)).toEqual([...PERIODOS_VISTA]);
});

test('two views with the same filters are equal in any order of the filters', () => {
  expect(isSameConsulta({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true);
  expect(isSameConsulta({ a: '1' }, { a: '1', b: '2' })).toBe(false);
  expect(isSameConsulta({ a: '1' }, {})).toBe(false);
});
