import { dictionary } from '@zxcvbn-ts/language-common';

// Spanish additions to the library's leaked passwords.
const SPANISH = ['administrador', 'contraseña', 'contraseña1', 'contraseña123', 'contrasena123', 'superadmin'];
// Words of the trade: adding digits does not make them secret.
const TRADE = ['enruta', 'tienda', 'pedidos', 'reparto', 'almacen'];
const COMMON = new Set([...dictionary['passwords-common'], ...SPANISH]);

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const wordsOf = (text: string) => plain(text).match(/\p{L}{3,}/gu) ?? [];

/** True for a leaked password, and for words of the trade or of `about` (person, shop) surrounded only by digits and signs (ASVS 5.0, 6.2.4 and 6.2.11). */
export function isGuessablePassword(password: string, about: readonly string[] = []): boolean {
  if (COMMON.has(password.toLowerCase())) return true;
  const letters = wordsOf(password).join('');
  return letters !== '' && [...TRADE, ...about].some((text) => [...wordsOf(text), wordsOf(text).join('')].includes(letters));
}
