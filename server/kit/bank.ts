import { plainLetters } from '../../contract/text/normalize.ts';

/* Text in the characters that every bank carries: the Latin set of SEPA (EPC217-08). */

/** Returns text in plain letters, at most `max` characters. Other signs become spaces; slashes neither begin, end nor repeat. */
export const bankText = (text: string, max: number): string =>
  plainLetters(text)
    .replace(/[^A-Za-z0-9/\-?:().,'+]+/g, ' ')
    .replace(/\/[/ ]*\//g, '/')
    .slice(0, max)
    .replace(/^[/ ]+|[/ ]+$/g, '');

/** True if a name loses no letter in a bank's message: «Łukasz» passes, «Юрий» does not. */
export const isBankName = (name: string): boolean => /[A-Za-z]/.test(name) && !/[^\P{L}A-Za-z]/u.test(plainLetters(name));
