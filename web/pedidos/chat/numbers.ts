import { readPostcode } from '../../../contract/text/country.ts';
import { telephoneDigits } from '../../../contract/text/telephone.ts';
import { type ChatMessage, tidy } from './message.ts';

const SEP = String.raw`(?:\s?[./-]\s?|\s{1,2})`;
/** Common groupings of the nine digits of a Spanish phone number. */
const GROUPED = [
  [9],
  [3, 3, 3],
  [3, 2, 2, 2],
  [2, 3, 2, 2],
  [3, 6],
  [2, 7],
  [3, 2, 4],
  [3, 4, 2],
  [2, 3, 4],
  [2, 2, 2, 3],
  [3, 3, 1, 2],
  Array(9).fill(1),
]
  .map((groups) => groups.map((digits) => `\\d{${digits}}`).join(SEP))
  .join('|');
const SPANISH = String.raw`(?:\(?(?:\+|00)\s?34\)?[\s.-]{0,2}|\(?34\)?[\s-])?(?<![\d])(?=[6-9])(?:${GROUPED})`;
const GLUED = String.raw`(?:\+|00)?34[6-9]\d{8}`;
const FOREIGN = String.raw`\(?(?:\+|00)(?!34)\d{1,3}\)?(?:[\s.-]?\d){6,12}`;
const TELEPHONE = new RegExp(String.raw`(?<!\d|\d\.)(?:${GLUED}|${SPANISH}|${FOREIGN})(?!\d|\.\d)`, 'g');
const BEFORE_TELEPHONE =
  /(?:(?<!\p{L})(?:y|o|e|u|mi|el|su|de|es|al|este|son|mis|los|otro|n[uú]m(?:ero)?|n[º°]|contacto|tel[eé]fonos?|tel[eé]f|telf|tel|tlf(?:no?)?|tfno?|tf|tn[oº]|m[oó]vil(?:es)?|mov|fijo|casa|trabajo|whats?app?|wasap|wsp|cel(?:ular)?|phone|mobile|m[oòó]b(?:il)?|tel[eè]fon|telefonoa)[\s.:()/=º-]*)+$/iu;

export type Telephones = { first: string; other: string };

/** Takes the phone numbers out of a message. Returns the first mobile, or else the first number, and one further number. */
export function takeTelephones(message: ChatMessage): Telephones {
  const found = [...message.text.matchAll(TELEPHONE)];
  const numbers: string[] = [];
  for (const { 0: written, index } of found) {
    message.take(index, index + written.length, BEFORE_TELEPHONE);
    const number = tidy(written);
    if (!numbers.some((other) => telephoneDigits(other) === telephoneDigits(number))) numbers.push(number);
  }
  // Exported chats name an unknown sender by phone number.
  const sender = message.senders.find(({ name }) => /^\+?[\d\s]{9,18}$/.test(name));
  if (numbers.length === 0 && sender) numbers.push(sender.name);
  const first = numbers.find((number) => /^[67]/.test(telephoneDigits(number))) ?? numbers[0] ?? '';
  return { first, other: numbers.find((number) => number !== first) ?? '' };
}

const CODE = String.raw`(?:E(?:SP?)?[\s-]?)?((?:0[1-9]|[1-4]\d|5[0-2])`;
const LABEL = String.raw`(?:(?<!\p{L})(?:c\.?\s?p\.?|d\.?\s?p\.?|c[oó]digo(?:\s+postal)?|c[oó]d\.?\s*postal|cod|postal|posta\s*kodea|codi\s+postal)\s*(?:es\s+(?:el\s+)?|:|-|=)?\s*)`;
const POSTCODES = [
  new RegExp(String.raw`${LABEL}${CODE}[\s.]?\d{3})(?!\d)`, 'iu'),
  new RegExp(String.raw`(?<![\p{L}\d#/]|\d\.)${CODE}\d{3})(?![\d/]|\.\d|\s*(?:€|uds?\b|unidades|euros|cajas|botellas))`, 'iu'),
  new RegExp(String.raw`(?<![\p{L}\d#/]|\d\.)${CODE}[\s.]\d{3})(?![\d/]|\.\d|\s*(?:€|uds?\b|unidades|euros|cajas|botellas))`, 'iu'),
  // If a hyphen and a town follow, as in «28013-Madrid», any character but a digit can precede.
  new RegExp(String.raw`(?<!\d)${CODE}\d{3})(?=\s?[-–]\s?\p{L})`, 'iu'),
];
const BEFORE_POSTCODE = /(?:(?<!\p{L})(?:y|mi|el|es|con)\s+)*(?:,\s*)?$/iu;

export function takePostcode(message: ChatMessage): { digits: string; start: number; end: number } | undefined {
  for (const pattern of POSTCODES) {
    const found = pattern.exec(message.text);
    if (!found?.[1]) continue;
    const [start, end] = [found.index, found.index + found[0].length];
    message.take(start, end, BEFORE_POSTCODE);
    return { digits: readPostcode(found[1]), start, end };
  }
  return undefined;
}
