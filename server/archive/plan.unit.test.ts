import { expect, it } from 'vitest';
import { baseAt, baseName, expiredKeys, firstPosition, followsPiece, isPiece, keyAt, pieceAt, piecePrefix, readArchive } from './names.ts';
import { planRecovery } from './plan.ts';
import { fileSecret } from './ship.ts';

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

it('a restore never stops before its base is whole, and at a moment takes no piece beyond it', () => {
  const long = baseName(minute(0), segment(1), segment(3));
  const files = ['tar.gz', 'json'] as const;
  const chain = (...pieces: number[]) => [keyAt(CHAIN), ...files.map((what) => baseAt(CHAIN, long, what)), ...pieces.map((n) => piece(n))];
  const whole = readArchive(
    chain(1, 2, 3, 4, 5).map((key) => ({ key, size: 1 })),
    '',
  );
  const lastOf = (until?: number) => planRecovery(whole, until)?.pieces.at(-1)?.name;
  expect([minute(0), minute(1), minute(3)].map(lastOf)).toEqual([segment(3), segment(3), segment(3)]);
  // A piece that ends at the moment holds it.
  expect([minute(3) + 1, minute(4), minute(4) + 1, undefined].map(lastOf)).toEqual([segment(4), segment(4), segment(5), segment(5)]);
  // The base's first piece alone may be enough.
  const one = archive(piece(1), piece(2));
  expect([minute(0), minute(1), minute(2)].map((until) => planRecovery(one, until)?.pieces.length)).toEqual([1, 1, 2]);
  // Without the last piece that the base needs there is nothing to restore.
  const short = readArchive(
    chain(1, 2).map((key) => ({ key, size: 1 })),
    '',
  );
  expect(planRecovery(short)).toBeUndefined();
});

it('a restore begins with the newest base of the moment or before, that is whole, has its key and is not damaged', () => {
  const later = baseName(minute(5), segment(5), segment(5));
  const keys = [keyAt(CHAIN), ...[base, later].flatMap((name) => (['tar.gz', 'json'] as const).map((what) => baseAt(CHAIN, name, what)))];
  const pieces = [1, 2, 3, 4, 5, 6].map((n) => piece(n));
  const stored = (names: readonly string[]) =>
    readArchive(
      names.map((key) => ({ key, size: 1 })),
      '',
    );
  const all = stored([...keys, ...pieces]);
  const baseOf = (until?: number, damaged?: string[]) => planRecovery(all, until, new Set(damaged))?.base.name;
  expect([undefined, minute(5), minute(5) - 1, minute(0), minute(0) - 1].map((until) => baseOf(until))).toEqual([
    later,
    later,
    base,
    base,
    undefined,
  ]);
  expect(baseOf(undefined, [later])).toBe(base);
  expect(planRecovery(stored([...keys, ...pieces].slice(1)))).toBeUndefined();
  expect(planRecovery(stored([...keys.slice(0, -1), ...pieces]))?.base.name).toBe(base);
});

it('the newest moment is missing if anything later is in the bucket; an asked moment only if the log ends before it', () => {
  const stored = archive(piece(1), piece(2), piece(4));
  expect(planRecovery(stored)?.missing).toEqual({ from: minute(2), to: minute(4) });
  expect(planRecovery(stored, minute(2))?.missing).toBeUndefined();
  expect(planRecovery(stored, minute(3))?.missing).toEqual({ from: minute(2), to: minute(4) });
  expect(planRecovery(archive(piece(1)), minute(3))?.missing).toEqual({ from: minute(1), to: minute(3) });
});

it('a base that is whole after its pieces reaches its own moment, and its chain ends where another begins', () => {
  const keys = (at: number, first: number, chain: string) =>
    (['tar.gz', 'json'] as const).map((what) => baseAt(chain, baseName(at, segment(first), segment(first)), what));
  const later = '00000000-2e3a-413b-91f8-02d02bc1ea3d';
  const stored = readArchive(
    [
      ...[keyAt(CHAIN), ...keys(minute(2), 1, CHAIN), piece(1), pieceAt(CHAIN, '00000002.history', minute(1))],
      ...[keyAt(later), ...keys(minute(5), 7, later), pieceAt(later, segment(7), minute(7))],
    ].map((key) => ({ key, size: 1 })),
    '',
  );
  const first = planRecovery(stored, minute(3));
  expect(first).toMatchObject({ reach: minute(2), missing: { from: minute(2), to: minute(5) } });
  expect([first?.pieces, first?.histories].map((files) => files?.map(({ name }) => name))).toEqual([[segment(1)], ['00000002.history']]);
  expect(planRecovery(stored)).toMatchObject({ reach: minute(7), missing: undefined });
});

it('pieces are kept while a restore to a moment of the last days needs them', () => {
  const bases = [0, 1, 2].map((day) => baseName(minute(0) + day * 86_400_000, segment(day + 1), segment(day + 1)));
  const log = [1, 2, 3, 4].map((n) => piece(n));
  const files = bases.flatMap((name) => (['tar.gz', 'json'] as const).map((what) => baseAt(CHAIN, name, what)));
  const keys = [keyAt(CHAIN), ...files, ...log, 'otro.txt'];
  const expired = (days: number, current = CHAIN) => expiredKeys(keys, '', current, days, minute(0) + 3 * 86_400_000);
  // The newest base is older than the days: the log of its time can be restored with that base alone.
  expect(expired(0.5)).toEqual([...files.slice(0, 4), ...log.slice(0, 2)]);
  expect(expired(1)).toEqual([...files.slice(0, 4), ...log.slice(0, 2)]);
  expect(expired(1.5)).toEqual([...files.slice(0, 2), ...log.slice(0, 1)]);
  expect(expired(30)).toEqual([]);
  const other = keyAt('00000000-2e3a-413b-91f8-02d02bc1ea3d');
  expect(expiredKeys([...keys, other], '', CHAIN, 30)).toEqual([other]);
  expect(expiredKeys([...keys, other], '', '00000000-2e3a-413b-91f8-02d02bc1ea3d', 30)).toEqual([]);
});

