import { plain } from '../../ui/list/local-list.ts';
import { COVER } from '../lineas/items.ts';

/** A word, a number (with attached letters: «3ºA», «24bis»), a mark, an end of line, or a part already read. */
export type Token = { kind: 'word' | 'number' | 'mark' | 'line' | 'cover'; text: string; plain: string; start: number; end: number };

const TOKEN = /s\s?\/\s?n(?!\p{L})\.?|(?<!\p{L})[cr]\s?\/|\d+[\p{L}ºª°]*|\p{L}[\p{L}\d'·ºª°]*(?:\.(?=\p{L}\.)\p{L})*\.?|\n|\0+|\S/giu;

/** Abbreviations whose full stop belongs to the word. */
const SHORT =
  /^(?:(?:\p{L}\.)+\p{L}|avda|avgda|ctra|crta|cmno|cno|cam|urb|pol|ind|edif|res|pza|plza|plz|trav|trva|izqd?a?|izda|dcha|drcha|der|dch|esc|pta|ptal|apto|apt|dpto|local|entlo|pral|ppal|n[úu]m|nro|sta|sto|dña|sra|srta|mª|att|attn|tel|telf|tlf|tfno|bda|pda|blq|ezk|esk|hnos|gral|cdad|dr[ae]?|fdez|rguez|glez|mtnez|hdez|gta)\.$/iu;

/** Splits a text into tokens; a full stop belongs to its word only in abbreviations. */
export function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    const dotted = found.endsWith('.') && found.length > 3 && !SHORT.test(found);
    const word = dotted ? found.slice(0, -1) : found;
    tokens.push(token(word, index));
    if (dotted) tokens.push(token('.', index + word.length));
  }
  return tokens;
}

function token(text: string, start: number): Token {
  const base = { text, plain: plain(text).replace(/\s/g, '').replace(/\.$/, ''), start, end: start + text.length };
  if (text.startsWith(COVER)) return { ...base, kind: 'cover' };
  if (text === '\n') return { ...base, kind: 'line' };
  if (/^(?:\d|s\s?\/\s?n)/i.test(text)) return { ...base, kind: 'number' };
  return { ...base, kind: /^\p{L}/u.test(text) ? 'word' : 'mark' };
}

/** True for the first token of a text, and after a mark, a line end or a part already read. */
export function beginsPart(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before || before.kind === 'word' || before.kind === 'number') return !before;
  // «Sánchez-Arjona» is one word.
  return !(
    before.kind === 'mark' &&
    before.end === tokens[at]?.start &&
    tokens[at - 2]?.end === before.start &&
    /^[-'.]$/.test(before.text)
  );
}
