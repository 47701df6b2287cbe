import { assignTransportista, setEstado } from '../contract/pedidos/pedidos.ts';
import { expect, row, SUPERADMIN, signIn, test } from './fixtures.ts';

/* The figures of the Dashboard and of the panel equal the counts of the lists they open. */

test('every figure of the Dashboard equals the count of the list that it opens', async ({ page, api }) => {
  const pack_id = (await api.pack({ pack_price: 617.25 })).id;
  const carrier = await api.user('transportista');
  const reseller = await api.user('revendedor');
  const day = '2025-03-10';
  const give = (fields = {}) => api.pedido({ pack_id, fecha_pedido: day, fecha_estimada: '2025-03-11', ...fields });
  const assign = (id: string) => api.admin.call(assignTransportista, { params: { id }, body: { transportista_id: carrier.id } });
  const complete = (id: string) => api.admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  await give({ cantidad: 2 });
  await api.pedido({ pack_id }, await api.as(reseller));
  await assign((await give()).id);
  await complete((await give()).id);
  await api.admin.call(setEstado, { params: { id: (await give()).id }, body: { estado: 'cancelado' } });
  for (const { id } of [await api.pedido(), await api.pedido()]) {
    await assign(id);
    await complete(id);
  }
  // Inactive people are neither counted nor listed.
  await api.user('transportista', { full_name: 'Zoé Sin Acceso', is_active: false });

  const dates = '?fecha_desde=2025-03-01&fecha_hasta=2025-03-31';
  await signIn(page, SUPERADMIN.email, SUPERADMIN.password);
  await page.goto(`/${dates}`);
  const figure = (name: RegExp) => page.getByRole('main').getByRole('link', { name });
  const cases: [RegExp, number][] = [
    [/^Total Pedidos 4(\s|$)/, 4],
    [/^Pendientes 1$/, 1],
    [/^En Proceso 1$/, 1],
    [/^Completados 1$/, 1],
    [/^Cancelados 1$/, 1],
    [/^Pend\. pago 1$/, 1],
    [/^Atrasados 2$/, 2],
    // Income leaves out unpaid and cancelled orders.
    [/^Ingresos 2\.469,00\s€/, 3],
  ];
  for (const [name, count] of cases) {
    await figure(name).click();
    await expect(page.getByText(`Mostrando ${count} de ${count} pedidos`)).toBeVisible();
    if (String(name).includes('Ingresos')) await expect(page.getByText(/^Suman 2\.469,00\s€$/)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/${dates}`);
  }
  await expect(page.getByRole('main')).toContainText(/Transportistas\s*1\s*Pueden entrar/);
  await page.goto('/gestion-usuarios?rol=transportista&activo=si');
  await expect(page.getByRole('row').filter({ hasText: carrier.full_name })).toBeVisible();
  await expect(page.getByText('Zoé Sin Acceso')).toBeHidden();

  await page.goto('/admin?tab=transportistas&periodo=hoy');
  await expect(page.getByText(/: 3 pedidos completados$/)).toBeVisible();
  for (const [name, count] of [
    [carrier.full_name, 2],
    ['Sin asignar', 1],
  ] as const) {
    await expect(row(page, name)).toContainText(String(count));
    await row(page, name).getByRole('link').click();
    await expect(page.getByText(`Mostrando ${count} de ${count} pedidos`)).toBeVisible();
    await page.goBack();
  }
});
