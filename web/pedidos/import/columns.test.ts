import { describe, expect, it } from 'vitest';
import { EXPORTED_FIELDS, pedidoField } from '../../../contract/pedidos/fields.ts';
import { findTitles, matchColumns } from './columns.ts';
import { columnsFor } from './target.ts';

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
    ['', 'cliente_nombre', 'cliente_direccion', 'total'],
  ],
])('the headings %j are matched to %j', (titles, columns) => {
  expect(matchColumns(titles)).toEqual(columns);
});

it.each([
  ...['Cant.', 'Uds', 'Uds.', 'Ud', 'Ctd', 'Cdad.', 'Qty', 'Quantity', 'Unidades pedidas', 'Cantidad (uds)', 'Nº de unidades'].map(
    (title) => [title, 'cantidad'],
  ),
  ...['Lineitem quantity', 'quantity-purchased', 'product_quantity', 'Quantity (- Refund)', 'Qty. ordered'].map((title) => [
    title,
    'cantidad',
  ]),
  ...['Dirección de envío', 'Dirección de entrega', 'Dir. entrega', 'Domicilio', 'Dirección completa', 'Calle y número'].map((title) => [
    title,
    'cliente_direccion',
  ]),
  ...['Shipping Street', 'Shipping Address 1', 'ship-address-1', 'Address 1&2 (Shipping)'].map((title) => [title, 'cliente_direccion']),
  ...['Shipping Address 2', 'ship-address-2', 'Dirección (2)', 'Piso y puerta'].map((title) => [title, 'cliente_direccion2']),
  ...['CP envío', 'Cód. postal', 'C.P. de entrega', 'Shipping Zip', 'ship-postal-code'].map((title) => [title, 'cliente_codigo_postal']),
  ...['Teléfono de contacto', 'Móvil cliente', 'Tfno.', 'Teléfono / Móvil', 'buyer-phone-number', 'Shipping Phone'].map((title) => [
    title,
    'cliente_telefono',
  ]),
  ...['Nombre del cliente', 'Nombre destinatario', 'Shipping Name', 'recipient-name', 'Razón social'].map((title) => [
    title,
    'cliente_nombre',
  ]),
  ...['Población / Ciudad', 'Localidad de entrega', 'Shipping City', 'ship-city'].map((title) => [title, 'cliente_ciudad']),
  ...['Shipping Province', 'ship-state', 'Provincia de envío'].map((title) => [title, 'cliente_provincia']),
  ...['Lineitem name', 'product-name', 'Nombre del producto', 'Item Name', 'Descripción'].map((title) => [title, 'pack']),
  ...['Pedido', 'Nº pedido', 'N.º de pedido', 'Número de pedido', 'Order ID', 'order-id', 'id_order', 'Order Number'].map((title) => [
    title,
    'pedido',
  ]),
  ...['Customer Note', 'Observaciones del pedido', 'Notas de entrega', 'Comentarios'].map((title) => [title, 'instrucciones']),
  ...['Total', 'Total pedido', 'Order Total', 'Total (€)'].map((title) => [title, 'total']),
  ...['Gastos de envío', 'Envío', 'Portes', 'Shipping'].map((title) => [title, 'envio']),
])('the heading «%s» alone is matched to %s', (title, target) => {
  expect(matchColumns([title])).toEqual([target]);
});

it.each([
  ...['Nº', 'Precio unidad', 'Precio/ud.', 'Importe', 'Email facturación', 'Dirección de correo', 'Dirección IP'],
  ...['Fecha de envío', 'Estado del envío', 'Entrega', 'Método de envío', 'Nº de envío', 'Código cliente'],
  ...['Cód.', 'Tipo de cliente', 'Nombre de la empresa de transporte', 'Unidades por caja', 'Uds/caja', 'Cantidad devuelta', 'Estado'],
  ...[
    'quantity-shipped',
    'order-item-id',
    'item-price',
    'ship-service-level',
    'Lineitem price',
    'Item #',
    'Payment Method',
    'Order Status',
  ],
])('the heading «%s» is matched to no field, even after an address', (title) => {
  expect(matchColumns(['Dirección de envío', 'Pack', title])).toEqual(['cliente_direccion', 'pack', '']);
});

it.each([
  ['Número de envío', ''],
  ['Nº de cliente', ''],
  ['Nº', 'cliente_direccion'],
])('the heading «%s» after an address is matched to «%s»', (title, target) => {
  expect(matchColumns(['Dirección de envío', title])).toEqual(['cliente_direccion', target]);
});

