import { expect, test } from 'vitest';
import { isNif, nifProblem, plainNif, readNif } from './nif.ts';

test.each([
  '12345678Z',
  '12.345.678-z',
  'X1234567L',
  'Y1234567X',
  'Z1234567R',
  'K0867756N',
  'A58818501',
  'ESA58818501',
  'B-58378431',
  'Q2826000H',
  'P2807900B',
  'G28197564',
  'U92345677',
])('%s is a NIF', (nif) => {
  expect([nif, isNif(nif)]).toEqual([nif, true]);
});

test.each([
  '',
  '12345678A',
  '1234567Z',
  'X12345678L',
  'X12345678Z',
  'X1234567A',
  'A58818502',
  'A5881850A',
  'Q28260008',
  'ES91 2100 0418',
  'B12345678; DROP',
  'Ñ58818501',
])('«%s» is not a NIF', (nif) => {
  expect([nif, isNif(nif)]).toEqual([nif, false]);
});

test('only one control letter fits a number', () => {
  const wrong = [...'TRWAGMYFPDXBNJZSQVHLCKE'].filter((letter) => isNif(`12345678${letter}`));
  expect(wrong).toEqual(['Z']);
});

// One of each control: the sum of the digits gives it (Orden EHA/451/2008).
const COMPANIES = 'B12401220 B12434551 B12367892 B12512323 B12345674 B12578985 B12478996 B12523437 B12356788 B12501219';
test.each(COMPANIES.split(' '))('%s is a company’s NIF, and no other control is right, as a figure or as a letter', (nif) => {
  const digits = nif.slice(1, -1);
  const right = (kind: string, controls: string) => [...controls].filter((control) => isNif(`${kind}${digits}${control}`)).join('');
  const [figure, letter] = [nif.slice(-1), 'JABCDEFGHI'[Number(nif.slice(-1))]];
  const kinds = ['A', 'B', 'E', 'H', 'N', 'P', 'Q', 'R', 'S', 'W', 'C', 'D', 'F', 'G', 'J', 'U', 'V'];
  expect(kinds.map((kind) => right(kind, '0123456789JABCDEFGHI'))).toEqual([
    ...Array(4).fill(figure),
    ...Array(6).fill(letter),
    ...Array(7).fill(`${figure}${letter}`),
  ]);
});

test.each([
  [' es b-58.378.431 ', 'B58378431'],
  ['12.345.678-z', '12345678Z'],
  ['1234567L', '01234567L'],
  ['X-0001234-s', 'X0001234S'],
  ['X1234S', 'X0001234S'],
  ['X01234567L', 'X1234567L'],
  ['K0867756N', 'K0867756N'],
  ['NIF: 12345678Z', '12345678Z'],
  ['pt 501 442 600', 'PT501442600'],
  ['GR094259216', 'EL094259216'],
  ['no es', 'no es'],
])('«%s» is stored as %s', (text, stored) => expect(plainNif(text)).toBe(stored));

// Numbers of public registers, and of the examples that the states publish.
const VAT =
  'ATU13585627 BE0428759497 BG175074752 CY10259033P CZ25123891 DE136695976 DK13585628 EE100931558 EL094259216 FI20774740 FR40303265045 ' +
  'HR33392005961 HU12892312 IE6433435F IE6433435OA IT00743110157 LT119511515 LU15027442 LV40003521600 MT11679112 NL004495445B01 ' +
  'NL123456789B13 PL8567346215 PT501964843 RO18547290 SE556188840401 SI50223054 SK2022749619 XI980780684';
// Without a 0, so that every digit counts; of Cyprus one of each value. Made by the states' rules.
const DIGITS =
  'CY12345678F CY03254769C CY80716293A CY96412850L ' +
  'LV46719767181 RO8265172469 MT17585338 HU88661353 EE478862919 FI23582576 PL2312972872 DK86996138 EL493627635 ' +
  'PT144152444 SI45785287 CZ83789171 XI423374663 LU17245663 SK3325883286 BE1234567894 FR83404833048 LT123457287513 NL112416949B01 NL112472382B01 XI123456825';
