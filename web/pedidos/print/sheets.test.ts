import { describe, expect, test } from 'vitest';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { carrierRoutes, onSheet, type Printed, pickingLines } from './sheets.ts';

const pack = (id: string, product: string, name: string) => ({ id, product_id: `id of ${product}`, product_name: product, name }) as Pack;
const PACKS = [pack('a', 'Vino', 'Caja de doce'), pack('b', 'Vino', 'Botella'), pack('c', 'Aceite', 'Lata')];
const line = (fields: Partial<Linea>) => ({ pack_id: null, cantidad: 1, unidades: 0, producto: 'Texto', ...fields }) as Linea;
const pedido = (fields: Partial<Printed>) => ({ estado: 'pendiente', lineas: [], ...fields }) as unknown as Printed;

describe('the picking list', () => {
  test('the picking list sums the units of all lines by product, with their packs', () => {
    const orders = [
      pedido({ lineas: [line({ pack_id: 'a', cantidad: 2, unidades: 24 }), line({ pack_id: 'c', cantidad: 1, unidades: 1 })] }),
      pedido({ lineas: [line({ pack_id: 'b', cantidad: 3, unidades: 3 })] }),
      // An order from the time when the box contained six.
      pedido({ lineas: [line({ producto: 'Cesta', cantidad: 2 }), line({ pack_id: 'a', cantidad: 1, unidades: 6 })] }),
    ];
    expect(pickingLines(orders, PACKS)).toEqual([
      { product: 'Aceite', unidades: 1, packs: [{ name: 'Lata', cantidad: 1 }] },
      { product: 'Cesta', unidades: 2, packs: [] },
      {
        product: 'Vino',
        unidades: 33,
        packs: [
          { name: 'Botella', cantidad: 3 },
          { name: 'Caja de doce', cantidad: 3 },
        ],
      },
    ]);
  });

  test('the units of a pack that no longer exists are listed under the text of the line', () => {
    const orders = [pedido({ lineas: [line({ pack_id: 'gone', producto: 'Miel – Caja', cantidad: 2, unidades: 12 })] })];
    expect(pickingLines(orders, PACKS)).toEqual([{ product: 'Miel – Caja', unidades: 12, packs: [] }]);
  });

  test('orders that have ended, wait for an answer or are unpaid are not picked, and orders that a company or the customer takes are no stop', () => {
    const at = '2026-11-25T20:00:00Z';
    const orders = [
      ...(['pendiente', 'completado', 'cancelado', 'en_ruta', 'pendiente_pago'] as const).map((estado) => pedido({ estado })),
      pedido({ estado: 'asignado', incidencia_at: at }),
      pedido({ en_empresa: 'Correos', en_empresa_at: at }),
      pedido({ recoge_at: at }),
    ];
    const placesOn = (sheet: keyof typeof onSheet) => orders.flatMap((order, i) => (onSheet[sheet](order) ? [i] : []));
    expect([placesOn('preparacion'), placesOn('ruta')]).toEqual([
      [0, 3, 6, 7],
      [0, 3],
    ]);
  });
});

test('routes are sorted by carrier and their stops by postcode, with unassigned orders last', () => {
  const stop = (carrier: string | null, cliente_codigo_postal: string | null, cliente_direccion: string) =>
    pedido({
      transportista_id: carrier,
      transportista_nombre: carrier === null ? null : carrier.slice(0, 3),
      cliente_codigo_postal,
      cliente_direccion,
    });
  const routes = carrierRoutes([
    stop(null, '28001', 'Sol 1'),
    stop('Zoe1', '28013', 'Mayor 10'),
    stop('Zoe1', null, 'Sin código 1'),
    stop('Ana1', '08001', 'Rambla 1'),
    stop('Zoe1', '28013', 'Mayor 9'),
    stop('Zoe2', '08002', 'Luna 3'),
    stop('Zoe1', '08001', 'Rambla 2'),
  ]);
  expect(routes.map(({ carrier, stops }) => [carrier, ...stops.map(({ cliente_direccion }) => cliente_direccion)])).toEqual([
    ['Ana', 'Rambla 1'],
    ['Zoe', 'Rambla 2', 'Mayor 9', 'Mayor 10', 'Sin código 1'],
    ['Zoe', 'Luna 3'],
    [null, 'Sol 1'],
  ]);
});
