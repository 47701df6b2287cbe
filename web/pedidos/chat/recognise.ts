import { plain } from '../../ui/list/local-list.ts';
import { PROVINCIAS } from '../cliente/provincias.ts';
import { COVER, type Item, readItems } from '../lineas/items.ts';
import type { KnownPack } from '../lineas/pack-matcher.ts';
import { isStop, Message, tidy } from './message.ts';
import { takeName } from './name.ts';
import { isFirstName } from './nombres.ts';
import { takeNotes } from './notes.ts';
import { takePostcode, takeTelephones } from './numbers.ts';
import { takeFloor, takeStreet } from './street.ts';
import { takeTown } from './town.ts';

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
  const message = new Message(text);
  takeTelephones(message);
  return takePostcode(message)?.digits ?? '';
};

/** Recognises an order in a message; fields not found are empty. `towns` are the towns of the postcode. */
export function recognise(text: string, { towns, packs }: Knowledge = { towns: [], packs: [] }): Recognised {
  const message = new Message(text);
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
    cliente_direccion2: [street?.floor, floor, tidy(labelledFloor?.[1] ?? '')].filter(Boolean).join(', '),
    cliente_codigo_postal: code?.digits ?? '',
    cliente_ciudad: town,
    instrucciones: [notes, other].filter(Boolean).join('. '),
    items,
    rest: restOf(message.text),
  };
}

/** Returns the unread parts of a message, except parts that consist of stop words. */
function restOf(text: string): string {
  return text
    .split(new RegExp(`[\\n${COVER}]+`))
    .map(tidy)
    .filter((part) => part.split(/[\s,.:;]+/).some((word) => /[\p{L}\d]{2}/u.test(word) && !isStop(word)))
    .join('\n');
}
