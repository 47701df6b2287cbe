import { describe, expect, it } from 'vitest';
import { conflict, type DomainError } from '../../kit/errors.ts';
import type { Outcomes, PedidoRow } from '../lectura/row.ts';
import { attemptEach, onlyOutcome, replaceOutcomes } from './outcomes.ts';

const row = (id: string) => ({ id }) as PedidoRow;
const refused = conflict('No');

describe('outcomes of an act on many orders', () => {
  it('an order refused before is not tried, and a refusal stops no others', async () => {
    const outcomes: Outcomes = new Map<string, PedidoRow | DomainError>([
      ['a', refused],
      ['b', row('b')],
      ['c', row('c')],
    ]);
    const tried: string[] = [];
    const done = await attemptEach(outcomes, async ({ id }) => {
      tried.push(id);
      if (id === 'b') throw conflict('Tampoco');
      return `done ${id}`;
    });
    expect([tried, done]).toEqual([['b', 'c'], ['done c']]);
    expect([...outcomes].map(([id, outcome]) => [id, outcome instanceof Error ? outcome.message : outcome])).toEqual([
      ['a', 'No'],
      ['b', 'Tampoco'],
      ['c', row('c')],
    ]);
  });

  it('an unexpected error ends the act', async () => {
    const fails = attemptEach(new Map([['a', row('a')]]), () => {
      throw new RangeError('unexpected');
    });
    await expect(fails).rejects.toThrow(RangeError);
  });

  it('newer outcomes replace those of their orders alone', () => {
    const outcomes: Outcomes = new Map([
      ['a', row('a')],
      ['b', row('b')],
    ]);
    replaceOutcomes(outcomes, [['a', refused]]);
    expect([...outcomes.values()]).toEqual([refused, row('b')]);
  });

  it('the single outcome is an order, or is thrown', () => {
    expect(onlyOutcome(new Map([['a', row('a')]]))).toEqual(row('a'));
    expect(() => onlyOutcome(new Map([['a', refused]]))).toThrow('No');
    expect(() => onlyOutcome(new Map())).toThrow('no order');
  });
});
