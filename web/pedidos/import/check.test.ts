import { describe, expect, it } from 'vitest';
import type { Pack } from '../../../contract/products/products.ts';
import { columnsOf } from '../../../test/web/sheet.ts';
import { type Checked, createChecker, importFila as filaOfOrder, unknownPacks } from './check.ts';
import { createGrouper } from './groups.ts';
import type { Row } from './target.ts';

const pack = (fields: Partial<Pack>) => ({ id: fields.name ?? '', product_name: 'Miel', name: '', alias: '', ...fields }) as Pack;
const PACKS = [
  pack({ name: 'Tarro', alias: 'M1' }),
  pack({ name: 'Caja de 6', alias: 'M6' }),
  pack({ name: 'Lata', alias: 'A1', product_name: 'Aceite' }),
];
const TITLES = ['Cliente', 'Teléfono', 'Dirección', 'CP', 'Ciudad', 'Pack', 'Cantidad'];
const reading = { columns: columnsOf(TITLES), words: {} };
const checkOrder = createChecker({ reading, packs: PACKS, chosen: { oferta: 'Lata' } });
const alone = (order: readonly Checked[]) => order[0] as Checked;
const check = (row: Row) => alone(checkOrder({ rows: [row] }));
const filaOf = (line: Checked) => filaOfOrder([line]);
const GOOD = ['Ana Ruiz', '600 11 22 33', 'Calle Mayor 3', '28013', 'Madrid', 'Miel – Tarro', '2'];
const row = (cells: readonly string[], typed: Row['typed'] = {}, n = 2): Row => ({ id: String(n), n, cells: [...cells], typed });
const changed = (at: string, to: string) => row(GOOD.map((cell, i) => (TITLES[i] === at ? to : cell)));

it('a valid row becomes a request with province and country filled in', () => {
  const checked = check(row(GOOD));
  expect(checked).toMatchObject({ errors: {}, doubts: [] });
  expect(filaOf(checked)).toMatchObject({
    cliente_nombre: 'Ana Ruiz',
    cliente_telefono: '600 11 22 33',
    cliente_direccion: 'Calle Mayor 3',
    cliente_direccion2: null,
    cliente_provincia: 'Madrid',
    cliente_pais: 'España',
    pack_id: 'Tarro',
    cantidad: 2,
  });
});

it.each([
  ['Cliente', '', { cliente_nombre: 'Falta el nombre' }],
  ['Dirección', ' ', { cliente_direccion: 'Falta la dirección' }],
  ['Ciudad', 'x'.repeat(121), { cliente_ciudad: 'No puede superar los 120 caracteres' }],
  ['Cantidad', 'varios', { cantidad: 'La cantidad debe ser un número entero entre 1 y 9999' }],
  ['Cantidad', '1,5', { cantidad: 'La cantidad debe ser un número entero entre 1 y 9999' }],
  ['Pack', '', { pack: 'Falta el pack' }],
  ['Pack', 'Vinagre', { pack: '«Vinagre» no es ningún pack: elige cuál es' }],
  // Ambiguous: two packs are honey.
  ['Pack', 'Miel', { pack: '«Miel» no es ningún pack: elige cuál es' }],
])('a cell in column «%s» that contains «%s» is an error', (at, to, errors) => {
  expect(check(changed(at, to)).errors).toEqual(errors);
});

it.each([['MIEL Tarro'], ['tarro'], ['m1'], ['Tarro (Miel)']])('the text «%s» matches the pack «Miel – Tarro»', (written) => {
  expect(check(changed('Pack', written)).pack?.id).toBe('Tarro');
});
it('a text matches the only pack of a product, or the pack chosen for that text', () => {
  expect(check(changed('Pack', 'aceite')).pack?.id).toBe('Lata');
  expect(check(changed('Pack', '¡Oferta!')).pack?.id).toBe('Lata');
});

it('a missing quantity of 1 and the leading zero of a postcode are filled in', () => {
  expect(filaOf(check(changed('Cantidad', ''))).cantidad).toBe(1);
  const { values, doubts } = check(row(['Ana', '', 'Calle 1', '1001', '', 'M1', '']));
  expect(values).toMatchObject({ cliente_codigo_postal: '01001', cliente_provincia: 'Álava' });
  expect(doubts).toEqual([{ target: 'cantidad', text: 'Sin cantidad en la hoja: se entiende 1' }]);
});

