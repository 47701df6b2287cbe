import { expect, it } from 'vitest';
import { pdfRects, pdfTexts } from '../../test/pdf.ts';
import { drawLabelsPdf } from './labels.ts';

/* Reads the texts of labels back from the PDF. */

let seed = 11;
const next = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const pick = <T>(these: readonly T[]): T => these[next(these.length)] as T;
const WORDS = [
  ...[
    'María',
    'de',
    'la',
    'Constitución',
    'Española',
    'Ñandú',
    'Núñez',
    'S.L.',
    'C/',
    'Avenida',
    'nº',
    '145',
    '4º',
    'B',
    'izqda.',
    'bis',
    'Portal',
  ],
  ...[
    'Comunidad',
    'Propietarios',
    'Mediterráneo',
    'l·l',
    'Güell',
    '«Casa»',
    "O'Brien",
    'km',
    '3,5',
    'Supercalifragilísticoespialidoso',
    'Ω',
    'Ирина',
  ],
  ...['Петрова', 'Γεωργία', 'Łukasz', 'Ștefan', 'Đorđe', 'Nguyễn', 'Østergård', 'Жанна', 'Ελένη'],
];
const words = (most: number, length: number) => {
  let text = pick(WORDS);
  for (let i = next(most); i > 0; i -= 1) {
    const longer = `${text} ${pick(WORDS)}`;
    if (longer.length > length) break;
    text = longer;
  }
  return text;
};
const label = (over: object = {}) => ({
  numero: 'ORD-20261126001',
  nombre: words(25, 160),
  direccion: `${words(40, 240)}, ${words(30, 200)}`,
  poblacion: `28013 ${words(12, 110)}`,
  provincia: words(3, 40),
  telefono: pick(['600 11 22 33', '600 11 22 33 / 911 22 33 44', null]),
  instrucciones: pick(['', words(40, 300)]),
  lineas: ['2 × Miel de romero, tarro de 500 g'],
  cobrar: pick([0, 29.9]),
  ...over,
});
// Normalises for comparison: removes spaces, capitals and accents. Labels lack the accents that are not in Windows-1252.
const bare = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\s]/gu, '')
    .replace(/[łđŁĐø]/gi, (sign) => ({ ł: 'l', đ: 'd', ø: 'o' })[sign.toLowerCase()] ?? sign)
    .toLowerCase();

it.each(['rollo', 'a4'] as const)(
  'labels contain every name, address and town in full: %s',
  async (formato) => {
    const labels = Array.from({ length: formato === 'a4' ? 24 : 100 }, () => label());
    const printed = bare(pdfTexts(await drawLabelsPdf({ empresa: 'Bodega Ñ', formato, labels })).join(''));
    const missing = labels.flatMap(({ nombre, direccion, poblacion, provincia, telefono }) =>
      [nombre, direccion, poblacion, provincia, telefono ?? ''].filter((text) => !printed.includes(bare(text))),
    );
    expect(missing.slice(0, 5)).toEqual([]);
  },
  240_000,
);

it('notes of a thousand characters are printed in full', async () => {
  const instrucciones = `${'Dejar en la tienda de abajo, '.repeat(33)}gracias`;
  const printed = bare(pdfTexts(await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label({ instrucciones })] })).join(''));
  expect(printed).toContain(bare(instrucciones));
});

it.each([
  ['王小明 Wang', 'WangXiaoMing Wang'],
  ['東京 3', 'DongJing 3'],
  ['김철수', 'GimCheolSu'],
  ['さくら', 'sakura'],
  ['สมชาย', 'smchay'],
  ['राम 2', 'ram 2'],
])('«%s», which no font can draw, is printed as «%s»', async (nombre, printed) => {
  const text = pdfTexts(await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label({ nombre, direccion: 'محمد 5' })] })).join(
    '\n',
  );
  expect(text).toContain(printed);
  expect(text).not.toMatch(/\?|signo/);
});

it('characters without transliteration are counted, and emoji are left out', async () => {
  const text = pdfTexts(
    await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label({ nombre: '\u{1f1ea}🎁 𓀀𓀁 Wang', direccion: 'محمد 5' })] }),
  ).join('\n');
  expect(text).toContain('[2 signos] Wang');
  expect(text).not.toMatch(/\?|🎁/);
});

const reversed = (text: string) => [...text].toReversed().join('');
it.each([
  ['a name in Arabic', 'محمد بن عبد الله', [reversed('محمد بن عبد الله')]],
  ['a name in Hebrew', 'משה כהן לוי', [reversed('משה כהן לוי')]],
  ['numbers and brackets', 'דירה 7 (קומה ב)', [`(${reversed('קומה ב')}) `, '7', reversed('דירה ')]],
  ['a telephone', 'اتصل 600 11 22 33 ثم', [reversed(' ثم'), '600 11 22 33', reversed('اتصل ')]],
  ['Spanish around', 'Dejar a «משה כהן» ya', ['Dejar a «', reversed('משה כהן'), '» ya']],
])('words from right to left are in order: %s', async (_name, nombre, texts) => {
  const printed = pdfTexts(await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label({ nombre, instrucciones: '' })] }));
  expect(printed.slice(2, 2 + texts.length)).toEqual(texts);
});

it('bars are whole dots of a thermal printer, at least two, and a longer number has its QR code alone', async () => {
  const DOT = 72 / 203;
  const hasBars = async (numero: string) => {
    const [, bars = []] = pdfRects(await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label({ numero })] }));
    for (const { width } of bars) {
      expect(width / DOT).toBeCloseTo(Math.round(width / DOT), 1);
      expect(Math.round(width / DOT)).toBeGreaterThanOrEqual(2);
    }
    return bars.length > 0;
  };
  const drawn = await Promise.all(Array.from({ length: 40 }, (_, i) => hasBars('A'.repeat(i + 1))));
  expect(drawn).toEqual(Array.from({ length: 40 }, (_, i) => i < 17));
  expect(await Promise.all(['ORD-2026000048', 'ORD-20260000480', 'PEDIDO-TIENDA-CENTRO-2026-01', 'WEB_Ñ'].map(hasBars))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('the PDF of labels asks viewers not to scale the pages', async () => {
  const file = Buffer.from(await drawLabelsPdf({ empresa: '', formato: 'rollo', labels: [label()] })).toString('latin1');
  expect(file).toMatch(/PrintScaling\s*\/None/);
});
