import { expect, test } from 'vitest';
import { shop, tiendaForEachTest } from '../../test/tienda-world.ts';
import { wooOrder } from '../../test/woo.ts';

/* A cent to each side (test/faults.ts). */

tiendaForEachTest();

test('a payment in the shop counts for what the shop was paid, and its changed amount is shown', async () => {
  const bank = { payment_method: 'bacs', status: 'on-hold' };
  await shop.take(wooOrder(bank));
  await shop.take(wooOrder({ ...bank, status: 'processing', total: '48.94', date_modified_gmt: '2026-11-21T10:00:00' }));
  expect(await shop.orders()).toMatchObject([{ pagado: 48.94, pendiente: 0.01, precio_total: 48.95 }]);
  expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringContaining('el importe') }]);
});

// The lines of wooOrder add up to 48,95 €. Rounding explains a cent per line, and one more.
test.each([
  ['48.97', 1],
  ['48.98', 0],
  ['48.93', 1],
  ['48.92', 0],
])('an order of one line whose shop says %s becomes %i order', async (total, made) => {
  await shop.take(wooOrder({ total }));
  expect((await shop.orders()).map(({ precio_total }) => precio_total)).toEqual(made ? [Number(total)] : []);
});
