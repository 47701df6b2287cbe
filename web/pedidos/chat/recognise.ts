import { namesOfTown } from '../../../contract/doubts/towns.ts';
import { readPostcode } from '../../../contract/text/country.ts';
import { PROVINCIAS } from '../../../contract/text/provincias.ts';
import { telephoneDigits } from '../../../contract/text/telephone.ts';
import { plain } from '../../ui/list/local-list.ts';
import { COVER, type Item, readItems } from '../lineas/items.ts';
import type { KnownPack } from '../lineas/pack-matcher.ts';
import { ChatMessage, capitaliseWords, isStop, tidyText } from './message.ts';
import { takeName } from './name.ts';
import { isFirstName } from './nombres.ts';
import { takeFloor, takeStreet } from './street.ts';

/* Fields that a chat message can fill in. */

export const READ_FIELDS = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_codigo_postal',
  'cliente_ciudad',
  'instrucciones',
] as const;
export type Recognised = Record<(typeof READ_FIELDS)[number], string> & {
  items: Item[];
  /** Text that was not recognised. */
  rest: string;
};
export type Knowledge = { towns: readonly string[]; packs: readonly KnownPack[] };

const GREETING =
  /(?<!\p{L})(?:h*o+l+a+s?|buen[oa]s?\s+(?:d[ií]as?|tardes?|noches?)|buen[oa]s|bos?\s+d[ií]as?|boas(?:\s+(?:tardes|noites))?|hey|ey|bon\s+dia|bona\s+(?:tarda|nit)|kaixo|egun\s+on|hello|hi|estimad[oa]s?|querid[oa]s?)(?!\p{L})[\s,!]*(\p{L}+)?/giu;
const LEFT_OVER = /(?<!\p{L})(?:provincia|pa[ií]s|comunidad|country)\s*:\s*[^\n\0,;]+/giu;
const FLOOR =
  /(?<=^|[\n\0,;.]\s*)(?:piso|puerta|planta|escalera|portal|oficina)(?:\s*[/y]\s*\p{L}+)*\s*:\s*([^\n\0;,]{1,30})(?=[\n\0;,]|$)/iu;

/** Returns the postcode in a message, to look up the towns of the postcode; '' if there is none. */
export const postcodeIn = (text: string): string => {
  const message = new ChatMessage(text);
  takeTelephones(message);
  return takePostcode(message)?.digits ?? '';
};

/** Recognises an order in a message; fields not found are empty. `towns` are the towns of the postcode. */
export function recogniseOrder(text: string, { towns, packs }: Knowledge = { towns: [], packs: [] }): Recognised {
  const message = new ChatMessage(text);
  const telephones = takeTelephones(message);
  const code = takePostcode(message);
  for (const greeting of message.text.matchAll(GREETING)) {
    const [whole, who] = greeting;
    const next = message.text.slice(greeting.index + whole.length);
    // «Hola Laura,» greets the shop by name; «Hola, Ana Ruiz» does not.
    const called = who && isFirstName(plain(who)) && /^\s*(?:[,.!?\n\0:]|$|(?!\p{Lu})\p{L})/u.test(next);
    message.cover(greeting.index, greeting.index + whole.length - (who && !called ? who.length : 0));
  }
  const notes = takeNotes(message, telephones);
  const labelledFloor = FLOOR.exec(message.text);
  if (labelledFloor) message.cover(labelledFloor.index, labelledFloor.index + labelledFloor[0].length);
  const street = takeStreet(message, !!code);
  const town = takeTown(message, code ? towns : PROVINCIAS, code, street);
  for (const { 0: found, index } of message.text.matchAll(LEFT_OVER)) message.cover(index, index + found.length);
  const floor = street && !street.floor && !labelledFloor ? takeFloor(message) : '';
  const name = takeName(message, street, [...towns, town]);
  const items = readItems(message.text, packs);
  const other = telephones.other && !notes.includes(telephones.other) && `Otro teléfono: ${telephones.other}`;
  return {
    cliente_nombre: name,
    cliente_telefono: telephones.first,
    cliente_direccion: street?.address ?? '',
    cliente_direccion2: [street?.floor, floor, tidyText(labelledFloor?.[1] ?? '')].filter(Boolean).join(', '),
    cliente_codigo_postal: code?.digits ?? '',
    cliente_ciudad: town,
    instrucciones: [notes, other].filter(Boolean).join('. '),
    items,
    rest: restOf(message.text),
  };
}

/** Returns the unread parts of a message, except parts that consist of stop words. */
const restOf = (text: string): string =>
  text
    .split(new RegExp(`[\\n${COVER}]+`))
    .map(tidyText)
    .filter((part) => part.split(/[\s,.:;]+/).some((word) => /[\p{L}\d]{2}/u.test(word) && !isStop(word)))
    .join('\n');

