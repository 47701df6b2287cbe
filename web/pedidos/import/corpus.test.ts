import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import { readOrders } from '../../../test/web/sheet.ts';
import { decodeText } from '../../sheets/text-file.ts';

/* Sheets as shops and their programs export them, with real headings and invented people: what is known, asked and read. */

const FOLDER = join(import.meta.dirname, '../../../test/fixtures/import');
const FILES = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
const EXPORTS = readFileSync(join(FOLDER, 'exports.txt'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)] as const);
const PACKS = ['Miel 500', 'Aceite 5 l'].map((id) => ({ id, name: id, product_name: '', alias: '' }) as Pack);

/** What is read of a sheet before a person has answered anything. */
function readingOf(name: string, text: string): string {
  const { state, sheet, out, unsure, orders, filas } = readOrders(text, { packs: PACKS });
  const titled = (at: number) => state.titles?.[at] ?? `columna ${at + 1}`;
  return [
    `# ${name}`,
    ...sheet.reading.columns.flatMap((target, at) => (target ? `${titled(at)} = ${target}` : [])),
    ...(sheet.asked.length > 0 ? [`¿se usan?: ${sheet.asked.map(titled).join(', ')}`] : []),
    ...sheet.words.map(({ kind, text: word, rows, meaning }) => `${kind} «${word}» (${rows}): ${meaning ?? '¿?'}`),
    ...out.map(({ row, title, is, text: word }) => `fuera: fila ${row.n}, ${is} ${title} «${word}»`),
    ...(unsure.length > 0 ? [`¿son pedidos?: ${unsure.map(({ n }) => n).join(', ')}`] : []),
    ...(sheet.missing.length > 0 ? [`¿${sheet.missing.join(', ')}?`] : [`${orders.length} pedidos, ${filas.length} sin errores`]),
  ].join('\n');
}

it('files and exports of shop programs are read, or asked about, as recorded', async () => {
  const read = [...FILES.map((name) => [name, decodeText(readFileSync(join(FOLDER, name)))] as const), ...EXPORTS].map(([name, text]) =>
    readingOf(name, text),
  );
  expect(read.length).toBeGreaterThanOrEqual(50);
  await expect(`${read.join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, 'expected.txt'));
});
