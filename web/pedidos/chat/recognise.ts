import { PROVINCIAS } from '../../../contract/text/provincias.ts';
import { plain } from '../../ui/list/local-list.ts';
import { COVER, type Item, readItems } from '../lineas/items.ts';
import type { KnownPack } from '../lineas/pack-matcher.ts';
import { ChatMessage, isStop, tidy } from './message.ts';
import { takeName } from './name.ts';
import { isFirstName } from './nombres.ts';
import { type Telephones, takePostcode, takeTelephones } from './numbers.ts';
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
  const message = new ChatMessage(text);
  takeTelephones(message);
  return takePostcode(message)?.digits ?? '';
};

/** Recognises an order in a message; fields not found are empty. `towns` are the towns of the postcode. */
export function recognise(text: string, { towns, packs }: Knowledge = { towns: [], packs: [] }): Recognised {
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
    cliente_direccion2: [street?.floor, floor, tidy(labelledFloor?.[1] ?? '')].filter(Boolean).join(', '),
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
    .map(tidy)
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
      const read = tidy(found[1] ?? '').replace(/[\s,]+(?:y|e)$/i, '');
      const sentence = other && /(?<!\p{L})(?:llam|avis)\p{L}+$/iu.test(read) ? `${read} al ${other}` : read;
      // Skips a single word except «frágil»: «avisar» alone says nothing.
      if (sentence.split(/\s+/).length < 2 && !/fr[aá]gil/i.test(sentence)) continue;
      notes.push(sentence.charAt(0).toUpperCase() + sentence.slice(1));
      message.cover(found.index, found.index + found[0].length);
    }
  }
  return notes.join('. ');
}
