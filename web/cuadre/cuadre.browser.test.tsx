import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { type Cuadre, getCuadre, startCuadre } from '../../contract/cuadre/cuadre.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { uuid } from '../../test/web/empty-answer.ts';
import { server } from '../../test/web/fake-server.ts';

/* The recount of the books: the result, and the button that starts a recount. */

const PEDIDO = uuid();
const aCuadre = (fields: Partial<Cuadre> = {}): Cuadre => ({
  id: uuid(),
  started_at: '2026-11-25T02:30:00.000Z',
  ended_at: '2026-11-25T02:31:00.000Z',
  hechas: 20,
  partes: 20,
  pedidos: 1234,
  diferencias: [],
  num_diferencias: 0,
  ...fields,
});
const comprobaciones = ['El stock de cada producto es la suma de sus movimientos'];
const answer = (ultimo: Cuadre | null, en_curso: Cuadre | null = null) =>
  server.answer(getCuadre, { data: { ultimo, en_curso, comprobaciones } });
const button = (name: string) => page.getByRole('button', { name });
const see = () => open('/admin?tab=cuadre');

test('the tab «Cuadre» shows when the books were found to agree, and what is checked', async () => {
  answer(aCuadre());
  see();
  await expect.element(page.getByText('Todo cuadra')).toBeVisible();
  await expect.element(page.getByText('Comprobado el 25/11/2026 03:31, con 1.234 pedidos')).toBeVisible();
  await page.getByText('Qué se comprueba').click();
  await expect.element(page.getByText(comprobaciones[0] as string)).toBeVisible();
  await expectAccessible();
});

test('the tab «Cuadre» says that no recount was made yet', async () => {
  answer(null);
  see();
  await expect.element(page.getByText('Todavía no se ha comprobado')).toBeVisible();
  await expectAccessible();
});

test('a difference in the books shows its amounts and the affected rows, with links', async () => {
  const pagado = { name: 'pagado', titulo: 'Lo pagado es la suma de los pagos', unidad: 'euros' as const };
  const filas = [
    { que: 'ORD-2026-000001', hay: 30, esperado: 1234.5, enlace: `/pedidos/${PEDIDO}` },
    { que: 'ORD-2026-000002', hay: 0, esperado: 10, enlace: null },
  ];
  const totales = {
    ...{ name: 'totales', titulo: 'Las cifras por día son las de sus pedidos', unidad: 'texto' as const, cuantas: 1 },
    filas: [
      { que: 'Todos los pedidos, Pendiente', hay: '2 pedidos, 3,00 €', esperado: '1 pedido, 1,00 €', enlace: '/pedidos?estado=pendiente' },
    ],
  };
  answer(aCuadre({ num_diferencias: 26, diferencias: [{ ...pagado, cuantas: 25, filas }, totales] }));
  see();
  await expect.element(page.getByText('26 diferencias')).toBeVisible();
  const section = page.getByRole('region', { name: pagado.titulo });
  await expect.element(section.getByRole('listitem').first()).toMatchTextContent('ORD-2026-000001: hay 30,00 € y debería haber 1.234,50 €');
  await expect.element(section.getByText('25 diferencias')).toBeVisible();
  await expect.element(section.getByText('Y 23 más')).toBeVisible();
  await expect.element(page.getByText('1 diferencia', { exact: true })).toBeVisible();
  await expectAccessible();
  await expect.element(section.getByRole('link', { name: 'ORD-2026-000001' })).toHaveAttribute('href', `/pedidos/${PEDIDO}`);
  await page.getByRole('link', { name: 'Todos los pedidos, Pendiente' }).click();
  await expect.poll(address).toBe('/pedidos?estado=pendiente');
});

test('a recount of the books shows its progress, and cannot be started twice', async () => {
  const running = aCuadre({ ended_at: null, hechas: 5 });
  answer(aCuadre());
  server.reply(startCuadre, () => {
    answer(aCuadre(), running);
    return asDone('Comprobando las cuentas', running);
  });
  see();
  await button('Comprobar ahora').click();
  await expect.element(button('Comprobando...')).toBeDisabled();
  await expect.element(page.getByRole('progressbar', { name: 'Progreso de la comprobación' })).toHaveAttribute('aria-valuenow', '25');
  // The last result stays on screen during the recount.
  await expect.element(page.getByText('Todo cuadra')).toBeVisible();
  expect(server.asked(startCuadre)).toHaveLength(1);
});

test('a refused recount shows the reason, and resellers cannot open the tab «Cuadre»', async () => {
  answer(aCuadre());
  server.refuse(startCuadre, 409, { message: 'Ya se están comprobando las cuentas: espera a que acabe' });
  see();
  await button('Comprobar ahora').click();
  await expect.element(page.getByText('Ya se están comprobando las cuentas: espera a que acabe')).toBeVisible();
  open('/admin?tab=cuadre', 'revendedor');
  await expect.poll(address).toBe('/revendedor-dashboard');
});