describe('several columns for one field', () => {
  it('a shipping column wins over other columns of its field at any position', () => {
    expect(matchColumns(['Billing Name', 'Billing Street', 'Billing Zip', 'Shipping Name', 'Shipping Street', 'Shipping Zip'])).toEqual([
      ...['', '', ''],
      ...['cliente_nombre', 'cliente_direccion', 'cliente_codigo_postal'],
    ]);
    expect(matchColumns(['Dirección', 'Dirección de entrega', 'Name', 'Shipping Name'])).toEqual([
      '',
      'cliente_direccion',
      '',
      'cliente_nombre',
    ]);
  });
  it('a billing column fills a field without another column, but never completes a delivery address', () => {
    expect(matchColumns(['Billing First Name', 'Billing Last Name', 'Billing Address 1', 'Billing City'])).toEqual([
      ...['cliente_nombre', 'cliente_nombre', 'cliente_direccion', 'cliente_ciudad'],
    ]);
    expect(matchColumns(['Shipping Address 1', 'Billing Address 2', 'Billing City', 'Billing Phone'])).toEqual([
      ...['cliente_direccion', '', '', 'cliente_telefono'],
    ]);
  });
  it('a separate surname column completes the name', () => {
    expect(matchColumns(['Apellidos', 'Nombre', 'Calle'])).toEqual(['cliente_nombre', 'cliente_nombre', 'cliente_direccion']);
    expect(matchColumns(['Shipping Last Name', 'Billing Last Name', 'Shipping First Name'])).toEqual([
      'cliente_nombre',
      '',
      'cliente_nombre',
    ]);
    expect(matchColumns(['Apellidos', 'Calle'])).toEqual(['', 'cliente_direccion']);
  });
  it('«Name» is the order number in a Shopify export', () => {
    expect(matchColumns(['Name', 'Lineitem name', 'Shipping Name'])).toEqual(['pedido', 'pack', 'cliente_nombre']);
    expect(matchColumns(['Name', 'Address', 'Product'])).toEqual(['cliente_nombre', 'cliente_direccion', 'pack']);
  });
  it('a column for the first line of an address wins over a column for the street', () => {
    expect(matchColumns(['Shipping Street', 'Shipping Address1', 'Shipping Address2'])).toEqual([
      '',
      'cliente_direccion',
      'cliente_direccion2',
    ]);
  });
});

it('the headings of our own export are matched', () => {
  const titles = EXPORTED_FIELDS.map((name) => pedidoField(name).exported?.heading ?? pedidoField(name).label);
  const columns = matchColumns(titles);
  for (const target of ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'cliente_pais', 'pack', 'cantidad'] as const)
    expect(columns.filter((column) => column === target)).toHaveLength(1);
  expect(columns[titles.indexOf('Nº de pedido')]).toBe('pedido');
});

it('a column for a field that the person may not write stays unused', () => {
  const columns = matchColumns(['Cliente', 'Referencia externa', 'Pack']);
  const person = { id: 'x', full_name: '' };
  expect(columnsFor({ ...person, role: 'superadmin' }, columns)).toEqual(['cliente_nombre', 'referencia_externa', 'pack']);
  expect(columnsFor({ ...person, role: 'revendedor' }, columns)).toEqual(['cliente_nombre', '', 'pack']);
});

it('headings are found below a title, but not in a sheet that contains only data', () => {
  expect(findTitles([['Pedidos de noviembre'], ['Cliente', 'Dirección', 'Pack'], ['Ana', 'Calle Mayor 3', 'Miel']])).toEqual({
    at: 1,
    known: 3,
  });
  expect(findTitles([['Ana', 'Calle Mayor 3', 'Miel']]).at).toBe(-1);
  expect(findTitles([]).at).toBe(-1);
});

it.each(['NIF/CIF/DNI', 'NIF', 'C.I.F.', 'DNI cliente', 'VAT number'])(
  'the heading «%s» is matched to the NIF only in a shop that uses VAT',
  (title) => {
    const person = { id: '1', role: 'superadmin', full_name: 'Ada' } as const;
    const columns = matchColumns([title]);
    expect(columnsFor({ ...person, iva: true }, columns)).toEqual(['cliente_nif']);
    expect(columnsFor(person, columns)).toEqual(['']);
  },
);
