import { type Message, tidy } from './message.ts';
import type { Telephones } from './numbers.ts';

/** Notes for the carrier, such as where to leave the parcel, whom to call or when to come. */
const NOTE = String.raw`(?:d[eé]j(?:ar|a|ad|en|e)(?:me|mel|nos|melo|lo|la|los|las|dlo|dla|dmelo)*|dejar?dlo|dejadmelo|(?:entreg\p{L}+|llev\p{L}+|traed?\p{L}*|ven(?:ir|id)|pas(?:ar|ad))\s+(?:mejor\s+)?(?:por|a\s+partir|antes|despu[eé]s|en\s+horario|de\s+\d|solo|el|entre)|(?:ll[aá]m|av[ií]s)(?:ar|ad|en|e|a|ame|adme|enme|eme)\p{L}*\s+(?:antes|cuando|al|si|por|cinco|cuarto|primero|unos|\d+|para|un\s+rato)|(?:el\s+)?timbre|(?:el\s+)?telefonillo|(?:el\s+)?portero|preguntar?\s+por|pregunt[ae]n?\s+por|preguntad\s+por|por\s+la[s]?\s+(?:ma[ñn]anas?|tardes?|noches?)|solo\s+(?:por|puedo|estoy|ma[ñn]anas|tardes)|(?:estoy|estamos|estar[eé]|hay\s+alguien)\s+(?:en\s+casa|a\s+partir|de\s+\d|solo|por\s+la|hasta|desde)|a\s+partir\s+de\s+las|horario(?:\s+de\s+\p{L}+)?|si\s+no\s+(?:estoy|estamos|hay|contesto|abro|abre|est[aá]|contestan?|cojo)|no\s+(?:funciona|llam\p{L}+|toqu?\p{L}+)|hay\s+que\s+(?:llamar|tocar|subir)|toc(?:ar|ad|a)\s+(?:al|el|en)|cuidado\s+con|es\s+fr[aá]gil|fr[aá]gil|(?:es|va)\s+(?:un\s+|para\s+)?regalo|envu[eé]l\p{L}+|envolv\p{L}+|deixar|deixeu|deixa-ho|utzi)`;
// Limits every repetition: an unlimited pattern would backtrack for too long in a long message.
const LED = String.raw`(?:,\s{1,3})?(?:(?:por\s+favor|porfa(?:vor)?|pod[eé]is|puedes|pueden|se\s+puede|si\s+puede\s+ser|mejor|si\s+es\s+posible|que|y|pero)[\s,]{1,4}){0,6}`;
const ENDS = String.raw`(?=[.\n;!?\0]|,?\s*(?:y\s+)?(?:muchas\s+|mil\s+)?gr[aà]ci[ae]s|,?\s+(?:un\s+)?saludos?|,\s*(?:soy|me\s+llamo|mi\s|vivo|quiero|quer[ií]a|calle|c\/|av)|\s+(?:soy|me\s+llamo|vivo\s+en|quiero|quer[ií]a)\s|$)`;
const PATTERN = new RegExp(String.raw`(?<!\p{L})${LED}(${NOTE}(?!\p{L}).*?)${ENDS}`, 'giu');
const LABELLED =
  /(?<!\p{L})(?:observaci(?:ones|[oó]n)|notas?|instrucciones|comentarios?|indicaciones|nota\s+para\s+el\s+repartidor)\s*:\s*([^\n\0]+)/giu;

/** Takes the notes for the carrier out of a message. */
export function takeNotes(message: Message, { other }: Telephones): string {
  const notes: string[] = [];
  for (const pattern of [LABELLED, PATTERN]) {
    for (const found of message.text.matchAll(pattern)) {
      const read = tidy(found[1] ?? '').replace(/[\s,]+(?:y|e)$/i, '');
      const said = other && /(?<!\p{L})(?:llam|avis)\p{L}+$/iu.test(read) ? `${read} al ${other}` : read;
      // Skips a single word except «frágil»: «avisar» alone says nothing.
      if (said.split(/\s+/).length < 2 && !/fr[aá]gil/i.test(said)) continue;
      notes.push(said.charAt(0).toUpperCase() + said.slice(1));
      message.cover(found.index, found.index + found[0].length);
    }
  }
  return notes.join('. ');
}
