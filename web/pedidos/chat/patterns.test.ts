import { expect, it } from 'vitest';
import type { SessionUser } from '../../../contract/session/session.ts';
import { readAnswer } from '../../envios/read-answer.ts';
import { countTargets } from '../../sheets/headings.ts';
import { NO_ANSWERS } from '../../sheets/reading.ts';
import { tableOfTexts } from '../../sheets/table.ts';
import { splitCells } from '../../sheets/text-file.ts';
import { createChecker, unknownPacks } from '../import/check.ts';
import { startImport } from '../import/draft.ts';
import { createGrouper } from '../import/groups.ts';
import { parseAmount, parsePayment } from '../import/payment.ts';
import { ordersIn, readSheet } from '../import/read-orders.ts';
import { recogniseOrder } from './recognise.ts';

/* Pasted text comes from strangers and must never freeze the tab. */

const OFFICE: SessionUser = { id: 'p', role: 'superadmin', full_name: 'Ana', email: 'ana@ejemplo.es', pending: null };
const LENGTH = 4000;
const MOST_MS = 100;
/** Each text is read a quarter as long first, where a pattern of quadratic time takes a sixteenth, and one of linear time a quarter. */
const SHORT = LENGTH / 4;
const SHORT_MS = MOST_MS / 16;
const GROWTH = 8;

const PARTS = [
  ...[', ', ',', ' ', '\n', '\t', ';', '.', '-', '/', '"', "'", '(', '<', '&', ':', '@', '1', '1 ', '1.', '6 ', '+34 ', '00', 'E', 'x'],
  ...['a', 'A', 'Ana ', 'ana', 'soy ', 'me llamo ', 'Hola ', 'para ', 'y ', 'de ', 'que, ', 'por favor, ', 'dejar ', 'dejar a ', 'nota: '],
  ...['calle ', 'calle Mayor ', 'C/ ', 'nº ', 'km ', '3º ', 'izq ', 'piso: ', 'ciudad: ', 'Calle Mayor 3, ', 'urb. ', 'Ctra. N-', 'cp '],
  ...[
    '600112233',
    '600 11 22 33 ',
    '28013 ',
    '28013, ',
    '2 cajas ',
    '2 x ',
    'x2 ',
    '1 de 2 ',
    'media docena ',
    'miel ',
    'MIEL500 (4 uds) ',
  ],
  ...['a@', 'a@a.', 'ES12 ', 'http://', '[21/11/26, 10:03] ', '21/11/26 ', '&amp;', '&', '#', '#N/', '\0', '\u200b', 'é', '🎁', '😀 '],
  ...[
    'name:a|',
    'quantity:',
    'entregado ',
    'no ',
    'entregado en ',
    '1 de ',
    'el envio ha sido ',
    'sin incidencias ',
    'o',
    'ha ',
    'holahola',
  ],
];
/** Texts of `length` characters, in the same order for every length. */
const seedsOf = (length: number) =>
  PARTS.flatMap((part) => {
    const run = part.repeat(Math.ceil(length / part.length)).slice(0, length);
    return part.length < 4 ? [run, `Ana ${run.slice(0, length - 30)} calle Mayor 3`] : [run];
  });
const SEEDS = seedsOf(LENGTH);

/** Readers of untrusted text: a message, a sheet, the answer of a shipping company. */
const READERS: Record<string, (text: string) => unknown> = {
  chat: (text) => recogniseOrder(text),
  sheet: (text) => {
    const known = (row: readonly string[]) => countTargets('pedidos', row);
    return tableOfTexts(splitCells(`Nombre;Dirección;Pack;Cantidad\n${text};${text};${text};${text}`, known), known);
  },
  cell: (text) => {
    const titles = ['Nombre', 'Dirección', 'Pack', 'Cantidad', 'Pagado', 'Método de pago', 'Portes', 'Estado', text];
    const rows = [[text, 'Calle 1', text, text, text, text, text, text, text]];
    const state = startImport(
      tableOfTexts([titles, ...rows, ...rows], () => 2),
      '',
      NO_ANSWERS,
    );
    const sheet = readSheet(OFFICE, state);
    const { reading } = sheet;
    const orders = createGrouper(reading)(ordersIn(sheet, state).kept).map(createChecker({ reading, packs: [], chosen: {} }));
    return [unknownPacks(orders.flat(), []), parseAmount(text), parsePayment(text)];
  },
  answer: (text) => {
    const cells = [
      ['Referencia', 'Estado', text],
      [text, text, text],
    ];
    return readAnswer(
      tableOfTexts(cells, () => 2),
      NO_ANSWERS,
    );
  },
};

/**
 * Milliseconds of processor time, which other processes do not lengthen. The least of up to four tries, because a garbage collection
 * lengthens single ones; no further try once one takes less than `enough`. Each try reads another text, because readers cache.
 *
 * Patterns are not timed one by one: a replaced `RegExp.prototype.exec` makes every pattern of the process slow for good.
 */
function timeOf(read: (text: string) => unknown, text: string, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let skipped = 0; skipped < 4 && least >= enough; skipped += 1) {
    const before = process.cpuUsage();
    read(text.slice(skipped));
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

it.each(Object.entries(READERS))(
  'no repetitive text slows down the %s reader',
  (_, read) => {
    const slow = seedsOf(SHORT).flatMap((text, at) => {
      const short = timeOf(read, text, SHORT_MS);
      const seed = SEEDS[at] ?? '';
      const most = Math.max(MOST_MS, short * GROWTH);
      const ms = short < SHORT_MS ? 0 : timeOf(read, seed, most);
      return ms < most ? [] : [`${Math.round(ms)} ms, after ${Math.round(short)} ms for a quarter: ${seed.slice(0, 40)}`];
    });
    expect(slow).toEqual([]);
  },
  240_000,
);
