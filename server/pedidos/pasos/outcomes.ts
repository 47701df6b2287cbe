import { DomainError } from '../../kit/errors.ts';
import type { Outcomes, PedidoRow } from '../lectura/row.ts';

/** Runs `work` for every order not refused before; stores new refusals in `outcomes` and returns the other results. */
export async function attemptEach<T>(outcomes: Outcomes, work: (row: PedidoRow) => T | Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const [id, row] of outcomes) {
    if (row instanceof DomainError) continue;
    try {
      done.push(await work(row));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      outcomes.set(id, error);
    }
  }
  return done;
}

/** Overwrites the outcomes of some orders with newer ones. */
export function replaceOutcomes(outcomes: Outcomes, newer: Iterable<readonly [string, PedidoRow | DomainError]>): void {
  for (const [id, outcome] of newer) outcomes.set(id, outcome);
}

/** Returns the outcome of a single order. Throws its refusal. */
export function onlyOutcome(outcomes: Outcomes): PedidoRow {
  const [outcome] = outcomes.values();
  if (!outcome || outcome instanceof DomainError) throw outcome ?? new Error('no order');
  return outcome;
}
