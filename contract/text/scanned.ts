/* Reads the codes that hand-held scanners type: they press the keys of another keyboard, and may name the kind of code first. */

/** Identifier of the kind of code before it (ISO/IEC 15424): «]Q1» of a QR code, «]C1» of a bar code; the bracket by its key. */
const KIND = /^[^\p{L}\p{N}\s][A-Za-z][\d&é"'(\-è_çà](?=[A-Za-z]{2,5}[^A-Za-z0-9]?\S*[\d&é"'(\-è_çà]$)/u;
/** Upper row of a French keyboard, whose figures need the shift key. */
const FRENCH = '&é"\'(-è_çà';
/** Letters, any sign or «ß» in the place of «-», and figures: «ORD'2026000017» of an American scanner on a Spanish keyboard. */
const NUMBER = /^([A-Za-z]{2,5})(?:[^\p{L}\p{N}\s]|ß|ẞ)(\d{6,})$/u;
const NUMBER_IN_FRENCH = /^([A-Za-z]{2,5})(?:[^A-Za-z0-9\s])([&é"'(\-è_çà]{6,})$/i;

/** Text of a scanned or typed code; an order number with its «-», other texts as they are. */
export function readScanned(text: string): string {
  const code = text.trim().replace(KIND, '');
  const [, letters = '', signs = ''] = NUMBER_IN_FRENCH.exec(code) ?? [];
  if (signs) return `${letters}-${Array.from(signs.toLowerCase(), (sign) => (FRENCH.indexOf(sign) + 1) % 10).join('')}`;
  return code.replace(NUMBER, '$1-$2');
}
