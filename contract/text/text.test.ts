import { describe, expect, it } from 'vitest';
import { storedPlace } from '../pedidos/direccion.ts';
import { countryNamed, isSpain, readCountry, readPostcode, typedPostcode } from './country.ts';
import { foldText, normalizeText, plainLetters } from './normalize.ts';
import { callHref, isMadeUp, isWholeTelephone, telephoneDigits, telephonesIn, telephoneWords, whatsappNumber } from './telephone.ts';

describe('text', () => {
  it.each([
    ['\u202a+34 600\u202c', '+34 600'],
    ['\u200eDora\u200b S\u00adáez\ufeff', 'Dora Sáez'],
    ['Mari\u0301a', 'María'],
    ['Calle\u00a0Real\u202f9', 'Calle Real 9'],
    ['a\r\nb\u2028c', 'a\nb\nc'],
    ['🎁 O’Brien', '🎁 O’Brien'],
  ])('%j is stored as %j', (written, stored) => expect(normalizeText(written)).toBe(stored));
  it.each([
    ['Ștefan Țiriac', 'stefan tiriac'],
    ['ŁUKASZ Żak', 'lukasz zak'],
    ['Søren Ångström', 'soren angstrom'],
    ['Straße', 'strasse'],
    ['Đorđe', 'dorde'],
    ['Æsir Œuvre', 'aesir oeuvre'],
    ['Nguyễn', 'nguyen'],
    ['İstanbul ılıca', 'istanbul ilica'],
    ['L’Hospitalet', "l'hospitalet"],
    ['O´Brien', "o'brien"],
    ['600‑31–00−06', '600-31-00-06'],
    ['Deﬁnida № 5', 'definida no 5'],
  ])('%j is found as %j', (written, folded) => expect(foldText(written)).toBe(folded));
  it.each([
    ['Łukasz, nº 4 – Ærø', 'Lukasz, no 4 - AEro'],
    ['ÞÓR þór, ŒUVRE', 'THOR thor, OEUVRE'],
  ])('%j is in plain letters %j', (written, plain) => expect(plainLetters(written)).toBe(plain));
});

describe('a telephone', () => {
  it.each([
    ['600 35 00 01', '600350001'],
    ['600350001 / 611350002', '600350001'],
    ['600350003 y 611350004', '600350003'],
    ['600 35 00 01 611 35 00 02', '600350001'],
    ['600350001-611350002', '600350001'],
    ['687/553/290', '687553290'],
    ['600350001/611350002', '600350001'],
    ['912345678 ext. 12', '912345678'],
    ['912 34 56 78, extensión 4', '912345678'],
    ['\u202a+34 600 35 00 05\u202c', '600350005'],
    ['+34 (0) 600 35 00 08', '600350008'],
    ['(+34) 600.33.00.01', '600330001'],
    ['0034 600-33-00-01', '600330001'],
    ['34600330001', '600330001'],
    ['600350009 llamar antes 14h', '600350009'],
    ['Casa: 912345679, móvil 600350007', '912345679'],
    ['600‑32‑00‑03', '600320003'],
    ['６００３５０００１', '600350001'],
    ['+44 (0) 20 7946 0000', '442079460000'],
    ['0033 6 12 34 56 78', '33612345678'],
    ['+351 912 345 678 (Rui)', '351912345678'],
    ['33612345678', '33612345678'],
    ['112', '112'],
    ['sin teléfono', ''],
    [null, ''],
  ])('%j is read as %j', (written, digits) => expect(telephoneDigits(written)).toBe(digits));
  it.each([
    ['600350001 / 611350002', 'tel:600350001'],
    ['+34 600.11-22 (33)', 'tel:+34600112233'],
    ['0034 600 11 22 33', 'tel:+34600112233'],
    ['+34 (0) 600 35 00 08', 'tel:+34600350008'],
    ['912345678 ext. 12', 'tel:912345678'],
    ['*123#', 'tel:*123#'],
  ])('%j dials %j', (written, href) => expect(callHref(written)).toBe(href));
  it.each([
    ['600350001 / 611350002', '34600350001'],
    ['+34 (0) 600 35 00 08', '34600350008'],
    ['+351 912 345 678', '351912345678'],
    ['91234', ''],
  ])('%j has the WhatsApp number %j', (written, number) => expect(whatsappNumber(written)).toBe(number));
  it.each([
    '600350001 / 611350002',
    '912345678 ext. 12',
    '600 35 00 06 (Ana, hija)',
    '34600112244',
    '+33612345678',
    '600350009 llamar antes 14h',
  ])('%j is complete', (written) => expect(isWholeTelephone(written)).toBe(true));
  it.each(['6,00112E+08', '60011223', '6001122334', '600 11 22 33 4', '687553290 / 91123', '12 600112233', 'no tiene', '3,46001E+10'])(
    '%j is incomplete or has stray digits',
    (written) => expect(isWholeTelephone(written)).toBe(false),
  );
  it.each([
    ['(604) 198 111', '604 198 111'],
    ['+34 (604)198111 (casa)', '604 198 111 (casa)'],
    ['600 350 001 (912 345 678)', '600 350 001, (912 345 678)'],
    ['+351 912 345 678', '+351912345678'],
  ])('%j is shown as %j', (written, words) => expect(telephoneWords(written)).toBe(words));
  it('a field can hold several telephones', () =>
    expect(telephonesIn('Ana 600350001, casa 91 234 56 78')).toEqual(['600350001', '912345678']));
});

