import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { encryptChunks } from '../backups/encrypt.ts';
import { spoolFolder } from '../db/embedded/wal-spool.ts';
import { type Bucket, StoreError } from '../files/bucket.ts';
import { createLog } from '../log/log.ts';
import { baseAt, baseName, keyAt, pieceAt } from './names.ts';
import type { Plan } from './plan.ts';
import { Incomplete, isDamage, recoverBeside, recoverLog } from './recover.ts';
import { fileSecret } from './ship.ts';

/* What a restore takes from the bucket before PostgreSQL starts; archive.test.ts starts it. */

const SECRET = 'the secret';
const SHOP = '118a3882-2e3a-413b-91f8-02d02bc1ea3d';
const OTHER = '228a3882-2e3a-413b-91f8-02d02bc1ea3d';
const CHAIN = '338a3882-2e3a-413b-91f8-02d02bc1ea3d';
const minute = (n: number) => Date.UTC(2026, 10, 28, 12, n);
const segment = (n: number) => `0000000100000000000000${String(n).padStart(2, '0')}`;
const piece = (n: number, at = minute(n)) => pieceAt(CHAIN, segment(n), at);
const HISTORY = pieceAt(CHAIN, '00000001.history', minute(0));

let home: string;
let tarball: Buffer;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'enruta-bring-'));
  mkdirSync(join(home, 'cluster'));
  writeFileSync(join(home, 'cluster', 'PG_VERSION'), '18');
  tarball = spawnSync('tar', ['--create', '--gzip', `--directory=${join(home, 'cluster')}`, '.']).stdout;
});
afterAll(() => rmSync(home, { recursive: true }));

