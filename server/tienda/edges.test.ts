import { expect, test } from 'vitest';
import { updateSettings } from '../../contract/settings/settings.ts';
import * as api from '../../contract/tienda/tienda.ts';
import { shop, tiendaForEachTest, world } from '../../test/tienda-world.ts';
import { wooLine, wooOrder } from '../../test/woo.ts';

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

const correct = async (body: object) =>
  shop.admin.call(api.corregirTienda, { params: { id: (await shop.waiting())[0]?.id ?? '' }, body: body as never });
const later = { date_modified_gmt: '2026-11-21T10:00:00' };
const unknown = (name: string) => wooLine({ sku: name.toUpperCase(), name });

test('a correction belongs to its line: a later message with another product at that place is asked again', async () => {
  await shop.take(wooOrder({ line_items: [unknown('Nueces'), unknown('Higos')], total: '92.95' }));
  await correct({ lineas: [{ n: 0, pack_id: shop.pack.id }] });
  await shop.read();
  expect(await shop.waiting()).toMatchObject([{ motivo: 'Falta decir qué pack es «Higos»' }]);
  await shop.take(wooOrder({ ...later, line_items: [unknown('Dátiles'), unknown('Higos')], total: '92.95' }));
  expect(await shop.waiting()).toMatchObject([{ motivo: 'Falta decir qué pack es «Dátiles»' }]);
});

test('a corrected address outlives later messages, and what nobody corrected follows them', async () => {
  await shop.take(wooOrder({ line_items: [unknown('Nueces')] }));
  await correct({ campos: { cliente_ciudad: 'Getafe' } });
  await shop.take(wooOrder({ ...later, customer_note: 'Llamar antes', line_items: [unknown('Nueces')] }));
  await correct({ lineas: [{ n: 0, pack_id: shop.pack.id }] });
  await shop.read();
  expect(await shop.orders()).toMatchObject([{ cliente_ciudad: 'Getafe', instrucciones: expect.stringContaining('Llamar antes') }]);
});

test.each([
  ['al entregar', 'reembolso', { contra_reembolso: true, pagado: 0 }],
  ['pagado en la tienda', 'pagado', { contra_reembolso: false, pagado: 48.95 }],
])('an unknown way to pay that a person calls «%s» is that, from then on', async (_, trato, expected) => {
  const paid = { payment_method: 'cuotas', payment_method_title: 'A plazos', transaction_id: '' };
  await shop.take(wooOrder(paid));
  if ((await shop.waiting()).length) await correct({ trato });
  await shop.read();
  expect(await shop.orders()).toMatchObject([expected]);
});

test('a wrong NIF is told to a business with VAT alone', async () => {
  const wrong = { meta_data: [{ key: 'nif', value: '12345678A' }] };
  await shop.admin.call(updateSettings, { body: { iva: false } });
  await shop.take(wooOrder(wrong));
  expect(await shop.waiting()).toEqual([]);
  await shop.admin.call(updateSettings, { body: { iva: true } });
  await shop.take(wooOrder({ ...wrong, id: 7272, number: '7272' }));
  expect(await shop.waiting()).toMatchObject([{ aviso: expect.stringContaining('El NIF que trae de la tienda no es válido') }]);
});

test('what a shop sends of an order whose data was erased is not kept', async () => {
  await shop.take(wooOrder({ line_items: [unknown('Nueces')] }));
  await world.db.updateTable('tienda_pedidos').set({ olvidado_at: new Date().toISOString(), contenido: null }).execute();
  await shop.take(wooOrder(later));
  expect([await shop.orders(), await shop.waiting()]).toEqual([[], []]);
  expect(await world.db.selectFrom('tienda_pedidos').select(['estado', 'contenido']).execute()).toEqual([
    { estado: 'ignorado', contenido: null },
  ]);
});