describe('a postcode', () => {
  it.each([
    ['28013', '28013'],
    ['28 013', '28013'],
    ['28.013', '28013'],
    ['28-013', '28013'],
    ['ES-28013', '28013'],
    ['E28013', '28013'],
    ['ESP 28013', '28013'],
    ['C.P. 28013', '28013'],
    ['28013 Madrid', '28013'],
    ['28013 (Madrid)', '28013'],
    ['28013\u202c', '28013'],
    ['２８０１３', '28013'],
    ['8001', '08001'],
    ['8.001', '08001'],
    ['1001.0', '01001'],
    ['4001.00', '04001'],
    ['5001,0', '05001'],
    ['28013.0', '28013'],
    ['280 13', '28013'],
    ['F-28013', ''],
    ['1000-001', ''],
    ['280', ''],
    ['280133', ''],
    ['SW1A 1AA', ''],
    ['', ''],
  ])('%j is read as %j', (written, digits) => expect(readPostcode(written)).toBe(digits));
  it('a postcode gets no leading zero while it is typed', () =>
    expect(['2801', '28', '28013'].map(typedPostcode)).toEqual(['2801', '28', '28013']));
  it.each([
    [
      { cliente_codigo_postal: '8001', cliente_pais: null },
      { cliente_codigo_postal: '08001', cliente_pais: null },
    ],
    [
      { cliente_codigo_postal: 'ES-35001', cliente_pais: 'IC' },
      { cliente_codigo_postal: '35001', cliente_pais: 'España' },
    ],
    [
      { cliente_codigo_postal: '', cliente_pais: 'Islas Canarias' },
      { cliente_codigo_postal: '', cliente_pais: 'Islas Canarias' },
    ],
    [
      { cliente_codigo_postal: '', cliente_pais: ' Spain ' },
      { cliente_codigo_postal: '', cliente_pais: 'España' },
    ],
    [
      { cliente_codigo_postal: '07001', cliente_pais: 'Mallorca' },
      { cliente_codigo_postal: '07001', cliente_pais: 'España' },
    ],
    [
      { cliente_codigo_postal: '28013', cliente_pais: ' ' },
      { cliente_codigo_postal: '28013', cliente_pais: ' ' },
    ],
    [
      { cliente_pais: 'Ceuta', cliente_nif: 'es b-58.378.431' },
      { cliente_pais: 'Ceuta', cliente_nif: 'B58378431' },
    ],
    [
      { cliente_codigo_postal: '1000', cliente_pais: 'Bélgica' },
      { cliente_codigo_postal: '1000', cliente_pais: 'Bélgica' },
    ],
    [
      { cliente_codigo_postal: '1000-001', cliente_pais: 'Portugal' },
      { cliente_codigo_postal: '1000-001', cliente_pais: 'Portugal' },
    ],
  ])('%j is stored as %j', (fields, stored) => expect(storedPlace(fields)).toEqual(stored));
});

