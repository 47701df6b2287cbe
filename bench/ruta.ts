import { performance } from 'node:perf_hooks';
import { caminoCorto } from '../contract/ruta/orden.ts';
import { seededRandom } from '../demo/random.ts';

const ROUNDS = 20;
const round = (figure: number) => Math.round(10 * figure) / 10;
const FREE = { primera: false, ultima: false };

/** Measures the proposal of a route through 60 towns (ms), and its ratio to the time for 30 towns. */
export function measureRuta() {
  const random = seededRandom(75);
  const [half = Number.NaN, whole = Number.NaN] = [30, 60].map((size) => {
    const days = Array.from({ length: ROUNDS }, () =>
      Array.from({ length: size }, () => ({ lat: 39 + random.next() * 2, lng: -5 + random.next() * 2.5 })),
    );
    const times = days.map((towns) => {
      const since = performance.now();
      caminoCorto(towns, FREE);
      return performance.now() - since;
    });
    return times.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
  });
  return [{ what: 'route of 60 stops', ms: round(whole), 'times 30 stops': round(whole / half) }];
}
