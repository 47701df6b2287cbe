import { expect, test } from 'vitest';
import {
  callHref,
  firstTelephone,
  isMadeUp,
  isWholeTelephone,
  telephoneDigits,
  telephonesIn,
  telephoneWords,
  whatsappNumber,
} from './telephone.ts';

/* Numbers of one country written within another, and figures that nobody has. */

// Country, a number as it is written there, and the number as it is dialled from abroad.
const NATIONAL = `AD 312 345 = 376312345; AT 01 2345678 = 4312345678; BE 0470 12 34 56 = 32470123456; BG 0888 123 456 = 359888123456;
CH 079 123 45 67 = 41791234567; CY 96 123456 = 35796123456; CZ 601 123 456 = 420601123456; DE 0151 23456789 = 4915123456789; DK 20 12 34 56 = 4520123456;
EE 5123 4567 = 37251234567; FI 041 2345678 = 358412345678; FR 06 12 34 56 78 = 33612345678; GB 07400 123456 = 447400123456; GI 5700 1234 = 35057001234;
GR 691 234 5678 = 306912345678; HR 091 234 5678 = 385912345678; HU 06 20 123 4567 = 366201234567; IE 085 012 3456 = 353850123456;
IT 06 1234 5678 = 390612345678; IT 312 345 6789 = 393123456789; LT 612 34567 = 37061234567; LU 628 123 456 = 352628123456; LV 21 234 567 = 37121234567;
MA 0650 123456 = 212650123456; MC 06 12 34 56 78 = 377612345678; MT 9696 1234 = 35696961234; NL 06 12345678 = 31612345678; NO 406 12 345 = 4740612345;
PL 512 345 678 = 48512345678; PT 912 345 678 = 351912345678; RO 0712 034 567 = 40712034567; SE 070 123 45 67 = 46701234567; SI 31 234 567 = 38631234567;
SK 0912 123 456 = 421912123456; UA 050 123 4567 = 380501234567; US 201 555 0123 = 12015550123`;
test.each(NATIONAL.split(/;\s/).map((line) => /^(..) (.*) = (\d+)$/.exec(line)?.slice(1) ?? []))(
  'in %s «%s» is %s',
  (country = '', written = '', dialled = '') => {
    expect(telephoneDigits(written, country)).toBe(dialled);
    expect(telephoneDigits(`+${dialled}`, country)).toBe(dialled);
    // Nine figures might lack a prefix.
    expect([callHref(written, country), whatsappNumber(written, country)]).toEqual([`tel:+${dialled}`, dialled.length > 9 ? dialled : '']);
  },
);

test.each([
  // A figure less or more than a number of its country has.
  ['91 234 567', 'PT', '91234567'],
  ['912 345 6789', 'PT', '9123456789'],
  ['351 912 345 678', 'PT', '351912345678'],
  ['351 912 345 67', 'PT', '35191234567'],
  // Five figures are an extension or a short number, six may be a telephone.
  ['31234', 'AD', '31234'],
  ['31234', 'AT', '31234'],
  ['312345', 'AD', '376312345'],
  ['4312 345', 'AT', '434312345'],
  ['600 11 22 33', 'ES', '600112233'],
  ['600 11 22 33', 'JP', '600112233'],
  ['600 11 22 33', undefined, '600112233'],
  ['+34 600 11 22 33', 'PT', '600112233'],
  ['0044 7400 123456', 'PT', '447400123456'],
  // Where numbers vary in length, nine figures after the prefix are a number with its prefix.
  ['49 30 123456', 'DE', '494930123456'],
  ['49 30 1234567', 'DE', '49301234567'],
  ['49 30 12345678', 'DE', '49493012345678'],
  // In Spain and where no prefix is known, a reference before the number is none.
  ['123456, 600 11 22 33', 'ES', '600112233'],
  ['123456, 600 11 22 33', 'JP', '600112233'],
] as const)('«%s» in %s is %s', (written, country, digits) => expect(telephoneDigits(written, country)).toBe(digits));

test.each([
  ['600000000', true],
  ['600000001', false],
  ['612345678', true],
  ['612345679', false],
  ['690123456', true],
  ['698765432', true],
  ['613579135', false],
  ['655432198', false],
  ['65543219', true],
  ['', true],
  ['351912375648', false],
  ['35191237564', true],
  ['376312745', false],
  ['37631274', true],
  ['612375648', false],
  ['712375648', false],
  ['812375648', false],
  ['912375648', false],
] as const)('%s is made up: %s', (digits, expected) => expect(isMadeUp(digits)).toBe(expected));