it('codes of countries and provinces in exports become names', () => {
  const titles = ['Cliente', 'Dirección', 'CP', 'Provincia', 'País', 'Pack'];
  const read = createChecker({ reading: { columns: columnsOf(titles), words: {} }, packs: PACKS, chosen: {} });
  const place = (...cells: string[]) => {
    const { values, errors, doubts } = alone(read({ rows: [row(['Ana', 'Calle 1', ...cells, 'M1'])] }));
    expect([errors, doubts]).toEqual([{}, []]);
    return [values.cliente_provincia, values.cliente_pais];
  };
  expect(place('28013', 'M', 'ES')).toEqual(['Madrid', 'España']);
  expect(place('46001', 'ES-V', 'Spain')).toEqual(['Valencia', 'España']);
  expect(place('4700-321', '', 'PT')).toEqual(['', 'Portugal']);
  expect(place('10115', 'BE', 'DE')).toEqual(['BE', 'Alemania']);
});

it('a value that looks wrong causes a warning at its cell', () => {
  expect(check(changed('Teléfono', '600 11 22')).doubts).toEqual([
    { target: 'cliente_telefono', text: 'El teléfono 600 11 22 no parece completo.' },
  ]);
  expect(check(changed('CP', '99001')).doubts).toEqual([
    { target: 'cliente_codigo_postal', text: 'El código postal 99001 no es de España.' },
  ]);
});

it('a typed correction replaces the cell, even if the correction is empty', () => {
  const checked = check(row(GOOD, { cliente_nombre: '', cantidad: '', cliente_direccion: 'Calle Nueva 1' }));
  expect(Object.keys(checked.errors)).toEqual(['cliente_nombre', 'cantidad']);
  expect(checked.values.cliente_direccion).toBe('Calle Nueva 1');
  expect(check({ ...changed('Pack', 'Vinagre'), pack_id: 'Lata' }).pack?.id).toBe('Lata');
});

describe('«Contra reembolso»', () => {
  const withDelivery = { columns: columnsOf([...TITLES, 'Contra reembolso']), words: {} };
  const checkPaid = createChecker({ reading: withDelivery, packs: PACKS, chosen: {} });
  const paid = (row: Row) => alone(checkPaid({ rows: [row] }));
  it.each(['sí', 'SI', 'x', '1', 'Contra reembolso'])('a cell «%s» under «Contra reembolso» means paid on delivery', (written) => {
    const checked = paid(row([...GOOD, written]));
    expect([checked.errors, filaOf(checked).contra_reembolso]).toEqual([{}, true]);
  });
  it.each(['', 'No', '0'])('a cell «%s» under «Contra reembolso» means not paid on delivery', (written) => {
    const checked = paid(row([...GOOD, written]));
    expect([checked.errors, filaOf(checked)]).toEqual([{}, filaOf(check(row(GOOD)))]);
  });
  it('an unknown word under «Contra reembolso» decides nothing, and a typed one is an error', () => {
    expect(filaOf(paid(row([...GOOD, 'quizá'])))).not.toHaveProperty('contra_reembolso');
    expect(paid(row([...GOOD, ''], { contra_reembolso: 'quizá' })).errors).toEqual({ contra_reembolso: 'Escribe «sí» o «no»' });
  });
});

describe('an import of two thousand rows', () => {
  const rows = Array.from({ length: 2000 }, (_, i) =>
    row(i % 100 === 7 ? ['', '12', 'Calle Mayor 3', '', '', i % 200 === 7 ? 'Vinagre' : 'vinagre.', '1'] : GOOD, {}, i + 2),
  );
  const group = createGrouper(reading);
  const checked = group(rows).flatMap(checkOrder);
  const wrong = (all: readonly Checked[]) => all.filter(({ errors }) => Object.keys(errors).length > 0);
  it('the errors of each row are found, and each unknown pack is listed once', () => {
    expect(wrong(checked).map((each) => each.row.n)).toEqual(Array.from({ length: 20 }, (_, i) => 100 * i + 9));
    expect(unknownPacks(checked, PACKS)).toEqual([{ key: 'vinagre', text: 'Vinagre', rows: 20 }]);
  });
  it('only a corrected row is checked again', () => {
    const corrected = rows.map((each) => (each.n === 9 ? { ...each, typed: { cliente_nombre: 'Eva' }, pack_id: 'Tarro' } : each));
    const again = group(corrected).flatMap(checkOrder);
    expect(again.filter((each, i) => each !== checked[i]).map((each) => each.row.n)).toEqual([9]);
    expect(wrong(again)).toHaveLength(19);
  });
});