test.each(`${VAT} ${DIGITS}`.split(' '))('%s is the VAT number of another member state, and with another digit none', (number) => {
  expect(readNif(number)).toEqual({ nif: number, state: number.startsWith('EL') ? 'GR' : number.slice(0, 2) });
  const others = [...number].flatMap((digit, i) =>
    i > 1 && /\d/.test(digit) ? [number.slice(0, i) + ((Number(digit) + 1) % 10) + number.slice(i + 1)] : [],
  );
  expect(others.filter(isNif).length).toBeLessThanOrEqual(2);
});

// Sums whose rest has no digit of its own, where the states' rules say something special.
test.each([
  ['SI50223020', 'the rest 1 gives 0'],
  ['PT501964800', 'the rest 0 gives 0'],
  ['PT501964860', 'the rest 1 gives 0'],
  ['CZ25123891', 'the rest 0 gives 1'],
  ['CZ25123840', 'the rest 1 gives 0'],
  ['EL094259230', 'the rest 10 gives 0'],
  ['RO1854729040', 'the rest 10 gives 0'],
  ['LT119511118', 'the rest 10 is summed again'],
  ['LT119518610', 'twice the rest 10 gives 0'],
  ['BG175074767', 'the rest 10 is summed again'],
  ['BG175074810', 'twice the rest 10 gives 0'],
  ['LT123456988411', 'the rest 10 is summed again'],
  ['HR33392005970', 'the rest 1 gives 0'],
])('%s is a VAT number: %s, and no other last digit is one', (number) => {
  const endings = Array.from({ length: 10 }, (_, digit) => number.slice(0, -1) + digit);
  expect(endings.filter(isNif)).toEqual([number]);
});

test.each([
  ['BG7523169263', 'the number of a person'],
  ['CZ640903926', 'the number of a person'],
  ['CZ7103192745', 'the number of a person'],
  ['CZ98765432', 'a number that begins with 9'],
  ['LV16117519997', 'the number of a person'],
  ['IE8D79739I', 'a number of the older form'],
  ['XI123456880123', 'the branch of a company'],
])('%s is a VAT number with any last figure: %s has no check here', (number) => {
  const place = number.search(/\d\D?$/);
  const all = Array.from({ length: 10 }, (_, digit) => number.slice(0, place) + digit + number.slice(place + 1));
  expect(all.filter((other) => !isNif(other))).toEqual([]);
});

// The key is right for all but the last, and the figures for those that are numbers.
test.each([
  ['FR40303265045', true],
  ['FR43303265046', false],
  ['FRK7399859412', true],
  ['FRK7399859413', false],
  ['FR53000004605', true],
  ['FR34000123456', true],
  ['FR41303265045', false],
  ['FR35000123456', false],
])('%s is a French VAT number: %s; those of Monaco have a key alone, and a key with a letter has no check', (number, expected) =>
  expect(isNif(number)).toBe(expected),
);

test('a Slovenian number whose rest is 0 has no check digit', () => {
  expect(Array.from({ length: 10 }, (_, digit) => `SI5022307${digit}`).filter(isNif)).toEqual([]);
});

test.each([
  ['12345678A', /letra/],
  ['501442600', /dos letras de su país/],
  ['DE136695977', /comprueba sus cifras/],
  ['FR1234567', /FR, 2 letras o cifras y 9 cifras/],
  ['GB980780684', /fuera de la UE/],
  // Words that begin like a prefix, and too few or too many figures.
  ['Franco', /^El NIF no es válido: comprueba su letra o su número$/],
  ['123456', /^El NIF no es válido: comprueba su letra o su número$/],
  ['1234567', /letra/],
])('«%s» is refused with the reason %s', (text, reason) => expect(nifProblem(text)).toMatch(reason));
