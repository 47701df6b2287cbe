import { Parser } from 'saxen';
import { BadStatement, type FileMovement, movementText } from './statement.ts';

/*
 * ISO 20022 camt.053, versions 02 and 08 (https://www.iso20022.org/iso-20022-message-definitions): `Stmt` for each account, `Ntry` for each
 * movement. Version 08 puts the state into `Sts/Cd` and the payer into `Dbtr/Pty`. Read as a stream; entities of the file's own are not expanded.
 */

/** True if a text begins as a message of ISO 20022 does. */
export const isCamt = (text: string): boolean => /^\uFEFF?\s*</.test(text) && text.slice(0, 2000).includes('camt.053');

/** Elements whose text tells where a movement belongs. */
const SAYS = ['Nm', 'Ustrd', 'Ref', 'EndToEndId', 'AddtlNtryInf', 'AcctSvcrRef'];
/** A bank's word for a missing reference. */
const NONE = /^NOT ?PROVIDED$/i;

type Entry = { amount: string; currency: string; side: string; state: string; day: string; reversal: boolean; words: string[] };

/** Reads the booked movements in euros. Throws `BadStatement` for a file that is cut, or declares entities. */
export function readCamt(xml: string): FileMovement[] {
  if (/<!DOCTYPE/i.test(xml)) throw new BadStatement('El fichero no es un extracto: descárgalo otra vez del banco.');
  const read: FileMovement[] = [];
  const path: string[] = [];
  let text = '';
  let account = '';
  let entry: Entry | undefined;
  let currency = '';
  const closeIn: Record<string, (of: Entry) => void> = {
    'Ntry/Amt': (of) => Object.assign(of, { amount: text, currency }),
    'Ntry/CdtDbtInd': (of) => Object.assign(of, { side: text }),
    'Ntry/RvslInd': (of) => Object.assign(of, { reversal: text === 'true' || text === '1' }),
    'Ntry/Sts': (of) => Object.assign(of, { state: of.state || text }),
    'Sts/Cd': (of) => Object.assign(of, { state: of.state || text }),
    'BookgDt/Dt': (of) => Object.assign(of, { day: text }),
    'BookgDt/DtTm': (of) => Object.assign(of, { day: text.slice(0, 10) }),
  };
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  new Parser()
    .on('openTag', (name, attributes) => {
      path.push(local(name));
      text = '';
      if (path.at(-1) === 'Ntry') entry = { amount: '', currency: '', side: '', state: '', day: '', reversal: false, words: [] };
      if (path.at(-1) === 'Amt') currency = attributes().Ccy ?? '';
      if (path.at(-1) === 'Stmt') account = '';
    })
    .on('text', (some, decode) => {
      text += decode(some);
    })
    .on('cdata', (some) => {
      text += some;
    })
    .on('closeTag', (name) => {
      const own = local(name);
      text = text.trim();
      const above = path.slice(-2).join('/');
      if (!entry && text && path.includes('Acct') && /^(?:Id\/IBAN|Othr\/Id)$/.test(above)) account ||= text;
      if (entry) closeIn[above]?.(entry);
      // The shop itself is the creditor; the account's servicer and the payer's bank say nothing either.
      if (entry && text && SAYS.includes(own) && !NONE.test(text) && !path.some((part) => /^(?:Cdtr|UltmtCdtr|\w*Agt|\w*Agts)$/.test(part)))
        entry.words.push(text);
      if (own === 'Ntry' && entry) {
        for (const movement of movementOf(entry, account)) read.push(movement);
        entry = undefined;
      }
      path.pop();
      text = '';
    })
    .on('error', () => {
      throw new BadStatement('El fichero no se puede leer: descárgalo otra vez del banco.');
    })
    .parse(xml);
  if (path.length > 0) throw new BadStatement('Al fichero le falta una parte: descárgalo otra vez del banco.');
  return read;
}

function movementOf({ amount, currency, side, state, day, reversal, words }: Entry, cuenta: string): FileMovement[] {
  if (state !== 'BOOK' || currency !== 'EUR') return [];
  const cents = Math.round(Number(amount) * 100);
  if (!/^\d{1,13}(?:\.\d{1,5})?$/.test(amount) || !/^\d{4}-\d\d-\d\d$/.test(day) || !/^(?:CRDT|DBIT)$/.test(side))
    throw new BadStatement('El fichero no es un extracto válido: descárgalo otra vez del banco.');
  if (cents === 0) return [];
  const isDebit = side === 'DBIT';
  return [
    {
      cuenta,
      fecha: day,
      cents: isDebit ? -cents : cents,
      texto: movementText(words),
      ...(isDebit && reversal && { undone: true as const }),
    },
  ];
}
