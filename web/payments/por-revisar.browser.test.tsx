import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listPagosPorRevisar, type PagoPorRevisar, resolverPago } from '../../contract/payments/payments.ts';
import { hoyStats } from '../../contract/stats/stats.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { emptyAnswer, server } from '../../test/web/fake-server.ts';
import { row } from '../../test/web/list.ts';
import { pageOf } from '../../test/web/samples.ts';

/* «Pagos por revisar»: genuine payments that match no order or amount, and a superadmin's decision on each. */

const aPago = (fields: Partial<PagoPorRevisar> = {}): PagoPorRevisar => ({
  id: uuid(),
  proveedor_nombre: 'Stripe',
  referencia: 'cs_de_menos',
  causa: 'importe',
  importe: 90,
  anotado: 0,
  moneda: 'EUR',
  received_at: '2026-11-20T09:00:00.000Z',
  pedido: { id: uuid(), numero_orden: 'ORD-2026000017', cliente_nombre: 'Lola Partes', pendiente: 100 },
  resolucion: null,
  motivo: null,
  ...fields,
});

let pagos: PagoPorRevisar[];
beforeEach(() => {
  pagos = [aPago()];
  server.reply(listPagosPorRevisar, () => pageOf(pagos));
  server.reply(resolverPago, ({ params }) => {
    pagos = pagos.filter(({ id }) => id !== params.id);
    return { success: true as const, message: 'Pago revisado' };
  });
});

const review = page.getByRole('dialog', { name: 'Revisar pago' });
const save = () => review.getByRole('button', { name: 'Guardar' }).click();
const field = (label: RegExp) => review.getByLabelText(label);

test('a payment of the wrong amount is found from the dashboard, and decided with a reason', async () => {
  const { data } = emptyAnswer(hoyStats);
  server.answer(hoyStats, { data: { ...data, atencion: { ...data.atencion, pagosPorRevisar: 1 } } });
  open('/');
  await page.getByRole('link', { name: /^Pagos por revisar ?1$/ }).click();
  await expect.poll(address).toBe('/pagos-por-revisar');
  await expect.element(row('cs_de_menos')).toMatchTextContent(/90,00\s€El importe no es el que se debeORD-2026000017/);
  await page.getByRole('button', { name: 'Revisar el pago cs_de_menos' }).click();
  await expect.element(field(/^Pedido/)).toHaveValue('ORD-2026000017');
  await expect.element(field(/^Importe que cuenta/)).toHaveValue('90,00');
  await save();
  await expect.element(field(/^Motivo/)).toHaveAccessibleDescription(/Indica el motivo/);
  await expectAccessible();
  await field(/^Motivo/).fill('Descuento acordado por teléfono');
  await save();
  await expect.element(page.getByText('No hay pagos por revisar')).toBeVisible();
  expect(server.asked(resolverPago)[0]?.body).toEqual({
    resolucion: 'pagado',
    motivo: 'Descuento acordado por teléfono',
    numero_orden: 'ORD-2026000017',
    importe: 90,
  });
});

test('a payment to be refunded needs neither order nor amount', async () => {
  pagos = [aPago({ referencia: 'cs_de_nadie', causa: 'desconocido', pedido: null })];
  open('/pagos-por-revisar');
  await expect.element(row('cs_de_nadie')).toMatchTextContent('No es de ningún pedido conocido');
  await page.getByRole('button', { name: 'Revisar el pago cs_de_nadie' }).click();
  await review.getByRole('radio', { name: /^Hay que reembolsarlo/ }).click();
  await expect.element(field(/^Pedido/)).not.toBeInTheDocument();
  await expect.element(field(/^Importe que cuenta/)).not.toBeInTheDocument();
  await field(/^Motivo/).fill('No sabemos de quién es');
  await save();
  await expect.element(page.getByText('No hay pagos por revisar')).toBeVisible();
  expect(server.asked(resolverPago)[0]?.body).toEqual({ resolucion: 'devolver', motivo: 'No sabemos de quién es', numero_orden: null });
});

test('a refund at the provider shows the next step, and can only be marked as seen', async () => {
  pagos = [aPago({ referencia: 'cs_vuelto', causa: 'reembolso', importe: 17.5, anotado: 17.5 })];
  open('/pagos-por-revisar');
  await expect.element(row('cs_vuelto')).toMatchTextContent(/Se ha reembolsado desde la pasarela.*el pedido vuelve a deber 17,50\s€/);
  await page.getByRole('button', { name: 'Revisar el pago cs_vuelto' }).click();
  await expect.element(review.getByRole('radio')).not.toBeInTheDocument();
  await field(/^Qué se ha hecho/).fill('Cancelado');
  await save();
  await expect.element(page.getByText('No hay pagos por revisar')).toBeVisible();
  expect(server.asked(resolverPago)[0]?.body).toEqual({ resolucion: 'visto', motivo: 'Cancelado', numero_orden: null });
});
