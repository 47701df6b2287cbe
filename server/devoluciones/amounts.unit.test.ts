import { describe, expect, it, test } from 'vitest';
import { DomainError } from '../kit/errors.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import type { Line } from '../pedidos/lineas/lineas.ts';
import { returnedGoods, wantedRefund } from './devoluciones.ts';
import { refundAmount, refundedBy, restOrder } from './refunds.ts';

/* What may come back, what may be paid back, and what a second order for the rest costs, without a database. */

/** Result of `work`, or the fields of its refusal. */
function tried<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [[field, [message = ''] = []] = ['']] = Object.entries((error.body.errors ?? {}) as Record<string, string[]>);
    return `${error.status} ${field}: ${message.replace(/\s/g, ' ')}`;
  }
}
const line = (numero: number, cantidad: number, more: Partial<Line> = {}): Line =>
  ({
    ...{ numero, cantidad, producto: `P${numero}`, product_id: `id${numero}`, pack_id: null, precio_total_cents: 1000, iva: '10' },
    ...{ unidades: cantidad * 2, precio_unitario_cents: 0 },
    ...more,
  }) as Line;

describe('goods that come back', () => {
  const returned = (wanted: [number, number, 'stock' | 'baja'][], before: [number, number][] = []) =>
    tried(() =>
      returnedGoods(
        wanted.map(([numero, cantidad, destino]) => ({ numero, cantidad, destino })),
        [line(1, 3), line(2, 1)],
        new Map(before),
      ),
    );

  it('are what was delivered, with the units of those that go to the stock', () => {
    expect(
      returned([
        [1, 2, 'stock'],
        [2, 1, 'baja'],
      ]),
    ).toEqual([
      { numero: 1, destino: 'stock', producto: 'P1', product_id: 'id1', cantidad: 2, unidades: 4, motivo: '' },
      { numero: 2, destino: 'baja', producto: 'P2', product_id: 'id2', cantidad: 1, unidades: 0, motivo: '' },
    ]);
  });

  test.each<[string, [number, number, 'stock' | 'baja'][], [number, number][], string | number]>([
    ['all of a line', [[1, 3, 'stock']], [], 1],
    ['more than a line', [[1, 4, 'stock']], [], '422 lineas.0.cantidad: Solo quedan 3 por devolver'],
    ['what is left of a line', [[1, 1, 'stock']], [[1, 2]], 1],
    ['more than is left of a line', [[1, 2, 'stock']], [[1, 2]], '422 lineas.0.cantidad: Solo quedan 1 por devolver'],
    [
      'a line that has come back',
      [
        [2, 1, 'baja'],
        [1, 1, 'stock'],
      ],
      [[1, 3]],
      '422 lineas.1.cantidad: Ya se ha devuelto todo',
    ],
    [
      'a line in two parts',
      [
        [1, 2, 'stock'],
        [1, 1, 'baja'],
      ],
      [],
      2,
    ],
    [
      'a line in two parts that are too much',
      [
        [1, 2, 'stock'],
        [1, 2, 'baja'],
      ],
      [],
      '422 lineas.1.cantidad: Solo quedan 1 por devolver',
    ],
    ['a line of another order', [[3, 1, 'stock']], [], '422 lineas.0.numero: Esa línea no está en el pedido'],
  ])('%s', (_, wanted, before, expected) => {
    const result = returned(wanted, before);
    expect(typeof result === 'string' ? result : result.length).toBe(expected);
  });
});

test.each([
  [undefined, {}, 0, 0],
  [null, {}, 0, 0],
  [10, {}, 0, 1000],
  [10.01, {}, 0, '422 reembolso: De lo pagado quedan 10,00 € por reembolsar'],
  // What the shop keeps counts as sold.
  [7, {}, 300, 700],
  [7.01, {}, 300, '422 reembolso: De lo pagado quedan 7,00 € por reembolsar'],
  // No more than was paid, and less what was paid back.
  [5, { pagado_cents: 500 }, 0, 500],
  [5.01, { pagado_cents: 500 }, 0, '422 reembolso: De lo pagado quedan 5,00 € por reembolsar'],
  [4, { reembolsado_cents: 600 }, 0, 400],
  [4.01, { reembolsado_cents: 600 }, 0, '422 reembolso: De lo pagado quedan 4,00 € por reembolsar'],
  [0.01, { reembolsado_cents: 1000 }, 0, '422 reembolso: No queda nada pagado que reembolsar'],
  [0.01, { reembolsado_cents: 1200 }, 0, '422 reembolso: No queda nada pagado que reembolsar'],
  [0, { reembolsado_cents: 1200 }, 0, 0],
])('a refund of %s of an order of 10 € with %o, of which %i cents are kept', (reembolso, more, kept, expected) => {
  const row = { precio_total_cents: 1000, pagado_cents: 1000, reembolsado_cents: 0, ...more } as PedidoRow;
  expect(tried(() => wantedRefund({ reembolso }, row, kept))).toBe(expected);
});

