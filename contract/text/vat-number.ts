/* VAT numbers of the other member states (Directive 2006/112, art. 215): format, and check digits where the state publishes its rule. */

const sum = (digits: string, weights: readonly number[]): number => weights.reduce((all, weight, i) => all + weight * Number(digits[i]), 0);
/** Weights of a number whose weighted sum is divisible by `mod`. */
const divides = (mod: number, ...weights: number[]) => ({ test: (digits: string) => sum(digits, weights) % mod === 0 });
/** Descending weights `from`…2, and the check digit that their sum gives. */
const last = (from: number, check: (rest: number) => number) => ({
  test: (digits: string) => {
    const weights = Array.from({ length: from - 1 }, (_, i) => from - i);
    return check(sum(digits, weights) % 11) === Number(digits[from - 1]);
  },
});
/** Rest of the sum of the digits, every second one doubled, from the last. */
const luhnRest = (digits: string): number =>
  [...digits].toReversed().reduce((all, d, i) => all + (i % 2 ? Math.floor(Number(d) / 5) + ((2 * Number(d)) % 10) : Number(d)), 0) % 10;
const luhn = (digits: string): boolean => luhnRest(digits) === 0;
/** ISO 7064, MOD 11,10. */
const iso7064 = (digits: string): boolean => {
  const product = [...digits.slice(0, -1)].reduce((p, digit) => (2 * ((Number(digit) + p) % 10 || 10)) % 11, 10);
  return (11 - product) % 10 === Number(digits.at(-1));
};
const CYPRUS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
/** Lithuania and Bulgaria repeat the sum with other weights if the first rest is 10. */
const twice = (digits: string, first: (i: number) => number, second: (i: number) => number): boolean => {
  const body = [...digits.slice(0, -1)];
  const rest = (weight: (i: number) => number) => body.reduce((all, digit, i) => all + weight(i) * Number(digit), 0) % 11;
  return (rest(first) === 10 ? rest(second) % 10 : rest(first)) === Number(digits.at(-1));
};

