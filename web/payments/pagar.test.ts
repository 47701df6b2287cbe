import { expect, it } from 'vitest';
import { ESTADOS } from '../../contract/pedidos.flow.ts';
import { ibanInFours } from './iban.ts';
import { message } from './message.ts';

it('groups the IBAN in fours, however long it is', () => {
  expect(ibanInFours('ES9121000418450200051332')).toBe('ES91 2100 0418 4502 0005 1332');
  expect(ibanInFours('NO93 8601 1117 947')).toBe('NO93 8601 1117 947');
});

it('says something different to the customer in every estado, and never a word of ours', () => {
  const said = ESTADOS.map((estado) => message({ estado, numero_orden: 'ORD-1', empresa: 'Olivares', por_pagar: false }));
  expect(new Set(said.map(({ title }) => title)).size).toBe(ESTADOS.length);
  for (const { title, text } of said) expect(`${title} ${text}`).not.toMatch(/_|revendedor/);
});
