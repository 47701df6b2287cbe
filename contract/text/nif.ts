import { VAT_NUMBERS } from './vat-number.ts';

/* The only place that reads tax numbers: of persons and companies of Spain (RD 1065/2007, art. 19 to 22), and VAT numbers of other states. */

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Tax number in its legal form, with the state that issued it; or a Spanish sentence why the text is not a tax number. */
export type ReadNif = { nif: string; state: string; problem?: undefined } | { nif?: undefined; state?: undefined; problem: string };

/** Reads a tax number however written: spaces, dots, small letters, no leading zeros. Numbers of other states keep their prefix. */
export function readNif(text: string): ReadNif {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^(N\.?I\.?F\.?|C\.?I\.?F\.?|D\.?N\.?I\.?|N\.?I\.?E\.?|VAT)[\s:]+/, '')
    .replace(/[\s.\p{Pd}/_]/gu, '');
  const spanish = readSpanish(/^ES(?=[A-Z0-9]{6,10}$)/.test(plain) ? plain.slice(2) : plain);
  if (spanish) return spanish;
  const [prefix, number] = [plain.slice(0, 2).replace('GR', 'EL'), plain.slice(2)];
  const rule = VAT_NUMBERS[prefix];
  if (rule?.written.test(number)) {
    if (rule.test(number)) return { nif: `${prefix}${number}`, state: prefix === 'EL' ? 'GR' : prefix };
    return { problem: 'El número de IVA no es válido: comprueba sus cifras' };
  }
  if (rule && /\d{4}/.test(number)) return { problem: `El número de IVA no es válido: se escribe ${rule.form}` };
  if (/^(GB|CHE?|NO|AD|US)\d{4}/.test(plain)) return { problem: 'El NIF no es válido: es un número de fuera de la UE; déjalo vacío' };
  const isNumber = /^\d{7,14}$/.test(plain);
  return { problem: isNumber ? 'El NIF no es válido: le falta la letra, o las dos letras de su país delante (FR, PT…)' : INVALID_NIF };
}

export const INVALID_NIF = 'El NIF no es válido: comprueba su letra o su número';
const WRONG: ReadNif = { problem: INVALID_NIF };

/** Returns undefined for a text without the form of a Spanish number. */
function readSpanish(plain: string): ReadNif | undefined {
  // Old NIE have eight digits, of which the first is 0.
  const person = /^([XYZ]?)0?(\d{4,8})([A-Z])$/.exec(plain) ?? /^([KLM])(\d{7})([A-Z])$/.exec(plain);
  if (person) {
    const [, mark = '', written = '', control = ''] = person;
    const digits = written.padStart(mark ? 7 : 8, '0');
    if (mark && digits.length > 7) return WRONG;
    const number = Number(`${Math.max(0, 'XYZ'.indexOf(mark))}${digits}`);
    return LETTERS[number % 23] === control ? { nif: `${mark}${digits}${control}`, state: 'ES' } : WRONG;
  }
  const [, kind = '', digits = '', control = ''] = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(plain) ?? [];
  if (!kind) return undefined;
  const sum = [...digits].reduce((all, digit, i) => all + (i % 2 === 1 ? Number(digit) : doubled(Number(digit))), 0);
  const check = (10 - (sum % 10)) % 10;
  const [isDigit, isLetter] = [control === String(check), control === 'JABCDEFGHI'[check]];
  const isRight = 'NPQRSW'.includes(kind) ? isLetter : 'ABEH'.includes(kind) ? isDigit : isDigit || isLetter;
  return isRight ? { nif: plain, state: 'ES' } : WRONG;
}

const doubled = (digit: number) => Math.floor((digit * 2) / 10) + ((digit * 2) % 10);

/** True if the text is a tax number, however written. */
export const isNif = (text: string): boolean => readNif(text).nif !== undefined;

/** Returns a tax number in its legal form; any other text unchanged. */
export const plainNif = (text: string): string => readNif(text).nif ?? text;

/** Spanish sentence if the text is not a tax number; undefined if the text is one. */
export const nifProblem = (text: string): string | undefined => readNif(text).problem;
