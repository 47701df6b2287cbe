/* The one way in for text: what forms, sheets, chats and other programs send is stored as this leaves it. The SQL function `limpia` agrees. */

/** Text as people see it: composed letters (NFC), no invisible format characters, ordinary spaces and line breaks. */
export const normalizeText = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\u2028\u2029\u0085]|\r\n?/g, '\n')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFC');

/** Letters of the Latin alphabets that Unicode does not decompose, as they are looked for. */
const LETTERS: Record<string, string> = {
  ...{ ł: 'l', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ß: 'ss', æ: 'ae', œ: 'oe', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ə: 'e', ĸ: 'k', ƒ: 'f' },
  // Apostrophes, dashes and quotation marks as keyboards have them.
  ...{ '‘': "'", '’': "'", ʼ: "'", ʻ: "'", '′': "'", '´': "'", '‛': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"' },
  ...{ '‐': '-', '‑': '-', '‒': '-', '–': '-', '—': '-', '−': '-', '⁄': '/' },
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Text by which two are compared and found: lower case, without accents of any Latin alphabet. The SQL function `normaliza` agrees. */
export const fold = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    // Before NFKD, which makes a space and a mark of «´».
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(SPECIAL, (sign) => LETTERS[sign] ?? sign);

/** Signs and their replacements, for the function in SQL. */
export const FOLDED: readonly (readonly [string, string])[] = Object.entries(LETTERS);
