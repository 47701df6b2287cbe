import { expect, row, SUPERADMIN, signInByForm, test } from './fixtures.ts';

/* The main job, end to end: three people in three windows take one order from «Nuevo Pedido» to «Completado». */

test('a reseller’s order is paid, taken by a carrier and delivered', async ({ openAs, api }) => {
  test.slow();
  const product = await api.product({ name: 'Aceite de Jaén', stock: 50 });
  await api.pack({ product_id: product.id, name: 'Caja de 6', pack_quantity: 6, pack_price: 59.9 });
  const [rita, tomas] = [await api.user('revendedor'), await api.user('transportista')];
  const [reseller, carrier, owner] = [
    await openAs(rita, signInByForm),
    await openAs(tomas, signInByForm),
    await openAs(SUPERADMIN, signInByForm),
  ];

  await reseller.goto('/pedidos/nuevo');
  await reseller.getByLabel('Nombre').fill('Íñigo Núñez');
  await reseller.getByLabel('Dirección').fill('Calle Ávila 3');
  await reseller.getByRole('combobox', { name: 'Pack' }).fill('Aceite');
  await reseller.getByRole('option', { name: 'Aceite de Jaén – Caja de 6' }).click();
  await reseller.getByRole('textbox', { name: 'Cantidad' }).fill('2');
  await reseller.getByRole('button', { name: 'Crear Pedido' }).click();
  const created = reseller.getByRole('dialog', { name: 'Pedido creado' });
  const numero = /ORD-\d{10}/.exec((await created.textContent()) ?? '')?.[0] ?? 'none';
  await expect(created).toContainText('119,80 €');

  // Unpaid orders are hidden from carriers until the superadmin records the payment.
  await carrier.goto('/pedidos-disponibles');
  await expect(carrier.getByText('Todos los pedidos pendientes han sido asignados')).toBeVisible();
  await owner.goto('/pedidos');
  const managed = row(owner, numero);
  await expect(managed).toContainText('119,80 €');
  await managed.getByRole('button', { name: `Acciones del pedido ${numero}` }).click();
  await owner.getByRole('menuitem', { name: 'Anotar pago' }).click();
  const paid = owner.getByRole('dialog', { name: 'Anotar pago' });
  await paid.getByLabel('Referencia (opcional)').fill('Transferencia 20/11');
  await paid.getByRole('button', { name: 'Anotar pago' }).click();
  await expect(managed).toContainText('Pendiente');

  await carrier.reload();
  await row(carrier, numero).getByRole('button', { name: 'Tomar Pedido' }).click();
  await carrier.getByRole('dialog', { name: 'Tomar Pedido' }).getByRole('button', { name: 'Confirmar' }).click();
  await expect(carrier.getByText(`Pedido #${numero} asignado exitosamente`)).toBeVisible();
  await carrier.goto('/pedidos-asignados');
  await row(carrier, numero).getByRole('button', { name: 'Completar' }).click();
  const complete = carrier.getByRole('dialog', { name: 'Completar Entrega' });
  await complete.getByRole('button', { name: 'Completar entrega' }).click();
  await expect(complete).toBeHidden();

  // Two packs of six bottles leave 38 of 50 in stock.
  // A slow telephone sends the delivery after its dialog has closed.
  await reseller.goto(`/mis-pedidos?search=${numero}`);
  await expect(row(reseller, numero)).toContainText('Completado', { timeout: 60_000 });
  await owner.goto(`/pedidos?search=${numero}`);
  await expect(row(owner, numero)).toContainText('Completado');
  await owner.goto('/control-stock');
  await expect(row(owner, 'Aceite de Jaén').first()).toContainText('38');
});
