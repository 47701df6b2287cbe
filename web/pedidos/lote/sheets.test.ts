import { describe, expect, test } from 'vitest';
import type { Pedido } from '../../../contract/pedidos.ts';
import type { Pack } from '../../../contract/products.ts';
import { picksOf, routesOf, toDeliver } from './sheets.ts';

const pack = (id: string, product: string, name: string) => ({ id, product_id: `id of ${product}`, product_name: product, name }) as Pack;
const PACKS = [pack('a', 'Vino', 'Caja de doce'), pack('b', 'Vino', 'Botella'), pack('c', 'Aceite', 'Lata')];
const pedido = (given: Partial<Pedido>) => ({ pack_id: null, cantidad: 1, unidades_retenidas: 0, estado: 'pendiente', ...given }) as Pedido;

describe('what is taken from the shelves', () => {
  test('is the units that the orders hold, by product, with the packs that they are for', () => {
    const orders = [
      pedido({ pack_id: 'a', cantidad: 2, unidades_retenidas: 24 }),
      pedido({ pack_id: 'c', cantidad: 1, unidades_retenidas: 1 }),
      pedido({ pack_id: 'b', cantidad: 3, unidades_retenidas: 3 }),
      // Made when the box still had six.
      pedido({ pack_id: 'a', cantidad: 1, unidades_retenidas: 6 }),
      pedido({ producto: 'Cesta', cantidad: 2 }),
    ];
    expect(picksOf(orders, PACKS)).toEqual([
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

  test('is for orders that are neither delivered nor cancelled', () => {
    const orders = (['pendiente', 'completado', 'cancelado', 'en_ruta'] as const).map((estado) => pedido({ estado }));
    expect(toDeliver(orders).map(({ estado }) => estado)).toEqual(['pendiente', 'en_ruta']);
  });
});

test('a route is by carrier and postcode; two carriers of one name have a route each, and what nobody has comes last', () => {
  const stop = (carrier: string | null, cliente_codigo_postal: string | null, cliente_direccion: string) =>
    pedido({
      transportista_id: carrier,
      transportista_nombre: carrier === null ? null : carrier.slice(0, 3),
      cliente_codigo_postal,
      cliente_direccion,
    });
  const routes = routesOf([
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