test.each([
  ['reembolso', 5, 500],
  ['reembolso', 0.01, 1],
  ['reembolso', 5.01, '422 reembolso: Quedan 5,00 € por reembolsar'],
  ['reembolso', 0, '422 reembolso: Indica cuánto se ha reembolsado'],
  ['importe', 0, '422 importe: Indica cuánto no se reembolsa'],
])('of 5 € due, «%s» of %s', (field, amount, expected) => {
  expect(tried(() => refundAmount(field, amount, 500))).toBe(expected);
});

test.each([
  [null, null, null],
  [null, 'B', 'B'],
  ['A', null, 'A'],
  ['A', 'B', 'A, B'],
])('a refund adds up, and its reference %s and %s are %s', (referencia, more, both) => {
  const before = { reembolso_cents: 100, referencia } as Parameters<typeof refundedBy>[0];
  expect(refundedBy(before, 50, more)).toEqual({ reembolso_cents: 150, referencia: both });
});

describe('an order for the rest', () => {
  const ROW = {
    ...{ id: 'first', revendedor_id: 'r', revendedor_nombre: 'Rita', transportista_id: 't', transportista_nombre: 'Tomás' },
    ...{ cliente_nombre: 'Ana', cliente_ciudad: 'Lugo', contra_reembolso: true, metadata: { a: '1' }, fecha_estimada_fijada: true },
  } as unknown as PedidoRow;
  const ordered = [line(1, 3), line(2, 2, { precio_total_cents: 500 }), line(3, 1)];
  const rest = (left: [number, number][], total: number) =>
    restOrder(
      ROW,
      ordered,
      left.map(([numero, cantidad]) => ({ numero, cantidad }) as Parameters<typeof restOrder>[2][number]),
      total,
    );
  const prices = (left: [number, number][], total: number) => {
    const { lines, values } = rest(left, total);
    return [
      lines.map(({ numero, producto, cantidad, precio_total_cents }) => [numero, producto, cantidad, precio_total_cents]),
      values.descuento_cents,
    ];
  };

  test.each<[string, [number, number][], number, unknown]>([
    [
      'the lines that are left, numbered anew',
      [
        [2, 1],
        [3, 1],
      ],
      1250,
      [
        [
          [1, 'P2', 1, 250],
          [2, 'P3', 1, 1000],
        ],
        0,
      ],
    ],
    [
      'both parts of a line',
      [
        [1, 1],
        [1, 1],
      ],
      667,
      [[[1, 'P1', 2, 667]], 0],
    ],
    [
      'a cent that rounding has lost',
      [
        [1, 1],
        [2, 1],
      ],
      584,
      [
        [
          [1, 'P1', 1, 334],
          [2, 'P2', 1, 250],
        ],
        0,
      ],
    ],
    [
      'a discount for what is not owed',
      [
        [1, 1],
        [2, 1],
      ],
      500,
      [
        [
          [1, 'P1', 1, 333],
          [2, 'P2', 1, 250],
        ],
        83,
      ],
    ],
  ])('has %s', (_, left, total, expected) => expect(prices(left, total)).toEqual(expected));

  it('is of the same customer and reseller, waits for a carrier, and costs no shipping', () => {
    const { id, values, lines } = rest([[1, 2]], 667);
    expect(id).not.toBe('first');
    expect(lines[0]).toMatchObject({ unidades: 4, product_id: 'id1' });
    expect(values).toMatchObject({
      ...{ id, revendedor_id: 'r', revendedor_nombre: 'Rita', transportista_id: null, transportista_nombre: null },
      ...{ cliente_nombre: 'Ana', cliente_ciudad: 'Lugo', metadata: null, estado: 'pendiente', contra_reembolso: true },
      ...{ envio_cents: 0, envio_fijado: true, venta_aparte: true, fecha_estimada_fijada: false, precio_total_cents: 667 },
    });
  });
});
