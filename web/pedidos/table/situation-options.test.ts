import { expect, test } from 'vitest';
import { PLAIN, SITUATION_IDS } from '../../../contract/pedidos/situations.ts';
import { SITUATION_OPTIONS } from './situation-options.ts';

test('«Qué pasa» offers every situation that says more than its estado; deleted orders have their own filter', () => {
  const options = SITUATION_IDS.filter((id) => !PLAIN.includes(id) && id !== 'eliminado');
  expect(SITUATION_OPTIONS.map(({ value }) => value)).toEqual(['', ...options]);
});
