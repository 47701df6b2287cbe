import type { Insertable } from 'kysely';
import { expect, test } from 'vitest';
import type { Db } from './open.ts';
import type { PedidosTable } from './schema.ts';

test('the compiler refuses an estado without a transition to it', () => {
  const refused = (db: Db): unknown[] => {
    // @ts-expect-error -- an order is created pendiente or pendiente_pago
    const made: Insertable<PedidosTable>['estado'] = 'en_ruta';
    return [
      made,
      // @ts-expect-error -- only a transition writes the estado
      db.updateTable('pedidos').set({ estado: 'cancelado' }),
      // @ts-expect-error -- only a transition writes the estado
      db.updateTable('pedidos').set('estado', 'pendiente'),
      // @ts-expect-error -- only a transition writes the estado
      db.updateTable('pedidos').set((eb) => ({ estado: eb.val('cancelado' as const) })),
    ];
  };
  expect(refused).toBeTypeOf('function');
});
