/* Named HTML characters in names and addresses of Spanish shops. WordPress stores many texts escaped. */

const LETTERS = 'AaEeIiOoUu';
const MARKS: readonly [name: string, mark: string, letters: string][] = [
  ['acute', '\u0301', `${LETTERS}Yy`],
  ['grave', '\u0300', LETTERS],
  ['circ', '\u0302', LETTERS],
  ['uml', '\u0308', `${LETTERS}y`],
  ['tilde', '\u0303', 'AaOoNn'],
  ['cedil', '\u0327', 'Cc'],
];

const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    MARKS.flatMap(([name, mark, letters]) => [...letters].map((letter) => [`${letter}${name}`, `${letter}${mark}`.normalize('NFC')])),
  ),
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ordf: 'ª', ordm: 'º', deg: '°', middot: '·', euro: '€', times: '×' },
  ...{ iexcl: '¡', iquest: '¿', laquo: '«', raquo: '»', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', ndash: '–', mdash: '—' },
  ...{ hellip: '…', frac12: '½', frac14: '¼', frac34: '¾', szlig: 'ß', Oslash: 'Ø', oslash: 'ø', aring: 'å', Aring: 'Å', reg: '®' },
};

/** Replaces HTML character references by their characters; unknown references stay. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]\w{1,10}));/g, (whole, decimal, hex, name) => {
    if (name) return NAMED[name] ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
