/* HTML character references, which shops write into names, addresses and exports. */

const MARKS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', uml: '\u0308', tilde: '\u0303', cedil: '\u0327', ring: '\u030a', caron: '\u030c' },
};
const NAMED = new Map(
  (
    'amp:& lt:< gt:> quot:" apos:\' iexcl:¡ iquest:¿ ordf:ª ordm:º middot:· euro:€ hellip:… ndash:– mdash:— lsquo:‘ rsquo:’ ldquo:“ rdquo:” laquo:« ' +
    'raquo:» copy:© reg:® trade:™ deg:° times:× acute:´ szlig:ß aelig:æ AElig:Æ oslash:ø Oslash:Ø frac12:½ frac14:¼ frac34:¾'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
).set('nbsp', ' ');
const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8}\d{0,2});/gi;

function character(whole: string, name: string): string {
  if (name.startsWith('#')) {
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 31 && code < 0x110000 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole;
  }
  const [, letter = '', mark = ''] = /^([a-z])(acute|grave|circ|uml|tilde|cedil|ring|caron)$/i.exec(name) ?? [];
  return mark ? (letter + MARKS[mark.toLowerCase()]).normalize('NFC') : (NAMED.get(name) ?? whole);
}

/** Replaces HTML character references by their characters, twice, because some shops escape them twice; unknown references stay. */
export const withoutEntities = (text: string): string => text.replace(ENTITY, character).replace(ENTITY, character);