it('names in the bucket say what they are, and any other name is ignored', () => {
  const folder = 'tiendas/x/';
  const other = '00000000-2e3a-413b-91f8-02d02bc1ea3d';
  const read = (keys: string[]) =>
    Object.fromEntries(
      readArchive(
        keys.map((key, size) => ({ key, size })),
        folder,
      ),
    );
  const begun = { hasKey: false, bases: [], pieces: [] };
  const its = (key: string) => `${folder}${key}`;
  expect([keyAt('C'), baseAt('C', 'N', 'json'), pieceAt('C', 'P', minute(5) + 7.9), piecePrefix('C', 'P')]).toEqual([
    'wal/C/key.enc',
    'wal/C/base/N.json.enc',
    'wal/C/log/P-20261128T120500007Z.gz.enc',
    'wal/C/log/P-',
  ]);
  expect(read([its(keyAt(CHAIN)), its(keyAt(other))])).toEqual({
    [CHAIN]: { ...begun, hasKey: true },
    [other]: { ...begun, hasKey: true },
  });
  // A base is complete with both of its files.
  const [files, label] = [its(baseAt(CHAIN, base, 'tar.gz')), its(baseAt(CHAIN, base, 'json'))];
  const found = { chain: CHAIN, name: base, at: minute(0), first: segment(1), last: segment(1) };
  expect(read([label, files])).toEqual({ [CHAIN]: { ...begun, bases: [found] } });
  for (const more of [[], [files.replace('.tar.gz.', '.otro.')], [files.replace(CHAIN, other).replace('tar.gz', 'json')]])
    expect(read([files, ...more])[CHAIN]).toEqual(begun);
  expect(read([label])).toEqual({ [CHAIN]: begun });
  // Pieces are in the order of the log, whatever the order of the list.
  const pieces = [1, 2, 3].map((n) => ({ chain: CHAIN, name: segment(n), at: minute(n), key: its(piece(n)), size: (n + 1) % 3 }));
  expect(read([its(piece(2)), its(piece(3)), its(piece(1))])).toEqual({ [CHAIN]: { ...begun, pieces } });
  for (const key of [`tiendas/y/${piece(1)}`, its(`${piece(1)}.tmp`), its(`x${piece(1)}`), its(piece(1).replace('.gz', '')), piece(1)])
    expect(read([key])).toEqual({});
});

it('a position of the log is that of the first byte of its piece', () => {
  expect(firstPosition('00000001A000000B000000FE')).toBe('A000000B/FE000000');
  expect([isPiece(segment(1)), isPiece('00000002.history')]).toEqual([true, false]);
});

it.each([
  ['00000001A000000B000000FE', '00000001A000000B000000FF', true],
  ['00000001A000000B000000FE', '00000001A000000C00000000', false],
  ['00000001A000000B000000FF', '00000001A000000C00000000', true],
  ['00000001A000000B000000FF', '00000001A000000B00000100', false],
  ['00000001A000000B0000000F', '00000001A000000B00000010', true],
  ['00000001A000000B0000000F', '10000001A000000B00000010', false],
  ['00000001A000000B0000000F', '00000001B000000B00000010', false],
])('after the piece %s comes %s: %s', (last, next, follows) => {
  expect(followsPiece(next, last)).toBe(follows);
});

it('objects of another shop, and those that the archive did not write, do not expire', () => {
  const other = keyAt('00000000-2e3a-413b-91f8-02d02bc1ea3d');
  const old = [keyAt(CHAIN), ...(['tar.gz', 'json'] as const).map((what) => baseAt(CHAIN, base, what)), piece(0), piece(1)];
  const history = pieceAt(CHAIN, '00000000.history', minute(0));
  const keys = [...old, history, other, 'otro.txt'].map((key) => `tiendas/x/${key}`);
  const strange = [`tiendas/y/${other}`, other];
  expect(expiredKeys([...keys, ...strange], 'tiendas/x/', CHAIN, 30, minute(9))).toEqual([`tiendas/x/${piece(0)}`, `tiendas/x/${other}`]);
  // By the clock of now, unless told another.
  expect(expiredKeys(keys, 'tiendas/x/', CHAIN, 30)).toContain(`tiendas/x/${other}`);
});

it('the piece after the last of a log number is the first of the next; a history of a timeline breaks no chain', () => {
  const last = `00000001${'0'.repeat(7)}1000000FF`;
  expect(followsPiece(`00000001${'0'.repeat(7)}200000000`, last)).toBe(true);
  expect(followsPiece(`00000001${'0'.repeat(7)}1000000FF`, last)).toBe(true);
  expect(followsPiece(`00000001${'0'.repeat(7)}100000100`, last)).toBe(false);
  expect(followsPiece(`00000002${'0'.repeat(7)}200000000`, last)).toBe(false);
  expect(followsPiece('00000002.history', last)).toBe(true);
  expect(followsPiece(segment(9), undefined)).toBe(true);
  expect(followsPiece(segment(3), segment(1))).toBe(false);
});

it('a piece is encrypted for its own name, so that it opens under no other', () => {
  expect(fileSecret({ key: 'k' }, piece(1))).not.toBe(fileSecret({ key: 'k' }, piece(2)));
});
