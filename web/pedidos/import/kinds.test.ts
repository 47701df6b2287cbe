import { describe, expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { totalSaid } from './amounts.ts';
import { checkerOf, filaOf } from './check.ts';
import { startImport } from './draft.ts';
import { grouperOf } from './groups.ts';
import { unusedOf } from './left-out.ts';
import { unsaidPayments } from './payment.ts';
import { countedIn, quantityOf, severalIn } from './quantity.ts';
import type { Values } from './row.ts';
import { cellsOf, decode, sheetOf } from './sheet.ts';
import { spread } from './spread.ts';

/* Kinds of sheets that earlier versions misread. The people are invented. */

const PACKS = ['MIEL500', 'ACEITE2', 'Aceite & Vinagre'].map(
  (alias, i) => ({ id: `p${i}`, alias, name: `Pack ${i}`, product_name: `Producto ${i}` }) as Pack,
);
const HEAD = 'Nombre;Teléfono;Dirección;CP;Población;Pack;Cantidad';

const person = (role: SessionUser['role']) => ({ id: 'p', role, full_name: 'Ana', email: 'ana@ejemplo.es', pending: null }) as SessionUser;

function read(text: string, actor = person('superadmin')) {
  const { titles, columns, rows, fuera = [] } = startImport(actor, spread(sheetOf(cellsOf(text))), '');
  const orders = grouperOf({ titles, columns, juntar: false })(rows).map(checkerOf({ columns, packs: PACKS, chosen: {} }));
  const errors = orders.flatMap((order) => order.flatMap((line) => Object.values(line.errors)));
  const doubts = orders.flatMap((order) => order.flatMap((line) => line.doubts.map(({ text }) => text)));
  const unpaid = unsaidPayments(rows, columns).map(({ n }) => n);
  return {
    orders,
    errors,
    doubts,
    out: fuera,
    unused: unusedOf(titles, columns, rows),
    unpaid,
    filas: errors.length ? [] : orders.map(filaOf),
  };
}
const row = (over: Partial<Record<'nombre' | 'direccion' | 'pack' | 'cantidad', string>> = {}, ...more: string[]) =>
  [
    over.nombre ?? 'Olga Ríos',
    '600180001',
    over.direccion ?? 'Calle Sur 1',
    '28004',
    'Madrid',
    over.pack ?? 'MIEL500',
    over.cantidad ?? '1',
    ...more,
  ].join(';');

describe('the delivery address', () => {
  const to = (titles: string[], cells: string[]) => read(`${titles.join(';')}\n${cells.join(';')}`).filas[0];
  it.each([
    [
      [
        'Buyer Name',
        'Buyer Address 1',
        'Buyer City',
        'Buyer Zip',
        'Ship To Name',
        'Ship To Address 1',
        'Ship To City',
        'Ship To Zip',
        'Item Title',
      ],
    ],
    [
      [
        'Billing Name',
        'Billing Address',
        'Billing City',
        'Billing Zip',
        'Deliver to name',
        'Deliver to address',
        'Deliver to city',
        'Deliver to zip',
        'Product',
      ],
    ],
    [
      [
        'Comprador',
        'Dirección comprador',
        'Ciudad comprador',
        'CP comprador',
        'Enviar a: nombre',
        'Enviar a: dirección',
        'Enviar a: ciudad',
        'Enviar a: CP',
        'Pack',
      ],
    ],
    [
      [
        'Cliente',
        'Dirección factura',
        'Ciudad factura',
        'CP factura',
        'Destinatario',
        'Dirección de entrega',
        'Ciudad de entrega',
        'CP de entrega',
        'Pack',
      ],
    ],
    [['Customer Name', 'Address', 'City', 'Zip', 'Recipient Name', 'Recipient Address', 'Recipient City', 'Recipient Zip', 'Product']],
  ])('the recipient’s columns win over the buyer’s in %j', (titles) => {
    const cells = [
      'Lola Compradora',
      'Calle Factura 1',
      'Madrid',
      '28001',
      'Mateo Destino',
      'Calle Destino 9',
      'Valencia',
      '46001',
      'MIEL500',
    ];
    expect(to(titles, cells)).toMatchObject({
      cliente_nombre: 'Mateo Destino',
      cliente_direccion: 'Calle Destino 9',
      cliente_ciudad: 'Valencia',
      cliente_codigo_postal: '46001',
    });
  });
});

describe('payment on delivery', () => {
  it.each([
    ['Contra reembolso', '29,90', '0,00'],
    ['COD', '29,90', ''],
    ['Importe reembolso', '29,90 €', ''],
    ['Método de pago', 'Contra reembolso', 'Tarjeta'],
    ['Payment Method Title', 'Cash on delivery', 'PayPal'],
    ['Forma de pago', 'Pago contra entrega', 'Bizum'],
    ['Payment Method', 'cod', 'stripe'],
  ])('a column «%s» with %j means paid on delivery, and with %j does not', (title, yes, no) => {
    const { filas } = read(`${HEAD};${title}\n${row({}, yes)}\n${row({}, no)}`);
    expect(filas.map(({ contra_reembolso }) => contra_reembolso ?? false)).toEqual([true, false]);
  });
  it('an unknown word about payment on delivery is an error', () =>
    expect(read(`${HEAD};Contra reembolso\n${row({}, 'quizás')}`).errors).toEqual(['Escribe «sí» o «no»']));
  it('a product code «Cód.» is not payment on delivery', () =>
    expect(read(`${HEAD};Cód.\n${row({}, '12')}`).filas[0]).not.toHaveProperty('contra_reembolso'));
});

describe('rows and columns left out', () => {
  it.each([
    ['Order Status', 'Cancelled', 'Processing'],
    ['Order Status', 'wc-refunded', 'wc-completed'],
    ['Financial Status', 'refunded', 'partially_refunded'],
    ['Fulfillment Status', 'fulfilled', 'unfulfilled'],
    ['Cancelled at', '2026-11-24 10:00:00 +0100', ''],
    ['Estado del pedido', 'Anulado', 'Pago aceptado'],
    ['Estado', 'Devuelto', 'Pendiente'],
    ['Status', 'failed', 'on-hold'],
    ['Fecha de anulación', '24/11/2026', ''],
    // In any other column too.
    ['Pago', 'CANCELADO', 'Pagado'],
    ['Pago', 'Cancelado por el cliente, Bizum', 'Bizum, pagado'],
    ['Anulado', 'Sí', 'No'],
    ['Notas', 'ANULADO', 'Cancelado el de ayer, este no'],
    ['Lo que sea', 'Entregado', 'Entregar por la tarde'],
  ])('a row whose «%s» is %j is left out, and a row with %j is imported', (title, gone, stays) => {
    const { out, orders } = read(`${HEAD};${title}\n${row({ nombre: 'Ana Gil' }, gone)}\n${row({ nombre: 'Eva Paz' }, stays)}`);
    expect([out.map((each) => each.text), orders.length]).toEqual([[gone], 1]);
  });
  it('filled columns that match no field are listed, except technical columns such as web addresses', () =>
    expect(read(`${HEAD};Talla;Gift message;Vacía;Order URL\n${row({}, 'L', 'Felicidades', '', 'https://x')}`).unused).toEqual([
      'Talla',
      'Gift message',
    ]));
  it('rows that are sums, notes or repeated headings are left out', () => {
    const { out, orders, filas } = read(
      [
        `${HEAD};Nº pedido`,
        row({ nombre: 'Ana Gil' }, '1'),
        'Subtotal;;;;;;2;',
        row({ nombre: 'Eva Paz' }, '2'),
        HEAD,
        'TOTAL;;;;;;4;',
        ';;;;;;4;',
      ]
        .concat(['* Precios con IVA incluido;;;;;;;', 'Página 1 de 1;;;;;;;'])
        .join('\n'),
    );
    expect(out.map(({ row: { n }, is }) => [n, is])).toEqual([
      [3, 'sum'],
      [5, 'titles'],
      [6, 'sum'],
      [7, 'sum'],
      [8, 'note'],
      [9, 'note'],
    ]);
    expect([orders.length, filas.map(({ cliente_nombre }) => cliente_nombre)]).toEqual([2, ['Ana Gil', 'Eva Paz']]);
  });
  it('a customer without an address is not a note, and a company called Total is not a sum', () => {
    const { out, errors } = read(`${HEAD}\n${row({ direccion: '' })}\n${row({ nombre: 'Total Energía SL' })}\nAna Gil;;;;;;`);
    expect(out).toEqual([]);
    expect(errors).toContain('Falta la dirección');
  });
});

describe('money', () => {
  const withColumns = (titles: string, ...cells: string[]) => read(`${HEAD};${titles}\n${row({}, ...cells)}`);
  it.each([
    ['Pagado;Forma de pago', ['Sí', 'Bizum'], { metodo: 'bizum' }],
    [
      'Financial Status;Paid at;Payment Method',
      ['paid', '2026-11-20 10:22:01 +0100', 'Shopify Payments'],
      { metodo: 'tarjeta', fecha: '2026-11-20' },
    ],
    ['Order Status;Payment Method Title;Transaction ID', ['wc-processing', 'Tarjeta', 'ch_9'], { metodo: 'tarjeta', referencia: 'ch_9' }],
    ['Estado;Forma de pago', ['Pago aceptado', 'Transferencia bancaria'], { metodo: 'transferencia' }],
    ['Estado del pago', ['Pagado'], { metodo: 'otro' }],
    ['Método de pago;Pagado el', ['PayPal', '03/11/2026'], { metodo: 'otro', referencia: 'PayPal', fecha: '2026-11-03' }],
    ['Pagado', ['29,90 €'], { metodo: 'otro' }],
    ['Método de pago;Estado del cobro', ['Efectivo en tienda', 'Cobrado'], { metodo: 'efectivo' }],
  ])('columns «%s» with %j mean a paid order', (titles, cells, pago) =>
    expect(withColumns(titles, ...cells).filas[0]?.pago).toMatchObject(pago),
  );
  it.each([
    ['Pagado;Forma de pago', ['No', 'Bizum']],
    ['Financial Status;Payment Method', ['pending', 'Bank Deposit']],
    ['Order Status;Payment Method', ['wc-on-hold', 'bacs']],
    ['Estado;Forma de pago', ['A la espera de transferencia bancaria', 'Transferencia bancaria']],
    ['Pagado', ['0,00']],
    ['Financial Status;Payment Method', ['partially_paid', 'Visa']],
  ])('columns «%s» with %j do not mean a paid order', (titles, cells) =>
    expect(withColumns(titles, ...cells).filas[0]).not.toHaveProperty('pago'),
  );
  it('a payment method alone is pointed out, and records no payment', () => {
    const { filas, unpaid } = withColumns('Payment Method', 'Visa');
    expect([filas[0], unpaid]).toEqual([expect.not.objectContaining({ pago: expect.anything() }), [2]]);
  });
  it('an order that is both paid and paid on delivery is an error', () =>
    expect(withColumns('Pagado;Forma de pago', 'Pagado', 'Contra reembolso').errors).toEqual([
      'Dice pagado y contra reembolso: deja solo uno',
    ]));
  it('columns of payments and shipping are unused in a reseller’s import', () => {
    const { filas, unused } = read(`${HEAD};Pagado;Portes\n${row({}, 'Sí', '4,95')}`, person('revendedor'));
    expect([Object.keys(filas[0] ?? {}).filter((name) => /pago|envio/.test(name)), unused]).toEqual([[], ['Pagado', 'Portes']]);
  });
  it.each([
    ['Gastos de envío', '4,95 €', { envio: 4.95 }],
    ['Shipping', '4.95', { envio: 4.95 }],
    ['Portes', 'gratis', { envio: 0 }],
    ['Order Shipping Amount', '0', { envio: 0 }],
    ['Cart Discount Amount', '-2.50', { descuento: 2.5 }],
    ['Descuento', '1.234,50', { descuento: 1234.5 }],
  ])('a column «%s» with %j is read as an amount', (title, cell, amounts) =>
    expect(withColumns(title, cell).filas[0]).toMatchObject(amounts),
  );
  it.each([
    ['Envío', 'Correos Express'],
    ['Shipping', 'Flat rate'],
    ['Descuento', '10%'],
  ])('a column «%s» with %j is not an amount and is listed as unused', (title, cell) => {
    const { filas, unused } = withColumns(title, cell);
    expect([filas[0]?.envio, filas[0]?.descuento, unused]).toEqual([undefined, undefined, [title]]);
  });
  it('the total of an order is read, and the total of a line is not', () => {
    expect(totalSaid(withColumns('Order Total', '29.90').orders[0]?.[0]?.values as Values)).toBe(29.9);
    expect(totalSaid(withColumns('Contra reembolso', '29,90').orders[0]?.[0]?.values as Values)).toBe(29.9);
    expect(withColumns('Line total', '29.90').unused).toEqual(['Line total']);
  });
});

describe('a quantity', () => {
  it.each([
    ['1,00', 1],
    ['2.0', 2],
    ['3 uds', 3],
    ['10 uds.', 10],
    ['x3', 3],
    ['media docena', 6],
    ['2 docenas', 24],
    ['dos', 2],
    ['12', 12],
  ])('the quantity «%s» is read as %d', (text, n) => expect(quantityOf(text)).toBe(n));
  it.each(['1.000', '2,000', '12.000', 'varios', '3 o 4', '2,5 kg'])('the quantity «%s» is not guessed', (text) =>
    expect(quantityOf(text)).toBeNaN(),
  );
  it.each([
    ['3 x MIEL500', 'MIEL500', '3'],
    ['3x MIEL500', 'MIEL500', '3'],
    ['MIEL500 x2', 'MIEL500', '2'],
    ['MIEL500 (4 uds)', 'MIEL500', '4'],
    ['MIEL500 (x4)', 'MIEL500', '4'],
    ['2 uds. MIEL500', 'MIEL500', '2'],
    ['2 unidades de MIEL500', 'MIEL500', '2'],
    ['2 tarros de miel', 'tarros de miel', '2'],
    ['name:MIEL500|product_id:12|quantity:3|total:37.50', 'MIEL500', '3'],
  ])('the cell «%s» contains the pack «%s» and the quantity %s', (cell, text, cantidad) =>
    expect(countedIn(cell)).toEqual({ text, cantidad }),
  );
  it.each(['MIEL500', 'Aceite 5 l', 'Caja 2', 'Miel 500 g', '2 quesos'])('the cell «%s» contains no quantity', (cell) =>
    expect(countedIn(cell)).toBeUndefined(),
  );
  it('several products in one cell are lines of one order', () => {
    expect(severalIn('MIEL500 x2, ACEITE2 x1')).toHaveLength(2);
    const { filas } = read(`Nombre;Dirección;Productos\nAna Gil;Calle 1;MIEL500 x2, ACEITE2 x1\nEva Paz;Calle 2;3 x MIEL500`);
    expect(filas).toMatchObject([{ lineas: [{ cantidad: 2 }, { cantidad: 1 }] }, { cantidad: 3 }]);
  });
  it('an empty quantity is read as 1 with a warning', () =>
    expect(read(`${HEAD}\n${row({ cantidad: '' })}`).doubts).toEqual(['Sin cantidad en la hoja: se entiende 1']));
  it('the ambiguous quantity «1.000» is an error of its row', () =>
    expect(read(`${HEAD}\n${row({ cantidad: '1.000' })}`).errors).toEqual(['«1.000» puede ser 1 o 1000: escribe cuántos son']));
});

describe('cells', () => {
  it('HTML entities are decoded, even if escaped twice', () => {
    const { filas } = read(
      `${HEAD}\n${row({ nombre: 'Sean O&#039;Brien', direccion: 'C/ Pe&ntilde;a &amp;amp; Mar 3', pack: 'Aceite &amp; Vinagre' })}`.replaceAll(
        ';"',
        ';',
      ),
    );
    expect(filas).toEqual([]); // semicolons split the entities of an unquoted cell
    const quoted = `Nombre\tDirección\tPack\nSean O&#039;Brien\tC/ Pe&ntilde;a &amp;amp; Mar 3\tAceite &amp; Vinagre`;
    expect(read(quoted).filas[0]).toMatchObject({ cliente_nombre: "Sean O'Brien", cliente_direccion: 'C/ Peña & Mar 3', pack_id: 'p2' });
  });
  it.each(['#N/D', '#¡REF!', '#NAME?', '#VALUE!', '#¿NOMBRE?', '########', 'Err:502'])(
    'the error value %s is not accepted as an address',
    (cell) => expect(read(`${HEAD}\n${row({ direccion: cell })}`).errors).toContain(`La celda dice ${cell}: escribe el valor`),
  );
  it('rows without a customer are further lines of the order above', () => {
    const odoo = `Referencia del pedido,Cliente/Nombre,Cliente/Calle,Líneas del pedido/Producto,Líneas del pedido/Cantidad\nS1,Alba Rey,Calle Luna 4,MIEL500,2.0\n,,,ACEITE2,1.0\nS2,Bruno Gil,Calle Sol 8,MIEL500,1.0`;
    expect(read(odoo).filas).toMatchObject([
      { lineas: [{ cantidad: 2 }, { cantidad: 1 }], referencia_externa: 'S1' },
      { cantidad: 1, referencia_externa: 'S2' },
    ]);
  });
});

describe('letters', () => {
  const bytes = (text: string, of: Record<string, number>) => Uint8Array.from([...text].map((sign) => of[sign] ?? sign.charCodeAt(0)));
  const text = 'Nombre;Direccion\nBegoña Núñez;Avda. España 5\nJosé Peña;Málaga 3\n';
  it.each([
    ['Mac', { ñ: 0x96, ú: 0x9c, é: 0x8e, á: 0x87 }],
    ['DOS', { ñ: 0xa4, ú: 0xa3, é: 0x82, á: 0xa0 }],
    ['Windows', { ñ: 0xf1, ú: 0xfa, é: 0xe9, á: 0xe1 }],
  ])('a file from %s is decoded correctly even if its headings have no accents', (_, of) => expect(decode(bytes(text, of))).toBe(text));
});

describe('further lines', () => {
  it('further lines of a left-out order are left out too, even without an order number', () => {
    const titles = 'Pedido;Nombre;Dirección;Pack;Cantidad;Estado';
    const { out, filas } = read(
      `${titles}\n1;Ana;Calle 1;MIEL500;1;Cancelado\n;;;ACEITE2;3;\n2;Eva;Calle 2;MIEL500;2;Pagado\n1;;;ACEITE2;5;`,
    );
    expect([out.map(({ row }) => row.n), filas]).toEqual([[2, 3, 5], [expect.objectContaining({ cliente_nombre: 'Eva', cantidad: 2 })]]);
  });
  it('a further line keeps the quantity beside its product', () => {
    const { filas } = read('Pedido;Nombre;Dirección;Pack;Cantidad\n1;Ana;Calle 1;MIEL500;1\n1;;;3 x ACEITE2;1');
    expect(filas).toMatchObject([{ lineas: [{ cantidad: 1 }, { cantidad: 3 }] }]);
  });
});
