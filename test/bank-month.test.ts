import { expect, test } from 'vitest';
import type { Match } from '../server/banco/expected-index.ts';
import { matchMovements } from '../server/banco/match.ts';
import { readCamt } from '../web/banco/camt053.ts';
import { readNorma43 } from '../web/banco/norma43.ts';
import { creditsIn } from '../web/banco/statement.ts';
import { asCamt, asNorma43, makeMonth } from './bank-month.ts';

/* A month of a shop, read from both formats: what is booked is right, and most of the rest is proposed rightly. */

test.each([1, 2, 3, 4, 5])(
  '90 of 100 credits are booked or proposed rightly, none is booked wrongly, and the formats agree (month %i)',
  (seed) => {
    const { expected, credits } = makeMonth(seed);
    const files = [readNorma43(asNorma43(credits)), readCamt(asCamt(credits, '02')), readCamt(asCamt(credits, '08'))];
    const results = files.map((file) => {
      const movements = creditsIn(file).map(({ importe, ...each }) => ({ ...each, importe_cents: Math.round(importe * 100) }));
      expect(movements.map(({ importe_cents }) => importe_cents)).toEqual(credits.map(({ cents }) => cents));
      return matchMovements(movements, expected);
    });
    const inWords = (match: Match | undefined) =>
      match
        ? `${match.sure ? 'sure' : 'proposed'} ${match.partes
            .map(({ clave }) => clave)
            .toSorted()
            .join()}`
        : '';
    expect(results[1]?.map(inWords)).toEqual(results[0]?.map(inWords));
    expect(results[2]?.map(inWords)).toEqual(results[0]?.map(inWords));
    const judged = credits.map(({ truth }, i) => {
      const match = results[0]?.[i];
      const isRight =
        match?.partes
          .map(({ clave }) => clave)
          .toSorted()
          .join() === truth.toSorted().join();
      return { truth, isRight, sure: match?.sure ?? false };
    });
    expect(judged.filter(({ sure, isRight }) => sure && !isRight)).toEqual([]);
    const ours = judged.filter(({ truth }) => truth.length > 0);
    expect(ours.filter(({ isRight }) => isRight).length / ours.length).toBeGreaterThan(0.9);
  },
);