test('a Spanish number reaches nobody by WhatsApp for an order abroad; others have ten to fifteen figures', () => {
  expect([whatsappNumber('600 11 22 33'), whatsappNumber('600 11 22 33', 'España')]).toEqual(['34600112233', '34600112233']);
  expect(whatsappNumber('600 11 22 33', 'JP')).toBe('');
  const digits = '1234567890123456';
  expect([9, 10, 15].map((length) => whatsappNumber(`+${digits.slice(0, length)}`))).toEqual([
    '',
    digits.slice(0, 10),
    digits.slice(0, 15),
  ]);
});

test('a call dials what is written, with its prefix if the order is abroad', () => {
  expect(callHref('912 345 678', 'PT')).toBe('tel:+351912345678');
  expect(callHref('912 345 678', 'ES')).toBe('tel:912345678');
  expect(callHref('0034 912 345 678', 'PT')).toBe('tel:+34912345678');
  expect(callHref('#31#600112233')).toBe('tel:#31#600112233');
  expect(callHref('sin número')).toBe('tel:');
});

test('numbers of a field are told apart, up to fifteen figures', () => {
  expect(telephonesIn('600112233 y +351 912 345 678, (0) 91 234 56 78')).toEqual(['600112233', '351912345678', '912345678']);
  expect([
    telephonesIn('+123456'),
    telephonesIn('+1234567'),
    telephonesIn(`+${'1'.repeat(15)}`),
    telephonesIn(`+${'1'.repeat(16)}`),
  ]).toEqual([[], ['1234567'], ['1'.repeat(15)], []]);
});

test.each([
  ['+49 30 1234567 / 911 234 567', undefined, '49301234567', ['49301234567', '911234567']],
  ['+49 30/1234567 / 911 234 567', undefined, '49301234567', ['49301234567', '911234567']],
  ['+49 30 1234567 911 234 567', undefined, '49301234567', ['49301234567', '911234567']],
  ['+49 301234567 / 0049 30 7654321', undefined, '49301234567', ['49301234567', '49307654321']],
  ['+49 30 1234567 / 23', undefined, '49301234567', ['49301234567']],
  ['+376312345/312346', undefined, '376312345', ['376312345']],
  ['030/1234567/7654321', 'DE', '49301234567', []],
  // Of an order abroad the first is the one, though only the second is Spanish.
  ['030 1234567 / 911 234 567', 'DE', '49301234567', ['911234567']],
  ['030 1234567 / 030 7654321', 'DE', '49301234567', []],
  ['600112233/911234567', undefined, '600112233', ['600112233', '911234567']],
  // A slash within one number.
  ['+49 30/1234567', undefined, '49301234567', ['49301234567']],
  ['+49 33841/123456', undefined, '4933841123456', ['4933841123456']],
  ['91/234 56 78', undefined, '912345678', ['912345678']],
  ['06/12/34/56/78', 'FR', '33612345678', []],
  // Figures before and after a slash that are two numbers, and those with one less that are one.
  ['03012345/123456', 'DE', '493012345', []],
  ['0301234/123456', 'DE', '49301234123456', []],
  ['03012345/12345', 'DE', '49301234512345', []],
  ['030/123456/7', 'DE', '4930123456', []],
  ['030/12345/67', 'DE', '49301234567', []],
  ['030123456 / 1', 'DE', '4930123456', []],
  ['03012345 / 1', 'DE', '4930123451', []],
] as const)('«%s» of %s is %s: two telephones are two, or the first', (written, country, first, all) => {
  expect([telephoneDigits(written, country), telephonesIn(written)]).toEqual([first, all]);
});

test('two telephones are shown apart, and a file of one column has the first, with the prefix of its country', () => {
  expect(telephoneWords('+49 30 1234567 / 911 234 567')).toBe('+49301234567, 911 234 567');
  expect([firstTelephone('030 1234567 / 911 234 567', 'Alemania'), firstTelephone('600112233 / 911234567', 'España')]).toEqual([
    '+49301234567',
    '600 112 233',
  ]);
  expect(firstTelephone('sin teléfono 12', 'España')).toBe('');
  expect(['12345678', '123456789'].map((text) => firstTelephone(text, 'España'))).toEqual(['', '+123456789']);
  expect(telephoneWords(null)).toBe('');
});

test.each([
  ['912 345 678', 'PT', true],
  ['no tiene', 'PT', false],
  ['600 11 22 33', 'PT', true],
  ['600 11 22 3', 'PT', false],
  ['912 345 67', 'ES', false],
] as const)('«%s» of %s is a whole telephone: %s', (written, country, expected) =>
  expect(isWholeTelephone(written, country)).toBe(expected),
);
