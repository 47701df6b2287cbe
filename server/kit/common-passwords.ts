import { dictionary } from '@zxcvbn-ts/language-common';

// What Spanish people and this program add to the leaked passwords of the library.
const SPANISH = ['administrador', 'contraseña', 'contraseña1', 'contraseña123', 'contrasena123', 'superadmin', 'enruta', 'enruta123'];
const COMMON = new Set([...dictionary['passwords-common'], ...SPANISH]);

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string) => plain(text).match(/\p{L}{3,}/gu) ?? [];

/**
 * True for one of the 49,000 passwords that everybody tries first, and for one that is a word `about` the person or
 * the shop, or all words of one text, with nothing but digits and signs around (ASVS 5.0, 6.2.4 and 6.2.11).
 */
export function isGuessablePassword(password: string, about: readonly string[] = []): boolean {
  if (COMMON.has(password.toLowerCase())) return true;
  const letters = wordsOf(password).join('');
  return letters !== '' && about.some((text) => [...wordsOf(text), wordsOf(text).join('')].includes(letters));
}
