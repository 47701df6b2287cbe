import { dictionary } from '@zxcvbn-ts/language-common';

// Spanish passwords that the library's list of leaked passwords lacks.
const SPANISH = ['administrador', 'contraseña', 'contraseña1', 'contraseña123', 'contrasena123', 'superadmin'];
// Words of the trade, which are guessable even with added digits.
const TRADE = ['enruta', 'tienda', 'pedidos', 'reparto', 'almacen'];
const COMMON = new Set([...dictionary['passwords-common'], ...SPANISH]);

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string) => plain(text).match(/\p{L}{3,}/gu) ?? [];

/** True for a leaked password, and for a word of the trade or of `about` with added digits and signs. Source: ASVS 5.0, 6.2.4 and 6.2.11. */
export function isGuessablePassword(password: string, about: readonly string[] = []): boolean {
  if (COMMON.has(password.toLowerCase())) return true;
  const letters = wordsOf(password).join('');
  return letters !== '' && [...TRADE, ...about].some((text) => [...wordsOf(text), wordsOf(text).join('')].includes(letters));
}
