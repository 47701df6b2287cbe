import { expect, it } from 'vitest';
import { baseAt, baseName, keyAt, pieceAt, readArchive } from './names.ts';
import { planRecovery } from './plan.ts';
import { secretOf } from './ship.ts';

const CHAIN = '118a3882-2e3a-413b-91f8-02d02bc1ea3d';
const minute = (n: number) => Date.UTC(2026, 10, 28, 12, n);
const segment = (n: number) => `0000000100000000000000${String(n).padStart(2, '0')}`;
const piece = (n: number, at = minute(n)) => pieceAt(CHAIN, segment(n), at);
const base = baseName(minute(0), segment(1), segment(1));
/** A chain with a base at minute 0 and these pieces, each of which ends at the minute of its number. */
const archive = (...pieces: string[]) => {
  const keys = [keyAt(CHAIN), baseAt(CHAIN, base, 'tar.gz'), baseAt(CHAIN, base, 'json'), ...pieces];
  return readArchive(
    keys.map((key) => ({ key: `tiendas/x/${key}`, size: 1 })),
    'tiendas/x/',
  );
};

it('a restore takes every piece of a chain without a hole', () => {
  const plan = planRecovery(archive(piece(1), piece(2), piece(3)));
  expect(plan).toMatchObject({ reach: minute(3), missing: undefined, pieces: [{}, {}, {}] });
});

it.each([
  ['is missing', [piece(1), piece(3), piece(4)], minute(1)],
  ['is there twice, of two servers', [piece(1), piece(2), piece(2, minute(2) + 500), piece(3)], minute(1)],
])('a restore ends before a piece that %s, and says what follows', (_, pieces, reach) => {
  const plan = planRecovery(archive(...pieces));
  expect(plan).toMatchObject({ reach, missing: { from: reach }, pieces: [{}] });
  expect(plan?.missing?.to).toBeGreaterThan(reach);
  expect(planRecovery(archive(...pieces), reach)?.missing).toBeUndefined();
});

it('a piece is encrypted for its own name, so that it opens under no other', () => {
  expect(secretOf({ key: 'k' }, piece(1))).not.toBe(secretOf({ key: 'k' }, piece(2)));
});
