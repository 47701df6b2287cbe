import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { comprobarRemesa, type FilaRemesaLeida, leerRemesa, listCajas, listDeEmpresas } from '../../contract/caja/caja.ts';
import { keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

const dialog = page.getByRole('dialog');
const HELD = { empresa: 'Correos', cobros: 2, importe: 27, desde: '2026-03-10', plazo: 0, tarde: 0 };
const ID = '00000000-0000-4000-8000-000000000001';

beforeEach(() => {
  server.answer(listCajas, { data: [] });
  server.answer(listDeEmpresas, { data: [], empresas: [HELD], sin_deuda: [], remesas: [] });
  const columns = { referencia: 'referencia', reembolso: 'importe', comision: 'comision', fecha: 'fecha' };
  const respuestas = { columns, words: {}, packs: {} };
  const kept = ['referencia|reembolso|comision|fecha', 'referencia|reembolso'].map((titulos) => ({ titulos, respuestas }));
  server.answer(listFormats, { data: kept.map((each) => ({ uso: 'remesa' as const, origen: 'Correos', ...each })) });
  server.answer(keepFormat, { success: true, message: '' });
  server.answer(leerRemesa, { success: true, message: 'Recibido de Correos' });
  const kinds: Record<string, Pick<FilaRemesaLeida, 'clase' | 'formas'>> = {
    'ORD-1': { clase: 'exacta', formas: [] },
    'ORD-2': { clase: 'distinta', formas: ['comision', 'apuntar', 'fuera'] },
    'ORD-3': { clase: 'distinta', formas: ['comision', 'apuntar', 'fuera'] },
  };
  server.reply(comprobarRemesa, ({ body }) => ({
    data: body.filas.map(({ referencia, importe }, fila) => {
      const kind = kinds[referencia] ?? ({ clase: 'desconocida', formas: ['aparte', 'fuera'] } as const);
      return { fila, referencia, importe, message: `Fila ${referencia}`, pedido_id: kinds[referencia] ? ID : null, ...kind };
    }),
  }));
});
async function choose(text: string) {
  open('/caja', 'superadmin', { caja: true });
  await page.getByRole('button', { name: 'Leer la liquidación de Correos' }).click();
  await expect.element(dialog.getByRole('button', { name: 'Elegir fichero' })).toBeVisible();
  await userEvent.upload(document.querySelector('[role=dialog] input[type=file], input[type=file]') as Element, new File([text], 'l.csv'));
}

test('a sheet is compared at once, each crooked row has its ways, and one press notes it', async () => {
  await choose('Referencia;Reembolso;Comisión;Fecha\r\nORD-1;17,00;0,50;12/03/2026\r\nORD-2;16,00;;\r\nXX-9;3,00;;\r\nTotal;;;\r\n');
  await expect.element(dialog.getByText('1 cuadra')).toBeVisible();
  // Nothing is decided for the person.
  await expect.element(dialog.getByText('Has recibido 16,50 € · Faltan 2 filas por decidir')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Anotar 1 fila' })).toBeDisabled();
  await expect.element(dialog.getByText(/fuera: la fila 5/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('combobox', { name: 'Qué se hace con ORD-2' }).click();
  await page.getByRole('option', { name: 'La diferencia es comisión' }).click();
  // Not paid: out of the sum.
  await dialog.getByRole('combobox', { name: 'Qué se hace con XX-9' }).click();
  await page.getByRole('option', { name: 'No la ha pagado' }).click();
  await dialog.getByLabelText(/^Comisión de toda/).fill('2');
  await expect.element(dialog.getByText('Has recibido 30,50 €')).toBeVisible();
  await dialog.getByRole('button', { name: 'Anotar 2 filas' }).click();
  await expect
    .poll(() => server.asked(leerRemesa)[0]?.body)
    .toEqual({
      empresa: 'Correos',
      comision: 2,
      fecha: '2026-03-12',
      referencia: null,
      filas: [
        { referencia: 'ORD-1', seguimiento: null, importe: 17, comision: 0.5 },
        { referencia: 'ORD-2', seguimiento: null, importe: 16, comision: 0, forma: 'comision' },
        { referencia: 'XX-9', seguimiento: null, importe: 3, comision: 0, forma: 'fuera' },
      ],
    });
});

test('rows of one kind are answered together, and a row without an order is given one', async () => {
  await choose('Referencia;Reembolso\r\nORD-2;16,00\r\nORD-3;9,00\r\nXX-9;17,00\r\n');
  await dialog.getByRole('button', { name: 'Todas: Cobró lo que dice el fichero' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'Qué se hace con ORD-3' })).toHaveValue('Cobró lo que dice el fichero');
  await dialog.getByRole('textbox', { name: 'Pedido de XX-9' }).fill('ORD-1');
  await userEvent.tab();
  await expect.element(dialog.getByText('1 cuadra')).toBeVisible();
  await dialog.getByRole('button', { name: 'Anotar 3 filas' }).click();
  await expect
    .poll(() => server.asked(leerRemesa)[0]?.body.filas.map(({ referencia, forma }) => `${referencia} ${forma ?? ''}`))
    .toEqual(['ORD-2 apuntar', 'ORD-3 apuntar', 'ORD-1 ']);
});

test('columns that nobody knows are asked, and the answers kept for the company', async () => {
  await choose('Albarán;Euros\r\nORD-1;17,00\r\n');
  for (const [column, meaning] of [
    ['Albarán', 'Nuestra referencia'],
    ['Euros', 'Importe cobrado (con signo)'],
  ] as const) {
    await dialog.getByRole('combobox', { name: column }).click();
    await page.getByRole('option', { name: meaning }).click();
  }
  await expect.element(dialog.getByText('1 cuadra')).toBeVisible();
  expect(server.asked(keepFormat).at(-1)?.body).toMatchObject({ uso: 'remesa', origen: 'Correos' });
});
