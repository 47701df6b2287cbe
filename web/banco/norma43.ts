import { BadStatement, type FileMovement, movementText } from './statement.ts';

/*
 * Norma 43 of the Spanish banks: «Cuaderno 43, Información normalizada de cuenta corriente» of the AEB and CECA (June 2012). Lines of 80
 * characters, of which the first two say what it is:
 *
 *     00 file (optional) · 11 account: bank 3-6, office 7-10, number 11-20, currency 48-50
 *     22 movement: operation day 11-16, common concept 23-24, 1 debit or 2 credit 28, amount 29-42 in cents, document 43-52, references 53-64, 65-80
 *     23 up to five of each movement: concept 5-42 and 43-80 · 24 its amount in another currency
 *     33 end of account: debits 21-25 and their sum 26-39, credits 40-44 and their sum 45-58 · 88 end of file: records 21-26
 */

const EURO = '978';
/** Common concept of corrections, by which a bank takes back an entry. */
const CORRECTION = '98';

const field = (line: string, from: number, to: number) => line.slice(from - 1, to);
const figures = (line: string, from: number, to: number): number => {
  const text = field(line, from, to).trim();
  if (!/^\d+$/.test(text)) throw new BadStatement('El fichero no es un Norma 43 válido: descárgalo otra vez del banco.');
  return Number(text);
};
const day = (line: string, from: number) => {
  const text = String(figures(line, from, from + 5)).padStart(6, '0');
  return `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
};

/** True if a text begins as Norma 43 does. */
export const isNorma43 = (text: string): boolean => /^\uFEFF?(?:00\d{8}|11\d{18})/.test(text);

type Account = { cuenta: string; inEuros: boolean; movements: { line: string; concepts: string }[] };

/** Reads the movements of every account in euros. Throws `BadStatement` for a file whose totals are not those of its movements. */
export function readNorma43(text: string): FileMovement[] {
  const read: FileMovement[] = [];
  let account: Account | undefined;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const code = line.slice(0, 2);
    if (code === '11') {
      if (account) throw cut();
      account = { cuenta: field(line, 3, 20), inEuros: field(line, 48, 50) === EURO, movements: [] };
    } else if (code === '22') {
      if (!account) throw cut();
      account.movements.push({ line, concepts: '' });
    } else if (code === '23') {
      const movement = account?.movements.at(-1);
      // A word may go on in the next field: full fields are joined without a space.
      if (movement) movement.concepts += field(line, 5, 42).padEnd(38) + field(line, 43, 80).padEnd(38);
    } else if (code === '33') {
      if (!account) throw cut();
      for (const movement of endOf(account, line)) read.push(movement);
      account = undefined;
    }
  }
  if (account) throw cut();
  return read;
}

const cut = () => new BadStatement('Al fichero le falta una parte: descárgalo otra vez del banco.');

function endOf({ cuenta, inEuros, movements }: Account, end: string): FileMovement[] {
  const sums = { '1': { n: 0, cents: 0 }, '2': { n: 0, cents: 0 } };
  const read = movements.map(({ line, concepts }): FileMovement => {
    const side = field(line, 28, 28);
    if (side !== '1' && side !== '2') throw cut();
    const cents = figures(line, 29, 42);
    sums[side].n += 1;
    sums[side].cents += cents;
    const texto = movementText([concepts, field(line, 53, 64), field(line, 65, 80)]);
    const undone = side === '1' && field(line, 23, 24) === CORRECTION;
    return { cuenta, fecha: day(line, 11), cents: side === '1' ? -cents : cents, texto, ...(undone && { undone }) };
  });
  const totals = [figures(end, 21, 25), figures(end, 26, 39), figures(end, 40, 44), figures(end, 45, 58)];
  if (totals.join() !== [sums[1].n, sums[1].cents, sums[2].n, sums[2].cents].join())
    throw new BadStatement('Los totales del fichero no son los de sus movimientos: descárgalo otra vez del banco.');
  return inEuros ? read : [];
}