/** Notes for the carrier, such as where to leave the parcel, whom to call or when to come. */
const NOTE = String.raw`(?:d[eé]j(?:ar|a|ad|en|e)(?:me|mel|nos|melo|lo|la|los|las|dlo|dla|dmelo)*|dejar?dlo|dejadmelo|(?:entreg\p{L}+|llev\p{L}+|traed?\p{L}*|ven(?:ir|id)|pas(?:ar|ad))\s+(?:mejor\s+)?(?:por|a\s+partir|antes|despu[eé]s|en\s+horario|de\s+\d|solo|el|entre)|(?:ll[aá]m|av[ií]s)(?:ar|ad|en|e|a|ame|adme|enme|eme)\p{L}*\s+(?:antes|cuando|al|si|por|cinco|cuarto|primero|unos|\d+|para|un\s+rato)|(?:el\s+)?timbre|(?:el\s+)?telefonillo|(?:el\s+)?portero|preguntar?\s+por|pregunt[ae]n?\s+por|preguntad\s+por|por\s+la[s]?\s+(?:ma[ñn]anas?|tardes?|noches?)|solo\s+(?:por|puedo|estoy|ma[ñn]anas|tardes)|(?:estoy|estamos|estar[eé]|hay\s+alguien)\s+(?:en\s+casa|a\s+partir|de\s+\d|solo|por\s+la|hasta|desde)|a\s+partir\s+de\s+las|horario(?:\s+de\s+\p{L}+)?|si\s+no\s+(?:estoy|estamos|hay|contesto|abro|abre|est[aá]|contestan?|cojo)|no\s+(?:funciona|llam\p{L}+|toqu?\p{L}+)|hay\s+que\s+(?:llamar|tocar|subir)|toc(?:ar|ad|a)\s+(?:al|el|en)|cuidado\s+con|es\s+fr[aá]gil|fr[aá]gil|(?:es|va)\s+(?:un\s+|para\s+)?regalo|envu[eé]l\p{L}+|envolv\p{L}+|deixar|deixeu|deixa-ho|utzi)`;
// Limits every repetition: an unlimited pattern would backtrack for too long in a long message.
const LED = String.raw`(?:,\s{1,3})?(?:(?:por\s+favor|porfa(?:vor)?|pod[eé]is|puedes|pueden|se\s+puede|si\s+puede\s+ser|mejor|si\s+es\s+posible|que|y|pero)[\s,]{1,4}){0,6}`;
const ENDS = String.raw`(?=[.\n;!?\0]|,?\s*(?:y\s+)?(?:muchas\s+|mil\s+)?gr[aà]ci[ae]s|,?\s+(?:un\s+)?saludos?|,\s*(?:soy|me\s+llamo|mi\s|vivo|quiero|quer[ií]a|calle|c\/|av)|\s+(?:soy|me\s+llamo|vivo\s+en|quiero|quer[ií]a)\s|$)`;
const PATTERN = new RegExp(String.raw`(?<!\p{L})${LED}(${NOTE}(?!\p{L}).*?)${ENDS}`, 'giu');
const LABELLED =
  /(?<!\p{L})(?:observaci(?:ones|[oó]n)|notas?|instrucciones|comentarios?|indicaciones|nota\s+para\s+el\s+repartidor)\s*:\s*([^\n\0]+)/giu;

function takeNotes(message: ChatMessage, { other }: Telephones): string {
  const notes: string[] = [];
  for (const pattern of [LABELLED, PATTERN]) {
    for (const found of message.text.matchAll(pattern)) {
      const read = tidyText(found[1] ?? '').replace(/[\s,]+(?:y|e)$/i, '');
      const sentence = other && /(?<!\p{L})(?:llam|avis)\p{L}+$/iu.test(read) ? `${read} al ${other}` : read;
      // Skips a single word except «frágil»: «avisar» alone says nothing.
      if (sentence.split(/\s+/).length < 2 && !/fr[aá]gil/i.test(sentence)) continue;
      notes.push(sentence.charAt(0).toUpperCase() + sentence.slice(1));
      message.cover(found.index, found.index + found[0].length);
    }
  }
  return notes.join('. ');
}

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

type Telephones = { first: string; other: string };

