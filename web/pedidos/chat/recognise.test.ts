import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { poblacionesDe } from '../cliente/poblaciones.ts';
import { postcodeIn, READ_FIELDS, recogniseOrder } from './recognise.ts';

/* Realistic messages, each with its expected fields: name | telephone | street | floor | postcode | town | notes | items. */
const CORPUS = readFileSync(join(import.meta.dirname, 'corpus.txt'), 'utf8')
  .trimEnd()
  .split('\n===\n')
  .map((block) => {
    const at = block.lastIndexOf('\n=> ');
    return {
      text: block.slice(0, at),
      wanted: block
        .slice(at + 4)
        .split('|')
        .map((part) => part.trim()),
    };
  });
const PACKS = [
  { id: 'aceite', product_name: 'Aceite de oliva 5 l', name: 'Caja de 3', alias: 'ACE-3', pack_quantity: 3 },
  { id: 'miel', product_name: 'Miel de encina', name: 'Tarro', alias: 'MIEL', pack_quantity: 1 },
];

const digits = (written: string) => written.replace(/[\s().-]/g, '');
async function read(text: string) {
  const towns = await poblacionesDe(postcodeIn(text), '');
  const found = recogniseOrder(text, { towns, packs: PACKS });
  const asked = found.items.map(({ cantidad, pack_id }) => `${cantidad} ${pack_id}`.trim()).join(', ');
  return [...READ_FIELDS.map((name) => (name === 'cliente_telefono' ? digits(found[name]) : found[name])), asked];
}

it.each(CORPUS)('every field of a message is recognised: $text', async ({ text, wanted }) => {
  const telephone = (wanted[1] ?? '').replace('/', '');
  expect((await read(text)).map((value) => value.replace(/(\d{3})\/(\d)/, '$1$2'))).toEqual([wanted[0], telephone, ...wanted.slice(2)]);
});