type Rule = { written: RegExp; form: string; test: (number: string) => boolean };
/** Rules by prefix: the number without its prefix, its form in Spanish, and its check. */
export const VAT_NUMBERS: Readonly<Record<string, Rule>> = {
  AT: {
    written: /^U\d{8}$/,
    form: 'ATU y 8 cifras',
    test: (n) => (luhnRest(n.slice(1, 8)) + 4 + Number(n[8])) % 10 === 0,
  },
  BE: { written: /^[01]\d{9}$/, form: 'BE y 10 cifras', test: (n) => 97 - (Number(n.slice(0, 8)) % 97) === Number(n.slice(8)) },
  BG: {
    written: /^\d{9,10}$/,
    form: 'BG y 9 o 10 cifras',
    test: (n) =>
      n.length === 10 ||
      twice(
        n,
        (i) => i + 1,
        (i) => i + 3,
      ),
  },
  CY: {
    written: /^\d{8}[A-Z]$/,
    form: 'CY, 8 cifras y una letra',
    test: (n) =>
      // The letter itself counts nothing.
      String.fromCharCode(65 + ([...n].reduce((all, d, i) => all + (i % 2 ? Number(d) : (CYPRUS[Number(d)] ?? 0)), 0) % 26)) === n[8],
  },
  CZ: {
    written: /^\d{8,10}$/,
    form: 'CZ y de 8 a 10 cifras',
    test: (n) => n.length > 8 || last(8, (r) => (11 - r) % 10).test(n) || n[0] === '9',
  },
  DE: { written: /^[1-9]\d{8}$/, form: 'DE y 9 cifras', test: iso7064 },
  DK: { written: /^\d{8}$/, form: 'DK y 8 cifras', ...divides(11, 2, 7, 6, 5, 4, 3, 2, 1) },
  EE: { written: /^\d{9}$/, form: 'EE y 9 cifras', ...divides(10, 3, 7, 1, 3, 7, 1, 3, 7, 1) },
  EL: {
    written: /^\d{9}$/,
    form: 'EL y 9 cifras',
    test: (n) => (sum(n, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(n[8]),
  },
  FI: { written: /^\d{8}$/, form: 'FI y 8 cifras', ...divides(11, 7, 9, 10, 5, 8, 4, 2, 1) },
  FR: {
    written: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
    form: 'FR, 2 letras o cifras y 9 cifras',
    // Numbers of Monaco, which begin with 000 after the key, have no check digit of their own.
    test: (n) => (n.startsWith('000', 2) || luhn(n.slice(2))) && (/\D/.test(n) || Number(`${n.slice(2)}12`) % 97 === Number(n.slice(0, 2))),
  },
  HR: { written: /^\d{11}$/, form: 'HR y 11 cifras', test: iso7064 },
  HU: { written: /^\d{8}$/, form: 'HU y 8 cifras', ...divides(10, 9, 7, 3, 1, 9, 7, 3, 1) },
  IE: {
    written: /^\d[A-Z0-9+*]\d{5}[A-W][A-I]?$/,
    form: 'IE, 7 cifras y una o dos letras',
    test: (n) =>
      !/^\d{7}/.test(n) || 'WABCDEFGHIJKLMNOPQRSTUV'[(sum(n, [8, 7, 6, 5, 4, 3, 2]) + 9 * 'WABCDEFGHI'.indexOf(n[8] ?? 'W')) % 23] === n[7],
  },
  IT: { written: /^\d{11}$/, form: 'IT y 11 cifras', test: luhn },
  LT: {
    written: /^(\d{7}1\d|\d{10}1\d)$/,
    form: 'LT y 9 o 12 cifras',
    test: (n) =>
      twice(
        n,
        (i) => 1 + (i % 9),
        (i) => 1 + ((i + 2) % 9),
      ),
  },
  LU: { written: /^\d{8}$/, form: 'LU y 8 cifras', test: (n) => Number(n.slice(0, 6)) % 89 === Number(n.slice(6)) },
  LV: {
    written: /^\d{11}$/,
    form: 'LV y 11 cifras',
    test: (n) => /^[0-3]/.test(n) || sum(n, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3,
  },
  MT: { written: /^[1-9]\d{7}$/, form: 'MT y 8 cifras', ...divides(37, 3, 4, 6, 7, 8, 9, 10, 1) },
  NL: {
    written: /^\d{9}B\d{2}$/,
    form: 'NL, 9 cifras, B y 2 cifras',
    // Since 2020 by MOD 97 of «NL…» with letters as numbers (N 23, L 21, B 11); before by the tax number.
    test: (n) => divides(11, 9, 8, 7, 6, 5, 4, 3, 2, -1).test(n) || BigInt(`2321${n.slice(0, 9)}11${n.slice(10)}`) % 97n === 1n,
  },
  PL: { written: /^\d{10}$/, form: 'PL y 10 cifras', ...divides(11, 6, 5, 7, 2, 3, 4, 5, 6, 7, -1) },
  PT: { written: /^[1-9]\d{8}$/, form: 'PT y 9 cifras', ...last(9, (r) => ((11 - r) % 11) % 10) },
  RO: {
    written: /^[1-9]\d{1,9}$/,
    form: 'RO y de 2 a 10 cifras',
    test: (n) => ((10 * sum(n.slice(0, -1).padStart(9, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2])) % 11) % 10 === Number(n.at(-1)),
  },
  SE: { written: /^\d{10}01$/, form: 'SE y 12 cifras, acabadas en 01', test: (n) => luhn(n.slice(0, 10)) },
  SI: { written: /^[1-9]\d{7}$/, form: 'SI y 8 cifras', ...last(8, (r) => (r === 0 ? Number.NaN : (11 - r) % 10)) },
  SK: { written: /^[1-9]\d[2-47-9]\d{7}$/, form: 'SK y 10 cifras', test: (n) => Number(n) % 11 === 0 },
  // Goods in Northern Ireland (Protocol, art. 8); format of the United Kingdom.
  XI: {
    written: /^\d{9}(\d{3})?$/,
    form: 'XI y 9 o 12 cifras',
    test: (n) => [0, 42].includes((sum(n, [8, 7, 6, 5, 4, 3, 2]) + Number(n.slice(7, 9))) % 97),
  },
};
