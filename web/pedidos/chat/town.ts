import { plain } from '../../ui/list/local-list.ts';
import { namesOfTown } from '../cliente/poblaciones.ts';
import { type ChatMessage, capitalised, isStop, tidy } from './message.ts';
import { isFirstName } from './nombres.ts';

type Span = { start: number; end: number };

const key = (text: string) =>
  plain(text)
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
const LEAD = /(?:(?<!\p{L})(?:y|en|de|ciudad|poblaci[oó]n|localidad|pueblo|municipio|poblaci[oó]|herria|town|city|vivo|soy)[\s:.-]*)+$/iu;
const LABELLED = /(?<!\p{L})(?:ciudad|poblaci[oó]n?|localidad|municipio|town|city)\s*:\s*([^\n\0,;.:(]{2,50})/iu;
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
export function takeTown(message: ChatMessage, towns: readonly string[], code: Span | undefined, street: Span | undefined): string {
  const labelled = LABELLED.exec(message.text);
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
    const name = goesOn ? capitalised(tidy(message.text.slice(longest.start, end))) : longest.name;
    message.take(longest.start, withProvince(message.text, end), LEAD);
    return name;
  }
  if (behind) {
    message.take(behind.start, withProvince(message.text, behind.end), LEAD);
    return capitalised(behind.name);
  }
  if (labelled?.[1]) {
    message.cover(labelled.index, labelled.index + labelled[0].length);
    return capitalised(tidy(labelled[1]));
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
  const name = tidy(written);
  return name.length < 4 ? undefined : { name, start, end: start + written.length };
}
