import { expect, test } from 'vitest';
import { TRANSITION_NAMES, TRANSITIONS } from '../contract/pedidos/flow.ts';
import { FOLLOWS, isReversal, REVERSAL_NAMES, REVERSALS } from '../contract/pedidos/reversals.ts';

test.each(TRANSITION_NAMES)('what takes «%s» back begins where it ends, or a sentence says why nothing does', (name) => {
  const { back } = FOLLOWS[name];
  if (typeof back === 'object') return expect(back.never).toMatch(/^[A-Z].{20,}/);
  if (isReversal(back)) return expect(REVERSALS[back].of).toBe(name);
  expect(TRANSITIONS[back].from).toContain(TRANSITIONS[name].to);
  // A step back that writes a ledger would not leave the books as they were.
  expect([FOLLOWS[name].writes, FOLLOWS[back].writes]).toEqual([[], []]);
});

test('each reversal takes back the step that names it', () => {
  for (const name of REVERSAL_NAMES) expect(FOLLOWS[REVERSALS[name].of].back).toBe(name);
});
