import { expect, it } from 'vitest';
import { leerEstado, respuestaColumns } from '../../../contract/envios/respuesta.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { amountOf } from '../import/amounts.ts';
import { checkerOf, unknownPacks } from '../import/check.ts';
import { matchColumns } from '../import/columns.ts';
import { startImport } from '../import/draft.ts';
import { grouperOf } from '../import/groups.ts';
import { paymentOf, unsaidPayments } from '../import/payment.ts';
import { cellsOf, sheetOf } from '../import/sheet.ts';
import { spread } from '../import/spread.ts';
import { recognise } from './recognise.ts';

/* Pasted text comes from strangers and must never freeze the tab. */

const OFFICE: SessionUser = { id: 'p', role: 'superadmin', full_name: 'Ana', email: 'ana@ejemplo.es', pending: null };
const LENGTH = 4000;
const MOST_MS = 100;

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
const SEEDS = PARTS.flatMap((part) => {
  const run = part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);
  return part.length < 4 ? [run, `Ana ${run.slice(0, LENGTH - 30)} calle Mayor 3`] : [run];
});

/** Readers of untrusted text: a message, a sheet, the answer of a shipping company. */
const READERS: Record<string, (text: string) => unknown> = {
  chat: (text) => recognise(text),
  sheet: (text) => {
    const sheet = spread(sheetOf(cellsOf(`Nombre;Dirección;Pack;Cantidad\n${text};${text};${text};${text}`)));
    return matchColumns([text, ...(sheet.titles ?? [])]);
  },
  cell: (text) => {
    const titles = ['Nombre', 'Dirección', 'Pack', 'Cantidad', 'Pagado', 'Método de pago', 'Portes', 'Estado', text];
    const rows = [[text, 'Calle 1', text, text, text, text, text, text, text]];
    const { columns, rows: kept, titles: read } = startImport(OFFICE, sheetOf([titles, ...rows, ...rows]), '');
    const orders = grouperOf({ titles: read, columns, juntar: false })(kept).map(checkerOf({ columns, packs: [], chosen: {} }));
    return [unknownPacks(orders.flat(), []), unsaidPayments(kept, columns), amountOf(text), paymentOf(text, true)];
  },
  answer: (text) => [leerEstado(text), respuestaColumns([text])],
};

/** Runs `work`, and returns its milliseconds by the clock and of processor time, which other processes do not lengthen. */
function timesOf(work: () => unknown): { wall: number; processor: number } {
  const [since, before] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - since, processor: (user + system) / 1000 };
}

/** Returns the patterns that take longer than `MOST_MS` while `read` runs, with their times in ms. */
function slowPatterns(read: () => unknown): string[] {
  const spent = new Map<string, number>();
  const { exec } = RegExp.prototype;
  // Every method that applies a pattern calls `exec`.
  RegExp.prototype.exec = function timed(this: RegExp, text: string) {
    const before = performance.now();
    const found = exec.call(this, text);
    spent.set(this.source, (spent.get(this.source) ?? 0) + performance.now() - before);
    return found;
  };
  try {
    const { wall, processor } = timesOf(read);
    const own = Math.min(1, processor / wall);
    return [...spent].filter(([, ms]) => ms * own > MOST_MS).map(([source, ms]) => `${Math.round(ms)} ms in ${source.slice(0, 120)}`);
  } finally {
    RegExp.prototype.exec = exec;
  }
}

it.each(Object.entries(READERS))(
  'no repetitive text slows down the %s reader',
  (_, read) => {
    const slow = (seed: string) =>
      timesOf(() => read(seed)).processor > MOST_MS ? slowPatterns(() => read(seed)).map((found) => `${seed.slice(0, 40)}: ${found}`) : [];
    // Retries, because a garbage collection disturbs the times: a slow pattern is slow each time.
    const always = (seed: string) => [1, 2, 3, 4].reduce((found, _) => (found.length > 0 ? slow(seed) : found), slow(seed));
    expect(SEEDS.flatMap(always)).toEqual([]);
  },
  240_000,
);
