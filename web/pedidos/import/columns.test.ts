import { expect, it } from 'vitest';
import { EXPORTED_FIELDS, pedidoField } from '../../../contract/pedidos.fields.ts';
import { columnsFor, findTitles, matchColumns } from './columns.ts';

it.each([
  [
    ['Nombre', 'Móvil', 'CALLE', 'C.P.', 'Población', 'Artículo', 'Unidades'],
    ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'cliente_codigo_postal', 'cliente_ciudad', 'pack', 'cantidad'],
  ],
  [
    ['cp', 'c. p.', 'Teléfono:', ' tlf '],
    ['cliente_codigo_postal', '', 'cliente_telefono', ''],
  ],
  [
    ['Nombre', 'Apellidos', 'Calle', 'N.º', 'Piso'],
    ['cliente_nombre', 'cliente_nombre', 'cliente_direccion', 'cliente_direccion', 'cliente_direccion2'],
  ],
  [
    ['Producto', 'Pack'],
    ['pack', 'pack'],
  ],
  // A leading «Nº» column numbers the rows, not the houses.
  [
    ['Nº', 'Cliente', 'Dirección', 'Total'],
    ['', 'cliente_nombre', 'cliente_direccion', ''],
  ],
])('%j are %j', (titles, columns) => {
  expect(matchColumns(titles)).toEqual(columns);
});

it('knows the headings of its own export', () => {
  const titles = EXPORTED_FIELDS.map((name) => pedidoField(name).exported?.heading ?? pedidoField(name).label);
  const columns = matchColumns(titles);
  for (const target of ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'cliente_pais', 'pack', 'cantidad'] as const)
    expect(columns.filter((column) => column === target)).toHaveLength(1);
  expect(columns[titles.indexOf('Nº de pedido')]).toBe('');
});

it('leaves out what the person may not write', () => {
  const columns = matchColumns(['Cliente', 'Referencia externa', 'Pack']);
  const person = { id: 'x', full_name: '' };
  expect(columnsFor({ ...person, role: 'superadmin' }, columns)).toEqual(['cliente_nombre', 'referencia_externa', 'pack']);
  expect(columnsFor({ ...person, role: 'revendedor' }, columns)).toEqual(['cliente_nombre', '', 'pack']);
});

it('finds the headings under a title, and none in data', () => {
  expect(findTitles([['Pedidos de noviembre'], ['Cliente', 'Dirección', 'Pack'], ['Ana', 'Calle Mayor 3', 'Miel']])).toEqual({
    at: 1,
    known: 3,
  });
  expect(findTitles([['Ana', 'Calle Mayor 3', 'Miel']]).at).toBe(-1);
  expect(findTitles([]).at).toBe(-1);
});