const objects = new Map<string, Buffer>();
let dataDir: string;
beforeEach(() => {
  objects.clear();
  dataDir = mkdtempSync(join(home, 'data-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const bucket = {
  list: async (prefix: string) =>
    [...objects].filter(([key]) => key.startsWith(prefix)).map(([key, { length }]) => ({ key, size: length })),
  get: async (key: string) => objects.get(key),
  download: async (key: string, path: string) => {
    const found = objects.get(key);
    if (found?.length === 0) throw new StoreError('no contesta');
    if (found && found.toString() !== 'gone') writeFileSync(path, found);
    return found !== undefined && found.toString() !== 'gone';
  },
} as unknown as Bucket;

const folder = (shop = SHOP) => `tiendas/${shop}/`;
async function put(at: string, content: Buffer | string, { secret = fileSecret({ key: 'K' }, at), shop = SHOP } = {}) {
  const parts: Buffer[] = [];
  const chunks = (async function* () {
    yield Buffer.from(content);
  })();
  for await (const part of encryptChunks(chunks, { secret, clave: 'archivo' })) parts.push(part);
  objects.set(`${folder(shop)}${at}`, Buffer.concat(parts));
}
const putKey = (secret = SECRET, shop = SHOP) => put(keyAt(CHAIN), 'K', { secret, shop });
async function putBase({ at = minute(0), last = segment(1), content = tarball, shop = SHOP } = {}) {
  const name = baseName(at, segment(1), last);
  await put(baseAt(CHAIN, name, 'tar.gz'), content, { shop });
  await put(baseAt(CHAIN, name, 'json'), JSON.stringify({ label: 'the label' }), { shop });
}
/** A whole archive of these pieces. */
async function stored(...pieces: string[]) {
  await putKey();
  await putBase();
  for (const at of pieces) await put(at, `content of ${at}`);
}
const flip = (at: string) => {
  const bytes = objects.get(`${folder()}${at}`) ?? Buffer.alloc(0);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
};

let brought: { plan: Plan; files: Record<string, string>; modes: number[]; names: string[] };
/** Instead of PostgreSQL: looks at what lies ready for it. */
async function look(_: unknown, plan: Plan, beside: string) {
  const cluster = join(beside, 'postgres');
  const names = readdirSync(cluster, { recursive: true, encoding: 'utf8' }).toSorted();
  const isFile = (name: string) => statSync(join(cluster, name)).isFile();
  const files = names.filter(isFile).map((name) => [name, readFileSync(join(cluster, name), 'utf8')]);
  const own = names.filter((name) => name !== 'PG_VERSION');
  const modes = [cluster, ...own.map((name) => join(cluster, name))].map((path) => statSync(path).mode & 0o777);
  brought = { plan, files: Object.fromEntries(files), modes, names: readdirSync(beside) };
  return { reached: plan.reach, isWhole: !plan.missing };
}
type More = { until?: Date; partial?: boolean; shop?: string; secret?: string; onPlan?: (shop: { id: string }, plan: Plan) => void };
const source = (more: More = {}) => ({
  bucket,
  secret: SECRET,
  until: undefined,
  log: createLog('error', process.stderr),
  settle: async () => {},
  ...more,
});
const recover = (more: More = {}, run: typeof look = look) =>
  recoverBeside(source(more), dataDir, 'beside-', async () => ({ used: true }), run);
const problem = async (more: More = {}) =>
  recover(more).then(
    () => expect.fail('recovered'),
    (error: Error) => error,
  );
const names = () => Object.keys(brought.files).filter((name) => name.startsWith('from-archive/'));

describe('a restore', () => {
  it('brings base, label, histories and pieces, readable by PostgreSQL’s user alone, and leaves nothing', async () => {
    await stored(piece(1), piece(2), HISTORY);
    for (const name of ['beside-killed', 'other']) mkdirSync(join(dataDir, name, 'in'), { recursive: true });
    const planned: unknown[] = [];
    const onPlan = (shop: { id: string }, { reach }: Plan) => planned.push([shop.id, reach, readdirSync(dataDir).length]);
    expect(await recover({ onPlan })).toEqual({ reached: minute(2), isWhole: true, used: true });
    expect(planned).toEqual([[SHOP, minute(2), 2]]);
    expect(brought.files).toEqual({
      PG_VERSION: '18',
      backup_label: 'the label',
      'recovery.signal': '',
      'from-archive/00000001.history.gz': `content of ${HISTORY}`,
      [`from-archive/${segment(1)}.gz`]: `content of ${piece(1)}`,
      [`from-archive/${segment(2)}.gz`]: `content of ${piece(2)}`,
    });
    expect(brought.names).toEqual(['postgres']);
    // Of the folder itself, tar restores what the base has.
    expect(brought.modes.slice(1)).toEqual([0o600, 0o700, 0o600, 0o600, 0o600, 0o600]);
    expect(brought.plan.pieces.map(({ name }) => name)).toEqual([segment(1), segment(2)]);
    expect(readdirSync(dataDir)).toEqual(['other']);
  });

  it('that fails leaves nothing either', async () => {
    await stored(piece(1));
    await expect(recover({}, () => Promise.reject(new Error('no start')))).rejects.toThrow('no start');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('what the bucket has', () => {
  const LOOK = 'Mira las copias, con «restore s3:».';
  const at = `${folder()}wal/${CHAIN}`;
  test.each<[string, () => unknown, string]>([
    ['nothing', () => {}, 'En el cubo de S3_BUCKET no hay ningún archivo continuo: mira las copias, con «restore s3:».'],
    [
      'backups alone',
      () => objects.set(`${folder()}copias/una`, Buffer.from('x')),
      'En el cubo de S3_BUCKET no hay ningún archivo continuo: mira las copias, con «restore s3:».',
    ],
    ['a base without key', () => putBase(), `El archivo del cubo no se puede usar. Falta key.enc en ${at}. ${LOOK}`],
    ['a key without base', () => putKey(), `El archivo del cubo no se puede usar. Falta la base en ${at}. ${LOOK}`],
    [
      'a base without its piece',
      () => Promise.all([putKey(), putBase()]),
      `El archivo del cubo no se puede usar. Falta parte del registro en ${at}. ${LOOK}`,
    ],
    [
      'a key for another secret',
      async () => {
        await stored(piece(1));
        await putKey('another');
      },
      `${at}/key.enc no se puede abrir: El fichero es de otro archivo continuo. `,
    ],
  ])('%s cannot be restored', async (_, given, message) => {
    await given();
    expect((await problem()).message).toBe(message);
  });

  const two = async (secret: string) => {
    await stored(piece(1), piece(2));
    await putKey(secret, OTHER);
    await putBase({ shop: OTHER });
    await put(piece(1), 'of the other', { shop: OTHER });
  };
  it('of two shops must be named, and is listed with its moments', async () => {
    await two(SECRET);
    expect((await problem()).message).toBe(
      `En el cubo hay 2 tiendas: di cuál con --tienda y su número.\n  ${SHOP.slice(0, 8)} sin nombre: de 28/11/2026, 13:00:00 a 28/11/2026, 13:02:00\n  ${OTHER.slice(0, 8)} sin nombre: de 28/11/2026, 13:00:00 a 28/11/2026, 13:01:00`,
    );
    await recover({ shop: OTHER.slice(0, 4) });
    expect(brought.files[`from-archive/${segment(1)}.gz`]).toBe('of the other');
  });
  it('of two shops is that which opens with the secret', async () => {
    await two('another');
    expect(await recover()).toMatchObject({ reached: minute(2) });
    await expect(recover({ shop: OTHER.slice(0, 4) })).rejects.toThrow('de otro archivo continuo');
  });
});

describe('a moment', () => {
  it('before the first base is refused', async () => {
    await stored(piece(1));
    expect((await problem({ until: new Date(minute(0) - 1) })).message).toBe(
      'El archivo del cubo empieza el 28/11/2026, 13:00:00: para un momento anterior está «restore s3:», con las copias.',
    );
  });

  it.each([
    ['the last second', minute(2) + 500, minute(0), "'2026-11-28 13:02:00'"],
    ['the last second, which is the base’s', minute(0) + 700, minute(0), "'2026-11-28 13:00:00'"],
    ['the last millisecond, if its second began before the base', minute(0) + 700, minute(0) + 300, "'2026-11-28 13:00:00.700'"],
  ])('after the log is refused with %s of the log, or restored in part', async (_, end, start, command) => {
    await putKey();
    await putBase({ at: start });
    await put(piece(1, end), 'content');
    const until = new Date(minute(9));
    const error = await problem({ until });
    expect([error instanceof Incomplete, isDamage(error)]).toEqual([true, true]);
    expect(error.message).toMatch(
      new RegExp(`^Falta de 28/11/2026, .* a 28/11/2026, 13:09:00; con --hasta ${command} se recupera hasta ahí\\.`),
    );
    expect(await recover({ until, partial: true })).toMatchObject({ isWhole: false, reached: end });
  });

  it('within the log takes the pieces up to it', async () => {
    await stored(piece(1), piece(2), piece(3));
    await recover({ until: new Date(minute(2)) });
    expect(names()).toEqual([1, 2].map((n) => `from-archive/${segment(n)}.gz`));
  });
});

describe('a piece', () => {
  const gone = (at: string) => objects.set(`${folder()}${at}`, Buffer.from('gone'));
  test.each<[string, (at: string) => unknown, string]>([
    ['damaged', flip, 'está dañado. '],
    ['gone', gone, ''],
    ['another', (at) => put(at, 'x', { secret: 'other' }), 'no se puede abrir: El fichero es de otro archivo continuo. '],
  ])('that is %s ends a restore before it, which then restores what precedes it', async (what, spoil, words) => {
    await stored(piece(1), piece(2), piece(3), HISTORY);
    await spoil(piece(2));
    const at = `${folder()}${piece(2)}`;
    const error = await problem();
    expect(error).toBeInstanceOf(Incomplete);
    expect(error.message).toMatch(what === 'gone' ? `En el cubo falta ${at}. Falta de` : `${at} ${words}Falta de`);
    expect(error.message).toMatch(/Falta de 28\/11\/2026, 13:01:00 a 28\/11\/2026, 13:02:00; con --hasta '2026-11-28 13:01:00'/);
    expect(await recover({ partial: true })).toMatchObject({ isWhole: false, reached: minute(1) });
    expect(brought.plan).toMatchObject({ pieces: [{ name: segment(1) }], missing: { from: minute(1), to: minute(2) } });
    expect(names()).toEqual(['from-archive/00000001.history.gz', `from-archive/${segment(1)}.gz`]);
  });

  it('that is damaged before a gap leaves a gap up to what follows', async () => {
    await stored(piece(1), piece(2), piece(5));
    flip(piece(2));
    await recover({ partial: true });
    expect(brought.plan.missing).toEqual({ from: minute(1), to: minute(5) });
  });

  it('that the base needs cannot be left out', async () => {
    await putKey();
    await putBase({ last: segment(2) });
    for (const n of [1, 2, 3]) await put(piece(n), 'x');
    flip(piece(2));
    const error = await problem({ partial: true });
    expect(error).toBeInstanceOf(Incomplete);
    expect(error.message).toContain('Sin eso la base del 28/11/2026, 13:00:00 no vale: prueba con --hasta un momento anterior.');
    // The base's own moment is the last before its piece.
    await put(piece(2), 'x');
    flip(piece(3));
    expect((await problem()).message).toContain('Falta de 28/11/2026, 13:02:00 a 28/11/2026, 13:03:00');
  });

  it('that the bucket does not answer for is no damage', async () => {
    await stored(piece(1), piece(2));
    objects.set(`${folder()}${piece(2)}`, Buffer.alloc(0));
    const error = await problem({ partial: true });
    expect([error.message, isDamage(error)]).toEqual(['El cubo no contesta', false]);
  });
});

describe('a base', () => {
  const name = baseName(minute(0), segment(1), segment(1));
  it.each<[string, () => unknown, string, boolean]>([
    ['is damaged', () => flip(baseAt(CHAIN, name, 'tar.gz')), 'está dañado', true],
    ['is no tarball', () => putBase({ content: Buffer.from('no tarball') }), 'La base del archivo no se puede desempaquetar: tar: ', false],
    ['has a damaged label', () => flip(baseAt(CHAIN, name, 'json')), 'está dañado', true],
    ['does not come', () => objects.set(`${folder()}${baseAt(CHAIN, name, 'tar.gz')}`, Buffer.alloc(0)), 'El cubo no contesta', false],
  ])('that %s stops a restore', async (_, spoil, message, damaged) => {
    await stored(piece(1));
    await spoil();
    const error = await problem();
    expect(error.message).toContain(message);
    expect(isDamage(error)).toBe(damaged);
  });
});

describe('the database', () => {
  const restore = (overwrite: boolean) => recoverLog({ ...source(), dataDir, overwrite }, look);
  const version = (path: string) => readFileSync(join(path, 'PG_VERSION'), 'utf8');

  it('comes into a new folder', async () => {
    await stored(piece(1));
    dataDir = join(dataDir, 'deep', 'new');
    expect(await restore(false)).toEqual({ reached: minute(1), isWhole: true, kept: undefined });
    expect([version(join(dataDir, 'postgres')), statSync(dataDir).mode & 0o777]).toEqual(['18', 0o700]);
  });

  it('is replaced only if that is wanted, and kept aside; the spool ends', async () => {
    await stored(piece(1));
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'old');
    mkdirSync(spoolFolder(dataDir));
    await expect(restore(false)).rejects.toThrow('La carpeta ya tiene una base de datos. Para sustituirla, añade --sobrescribir');
    const { kept = '' } = await restore(true);
    expect(kept).toMatch(/\/postgres\.antes-\d{8}T\d{9}Z$/);
    expect([version(kept), version(join(dataDir, 'postgres')), existsSync(spoolFolder(dataDir))]).toEqual(['old', '18', false]);
  });
});
