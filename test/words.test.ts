import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Words that screens, papers, mails and the guide no longer use, each with the one word for the thing. */
const ONE_WORD: Readonly<Record<string, string>> = {
  'No se entregó': 'No entregado',
  'Devuelto o sin entregar': 'Devuelto o no entregado',
  'Salen hoy': 'Toca hoy',
  'Para hoy': 'Toca hoy',
  'Con acceso ahora': 'Pueden entrar',
  'pasan a «En Ruta»': 'Salen',
  'Entrega manual': 'Reparto propio',
  'Confirmado a mano': 'Transferencia',
  "'Simulador'": 'Pago de prueba',
  '>vacío<': 'Antes no tenía',
  'La casa': 'Tienda',
  'de la casa': 'de la tienda',
  'Sin revendedor': 'Tienda',
  'Faltan por pagar': 'Por cobrar',
  'El README': 'a screen that does it',
  'Sin entregar': 'Por decidir (it waits for an answer) or No entregado (it was tried)',
  'Sin pagar desde': 'Por cobrar desde',
  "'Sin pagar": 'Por cobrar',
  "'vacío'": 'no tenía, ya no tiene',
  '(vacío)': 'nada',
  "'Número de pedido": 'Nº de pedido',
  'Entregados hoy': 'Hecho hoy',
};
/** Goods of the demonstration, named by their makers. */
const OTHERS = ['demo/catalogue.ts', 'server/db/migrations/'];

const files = globSync(['contract/**/*.ts', 'server/**/*.ts', 'web/**/*.{ts,tsx}', 'demo/*.ts', 'docs/guia/*.md']).filter(
  (path) => !/\.test\./.test(path) && !OTHERS.some((other) => path.includes(other)),
);

test('one thing has one word on every screen, paper and page of the guide', () => {
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return Object.entries(ONE_WORD).flatMap(([word, better]) => (text.includes(word) ? [`${path}: «${word}» is «${better}»`] : []));
  });
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test('no screen names a file, command or variable of the installation to an owner', () => {
  const screens = files.filter((path) => (path.startsWith('web/') && !path.endsWith('/make.ts')) || path.startsWith('docs/guia/'));
  const found = screens.filter((path) => /\bnpm (?:start|run|ci)\b|README/.test(readFileSync(path, 'utf8')));
  expect(found).toEqual([]);
});