/** Takes the phone numbers out of a message. Returns the first mobile, or else the first number, and one further number. */
function takeTelephones(message: ChatMessage): Telephones {
  const found = [...message.text.matchAll(TELEPHONE)];
  const numbers: string[] = [];
  for (const { 0: written, index } of found) {
    message.take(index, index + written.length, BEFORE_TELEPHONE);
    const number = tidyText(written);
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

function takePostcode(message: ChatMessage): { digits: string; start: number; end: number } | undefined {
  for (const pattern of POSTCODES) {
    const found = pattern.exec(message.text);
    if (!found?.[1]) continue;
    const [start, end] = [found.index, found.index + found[0].length];
    message.take(start, end, BEFORE_POSTCODE);
    return { digits: readPostcode(found[1]), start, end };
  }
  return undefined;
}

type Span = { start: number; end: number };

const key = (text: string) =>
  plain(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
const LEAD = /(?:(?<!\p{L})(?:y|en|de|ciudad|poblaci[oó]n|localidad|pueblo|municipio|poblaci[oó]|herria|town|city|vivo|soy)[\s:.-]*)+$/iu;
const TOWN_LABEL = /(?<!\p{L})(?:ciudad|poblaci[oó]n?|localidad|municipio|town|city)\s*:\s*([^\n\0,;.:(]{2,50})/iu;
const WORDS = /^[\s,.–:(-]*?(?=\p{L})((?:\p{L}[\p{L}'’·]*[ ./-]{0,2}){1,6})/u;

/** Whole-word mentions of known towns, with their positions. */
function mentions(text: string, towns: readonly string[]): (Span & { name: string })[] {
  const found: (Span & { name: string })[] = [];
  const folded = foldKeepingLength(text);
  for (const town of towns) {
    for (const name of namesOfTown(town)) {
      const wanted = key(name).replaceAll(' ', '[^a-z0-9\\0\\n]{1,2}');
      for (const hit of folded.matchAll(new RegExp(`(?<![a-z0-9])${wanted}(?![a-z0-9])`, 'g'))) {
        found.push({ name, start: hit.index, end: hit.index + hit[0].length });
      }
    }
  }
  return found.sort((a, b) => b.end - b.start - (a.end - a.start));
}
const foldKeepingLength = (text: string) =>
  Array.from({ length: text.length }, (_, at) => plain(text.charAt(at)).charAt(0) || ' ').join('');

/** Takes the town out of a message. `towns` are the towns of the postcode at `code`, or the provinces without a postcode. */
function takeTown(message: ChatMessage, towns: readonly string[], code: Span | undefined, street: Span | undefined): string {
  const labelled = TOWN_LABEL.exec(message.text);
  const anchor = code ?? street ?? (labelled ? { start: labelled.index, end: labelled.index } : undefined);
  if (!anchor) return '';
  const distance = ({ start, end }: Span) => (start >= anchor.end ? start - anchor.end : anchor.start - end + 3);
  const near = mentions(message.text, towns).filter(({ start, end }) => code || followsStreet(message.text, start, end, anchor));
  const [longest] = near.sort((a, b) => distance(a) - distance(b) || b.end - a.end);
  const behind = code && writtenBehind(message, code);
  if (longest && !(behind && behind.start < longest.start && distance(longest) > 40)) {
    const more = /^\s+(?:de|del|d')\s*(?:\p{L}+\s?){1,4}(?=[\s,.;\0\n)]|$)/iu.exec(message.text.slice(longest.end));
    const goesOn =
      more &&
      !more[0]
        .trim()
        .split(/\s+/)
        .slice(1)
        .some((word) => isStop(word)) &&
      !/^\s+de\s+(?:\p{L}+\s+){2}/u.test(more[0]);
    const end = goesOn && more ? longest.end + more[0].trimEnd().length : longest.end;
    const name = goesOn ? capitaliseWords(tidyText(message.text.slice(longest.start, end))) : longest.name;
    message.take(longest.start, withProvince(message.text, end), LEAD);
    return name;
  }
  if (behind) {
    message.take(behind.start, withProvince(message.text, behind.end), LEAD);
    return capitaliseWords(behind.name);
  }
  if (labelled?.[1]) {
    message.cover(labelled.index, labelled.index + labelled[0].length);
    return capitaliseWords(tidyText(labelled[1]));
  }
  const [only, another] = towns;
  return code && only && !another ? only : '';
}

/** True for a town right after the street or after a word such as «ciudad». Without a postcode, other mentions of towns are ignored. */
function followsStreet(text: string, start: number, end: number, street: Span): boolean {
  if (/(?<!\p{L})(?:en|ciudad|poblaci[oó]n|localidad|municipio)[\s:]+$/iu.test(text.slice(0, start))) return true;
  const between = text.slice(street.end, start);
  return start >= street.end && /^[\s,.(\0–-]*(?:(?:de|en)\s+)?$/i.test(between) && /^[\s]*(?:$|[,.;\n\0)!])/.test(text.slice(end));
}

/** Returns the end of a province in brackets, a country or «capital» right after the town; `end` if none follows. */
const withProvince = (text: string, end: number): number =>
  end + (/^\s*(?:\([^)\n\0]{2,30}\)|[,\s-]+(?:espa[ñn]a|spain|capital)(?!\p{L}))/iu.exec(text.slice(end))?.[0].length ?? 0);

/** Words after the postcode that may be a place missing from the tables. */
function writtenBehind(message: ChatMessage, code: Span): (Span & { name: string }) | undefined {
  const rest = message.text.slice(code.end);
  const found = WORDS.exec(/^[\s,.–:(-]*\n/.test(rest) ? '' : rest);
  if (!found?.[1]) return undefined;
  const start = code.end + found[0].length - found[1].length;
  const words = found[1].split(/(?<=[\s])/);
  const first = words.findIndex((word) => isStop(word) || /[.]\s*$/.test(word));
  const ended = first < 0 ? words : words.slice(0, isStop(words[first] ?? '') ? first : first + 1);
  const written = ended.join('').trimEnd();
  if (!written || isFirstName(key(written.split(/\s/)[0] ?? '')) || written.split(/\s+/).length > 5) return undefined;
  const name = tidyText(written);
  return name.length < 4 ? undefined : { name, start, end: start + written.length };
}