describe('a country', () => {
  it.each([
    ...[
      '',
      ' ',
      'España',
      'ESPAÑA',
      'Espan\u0303a',
      'espana',
      'es',
      'ESP',
      'Spain',
      'Espanya',
      'Espainia',
      'Espagne',
      'Spanien',
      'Spagna',
      'Espanha',
    ],
    ...[
      'España (Península)',
      'España - Península',
      'Spain (mainland)',
      'Reino de España',
      'Kingdom of Spain',
      'España / Spain',
      'ES - España',
      '🇪🇸',
    ],
    ...[
      'IC',
      'Islas Canarias',
      'Canarias',
      'Canary Islands',
      'España (Canarias)',
      'Islas Baleares',
      'Illes Balears',
      'Ceuta',
      'Ceuta y Melilla',
      '724',
    ],
    ...['Península', 'Islas y península', '\u200eEspaña\u200b', '-', '.'],
  ])('%j is Spain', (written) => expect(isSpain(written)).toBe(true));
  it.each([
    'Portugal',
    'FR',
    'Estonia',
    'EE',
    'Andorra',
    'Gibraltar',
    'Francia (continental)',
    'México',
    'Spanish Town',
    'Islas',
    '123',
    'Islas Caimán',
    'España y Portugal',
  ])('%j is not Spain', (written) => expect(isSpain(written)).toBe(false));
  it('a country can name a part of Spain outside the peninsula', () =>
    expect(['IC', 'Illes Balears', 'Melilla'].map((name) => readCountry(name).part)).toEqual(['canarias', 'baleares', 'ceuta_melilla']));
  it('Spain without such a part has none', () => expect(readCountry('España')).toStrictEqual({ spain: true }));
  it.each([
    ['PT', 'Portugal'],
    ['ES', 'España'],
    ['pt', 'pt'],
    ['Portugal', 'Portugal'],
    ['AA', 'AA'],
  ])('the country %j is called %j', (code, name) => expect(countryNamed(code)).toBe(name));
});

describe('a made-up telephone', () => {
  it.each([
    '000000000',
    '600000000',
    '999999999',
    '123456789',
    '987654321',
    '612345678',
    '666 66 66 66',
    '+351 900 000 000',
    '+351 91234',
    '12345678',
    '',
  ])('«%s» identifies nobody', (text) => expect(isMadeUp(telephoneDigits(text))).toBe(true));
  it.each([
    '600112233',
    '600000001',
    '912 345 679',
    '+351 912 345 670',
    '+376 312 346',
    '+49 1511234567',
    '0034 600 111 222',
    '+44 7700 900123',
  ])('«%s» identifies a person', (text) => expect(isMadeUp(telephoneDigits(text))).toBe(false));
});

describe('a telephone is read with the country of its order', () => {
  it.each([
    ['912 345 678', 'Portugal', '351912345678'],
    ['912345678', 'PT', '351912345678'],
    ['912 345 678', 'España', '912345678'],
    ['912 345 678', null, '912345678'],
    ['912 345 678', 'Canarias', '912345678'],
    ['351 912345678', 'Portugal', '351912345678'],
    ['+34 600 112 233', 'Portugal', '600112233'],
    ['06 12 34 56 79', 'Francia', '33612345679'],
    ['777 123 456', 'Chequia', '420777123456'],
    ['320 123 4567', 'Italia', '393201234567'],
    ['0151 1234567', 'Alemania', '491511234567'],
    ['312 346', 'Andorra', '376312346'],
  ])('«%s» in %s is %s', (text, country, digits) => {
    expect(telephoneDigits(text, country)).toBe(digits);
    const isSpanish = digits.length === 9 && digits !== '376312346';
    expect(whatsappNumber(text, country)).toBe(isSpanish ? (country === 'Portugal' ? '' : `34${digits}`) : digits.length > 9 ? digits : '');
    if (!isSpanish) expect(callHref(text, country)).toBe(`tel:+${digits}`);
  });
  it('no WhatsApp is offered for a number of a country whose prefix is unknown', () => {
    expect([whatsappNumber('912 345 678', 'Narnia'), whatsappNumber('912 345 678', 'Japón')]).toEqual(['', '']);
  });
});
