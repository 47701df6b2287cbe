import { describe, expect, test } from 'vitest';
import { ESTADOS, type Estado } from '../../../contract/pedidos/estados.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { actionsFor } from './actions.ts';

const admin: Actor = { id: 'a', role: 'superadmin', full_name: 'Ada' };
const pedido = (estado: Estado, fields: object = {}) => ({
  estado,
  revendedor_id: 'r',
  transportista_id: null,
  pendiente: estado === 'pendiente_pago' ? 10 : 0,
  ...fields,
});
const possible = (actor: Actor, ...order: Parameters<typeof pedido>) =>
  actionsFor(actor, pedido(...order)).flatMap(({ label, reason }) => (reason ? [] : [label]));

describe('the actions of a superadmin', () => {
  test.each<[Estado, string[]]>([
    [
      'pendiente_pago',
      ['Ver', 'Editar', 'Cambiar productos', 'Anotar pago', 'Imprimir albarán', 'Duplicar', 'Cancelar pedido', 'Eliminar'],
    ],
    [
      'pendiente',
      [
        'Ver',
        'Editar',
        'Cambiar productos',
        'Asignar transportista',
        'Completar',
        'Imprimir albarán',
        'Duplicar',

        'Cancelar pedido',
        'Eliminar',
      ],
    ],
    [
      'en_ruta',
      [
        'Ver',
        'Editar',
        'Asignar transportista',
        'Intento fallido',
        'Completar',
        'Vuelve al almacén',
        'Imprimir albarán',
        'Duplicar',

        'Cancelar pedido',
        'Eliminar',
      ],
    ],
    ['completado', ['Ver', 'Editar', 'Deshacer la entrega', 'Imprimir albarán', 'Duplicar', 'Eliminar']],
    ['cancelado', ['Ver', 'Reabrir el pedido', 'Imprimir albarán', 'Duplicar', 'Eliminar']],
  ])('an order in %s enables only possible actions', (estado, labels) => {
    expect(possible(admin, estado)).toEqual(labels);
  });

  test('only a superadmin can separate a joint sale, and only until the order is cancelled', () => {
    expect(possible(admin, 'pendiente', { venta_conjunta: true })).toContain('Es otra venta');
    expect(possible(admin, 'cancelado', { venta_conjunta: true })).not.toContain('Es otra venta');
    expect(possible({ ...admin, id: 'r', role: 'revendedor' }, 'pendiente', { venta_conjunta: true })).not.toContain('Es otra venta');
  });

  test.each(ESTADOS)('the menu of an order in %s lists the same nine actions in the same sequence', (estado) => {
    const nine = [
      'Ver',
      'Editar',
      'Asignar transportista',
      'Anotar pago',
      'Completar',
      'Imprimir albarán',
      'Duplicar',
      'Cancelar pedido',
      'Eliminar',
    ];
    const labels = actionsFor(admin, pedido(estado)).map(({ label }) => label);
    expect(labels.filter((label) => nine.includes(label))).toEqual(nine);
  });

  test('a deleted order can only be viewed, restored or duplicated', () => {
    expect(possible(admin, 'pendiente', { deleted_at: '2026-01-01T00:00:00.000Z' })).toEqual(['Ver', 'Restaurar', 'Duplicar']);
  });
});

test('a reseller can view their own orders, but change or cancel only unpaid orders', () => {
  const reseller: Actor = { id: 'r', role: 'revendedor', full_name: 'Rita' };
  expect(possible(reseller, 'pendiente_pago')).toEqual(['Ver', 'Editar', 'Cambiar productos', 'Cancelar pedido']);
  expect(possible(reseller, 'pendiente')).toEqual(['Ver']);
  expect(possible({ ...reseller, id: 'otra' }, 'pendiente_pago')).toEqual([]);
});
