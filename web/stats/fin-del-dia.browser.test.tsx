import { beforeEach, expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { finDelDiaStats } from '../../contract/stats/stats.ts';
import { expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';

const CARRIER = '11111111-1111-4111-8111-111111111111';

beforeEach(() =>
  server.answer(finDelDiaStats, {
    data: {
      hoy: '2026-11-27',
      repartos: [{ transportista_id: CARRIER, nombre: 'Ana Reparte', toca: 0, calle: 1, hecho: 5, decidir: 0, cobrado: 40 }],
      noEntregados: [
        {
          id: '22222222-2222-4222-8222-222222222222',
          numero_orden: 'ORD-2026000001',
          cliente_nombre: 'Rosa Ausente',
          transportista_id: CARRIER,
          nombre: 'Ana Reparte',
          motivo: 'Ausente',
        },
      ],
      cobros: [{ nombre: 'Ana Reparte', metodo: 'Efectivo', pagos: 2, euros: 40 }],
      cajas: [{ nombre: 'Ana Reparte', dia: '2026-11-27', cobrado: 40, entregado: 38.5, entregada: true, confirmada: false }],
      empresas: [],
      devolver: 12,
      manana: { dia: '2026-11-28', pedidos: 3 },
      stock: [{ id: CARRIER, name: 'Torta del Casar', stock: 1 }],
    },
  }),
);

test('the end of the day is on one page, with its lists and the reasons', async () => {
  open('/fin-del-dia');
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row').nth(1);
  await expect.element(rows('Reparto')).toMatchTextContent(/Ana Reparte7511/);
  await expect
    .element(page.getByRole('link', { name: '5', exact: true }))
    .toHaveAttribute('href', `/pedidos?hoy=hecho&transportista_id=${CARRIER}`);
  await expect.element(rows('No entregados, y por qué')).toMatchTextContent('Rosa Ausente');
  await expect.element(rows('Cobrado hoy')).toMatchTextContent('Efectivo');
  await expect.element(rows('Cajas')).toMatchTextContent('Por recibir');
  await expect.element(page.getByText('Ninguna empresa tiene pedidos.')).toBeVisible();
  await expect.element(page.getByText('Se acaba: Torta del Casar')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Imprimir' })).toBeVisible();
  // Texts begin at the left, figures end at the right, and the parts stand apart.
  const alignOf = (name: string) =>
    [...(rows(name).element() as HTMLTableRowElement).cells].map((cell) => getComputedStyle(cell).textAlign === 'right');
  expect(alignOf('No entregados, y por qué')).toEqual([false, false, false, false]);
  expect(alignOf('Cobrado hoy')).toEqual([false, false, true, true]);
  expect(alignOf('Cajas')).toEqual([false, false, true, true, false]);
  const boxOf = (name: string) => page.getByRole('region', { name }).element().getBoundingClientRect();
  expect(boxOf('Cobrado hoy').top - boxOf('No entregados, y por qué').bottom).toBeGreaterThan(8);
  await expectAccessible();
});

test('on paper it has its title, and dark ink on white in a dark theme too', async () => {
  const media = (name: string) => cdp().send('Emulation.setEmulatedMedia', { media: name });
  open('/fin-del-dia');
  await expect.element(page.getByRole('table', { name: 'Reparto' })).toBeVisible();
  document.documentElement.dataset.mantineColorScheme = 'dark';
  await media('print');
  try {
    await expect.element(page.getByRole('heading', { name: 'Fin del día' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Imprimir' })).not.toBeInTheDocument();
    const inkOf = (element: Element) => getComputedStyle(element).color;
    for (const element of document.querySelectorAll('main :is(h1, h2, td, th, a)')) expect(inkOf(element)).toBe('rgb(20, 23, 28)');
    const parts = [...document.querySelectorAll('main section')].map((part) => getComputedStyle(part).backgroundColor);
    expect(new Set(parts)).toEqual(new Set(['rgb(255, 255, 255)']));
  } finally {
    await media('');
    document.documentElement.dataset.mantineColorScheme = 'light';
  }
});
