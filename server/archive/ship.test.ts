import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../test/until.ts';
import { createWorld, type World } from '../../test/world.ts';
import { decryptFile, encryptChunks, type Key } from '../backups/encrypt.ts';
import { shopIdentity } from '../backups/shop.ts';
import { freeRoom } from '../db/disk.ts';
import { isFull, spoolFolder, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Bucket } from '../files/bucket.ts';
import { readChain, storeChain } from './chain.ts';
import { baseAt, baseName, keyAt, pieceAt } from './names.ts';
import { fileSecret, shipLog } from './ship.ts';

/* What goes from the spool into the bucket, and in which order. That PostgreSQL starts from it, archive.test.ts shows. */

const SECRET = 'only for the tests: thirty-two characters';
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 28, 12);
const segment = (n: number) => `0000000100000000000000${String(n).padStart(2, '0')}`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

let dataDir: string;
let objects: Map<string, Buffer>;
/** Keys in the order in which they were written. */
let written: string[];
/** Runs within each upload. */
let during: (key: string, signal?: AbortSignal) => void | Promise<void>;
let broken: boolean;
beforeEach(async () => {
  await world.reset();
  dataDir = mkdtempSync(join(tmpdir(), 'enruta-ship-'));
  mkdirSync(spoolFolder(dataDir));
  objects = new Map();
  written = [];
  during = () => {};
  broken = false;
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true });
});

function rename(from: string, to: string) {
  objects.set(to, objects.get(from) ?? Buffer.alloc(0));
  objects.delete(from);
}
function set(key: string, bytes: Uint8Array) {
  objects.set(key, Buffer.from(bytes));
  written.push(key);
}
const bucket: Bucket = {
  put: async (key, bytes) => set(key, bytes),
  get: async (key) => {
    if (broken) throw new Error('no contesta');
    return objects.get(key);
  },
  remove: async (key) => void objects.delete(key),
  list: async (prefix) => {
    if (broken) throw new Error('no contesta');
    return [...objects].filter(([key]) => key.startsWith(prefix)).map(([key, { length }]) => ({ key, size: length }));
  },
  upload: async (key, path, signal) => {
    await during(key, signal);
    set(key, readFileSync(path));
  },
  download: async (key, path) => {
    const found = objects.get(key);
    if (found) writeFileSync(path, found);
    return found !== undefined;
  },
};

const BASE = { at: new Date(NOW).toISOString(), name: baseName(NOW, segment(1), segment(1)) };
let taken = 0;
/** A base without PostgreSQL: a tarball and its label. */
const take = async () => {
  taken += 1;
  const folder = join(spoolFolder(dataDir), 'base');
  mkdirSync(folder);
  for (const name of ['base.tar.gz', 'label.json']) writeFileSync(join(folder, name), `the ${name}`);
  const at = new Date().toISOString();
  const name = baseName(Date.now(), segment(1), segment(1));
  return {
    name,
    at,
    path: join(folder, 'base.tar.gz'),
    labelPath: join(folder, 'label.json'),
    remove: async () => rmSync(folder, { recursive: true }),
  };
};
/** Encrypts in this process, without the costly key of a backup. */
async function seal(content: string, { secret }: Key): Promise<Buffer> {
  const chunks = (async function* () {
    yield Buffer.from(content);
  })();
  return buffer(encryptChunks(chunks, { secret, clave: 'archivo' }));
}
type More = { limit?: { spool: number; free: number }; secretKey?: string; tools?: object };
const ship = ({ limit, secretKey = SECRET, tools = { seal } }: More = {}) =>
  shipLog({ db: world.db, url: 'postgres://none', bucket, dataDir, secretKey, take, ...tools }, limit);

/** A finished piece of the log in the spool, which ends at the minute of its number. */
function write(n: number, content = `piece ${n}`, name = segment(n)): string {
  const path = join(spoolFolder(dataDir), `${name}.gz`);
  writeFileSync(path, content);
  utimesSync(path, NOW / 1000 + 60 * n, NOW / 1000 + 60 * n);
  return path;
}
const endOf = (n: number) => NOW + 60_000 * n;
const chainNow = () => readChain(dataDir) ?? expect.fail('no chain');
/** Keys in the bucket, without the folders of shop and chain. */
const keys = () => written.map((key) => key.replace(/^tiendas\/[^/]+\//, '').replace(/^wal\/[^/]+\//, ''));
const pieceKey = (n: number) => `log/${pieceAt('', segment(n), endOf(n)).split('/log/')[1]}`;
async function open(at: string, secret = fileSecret(chainNow(), at)): Promise<string> {
  const draft = join(dataDir, 'opened');
  writeFileSync(draft, objects.get(`${chainNow().shop}${at}`) ?? '');
  return text(decryptFile(draft, secret));
}
/** A chain with a base of this moment, and nothing in the bucket. */
async function begin(last = 1) {
  await ship();
  const chain = { ...chainNow(), last: segment(last) };
  storeChain(dataDir, chain);
  written = [];
  taken = 0;
  return chain;
}

describe('the first run', () => {
  it('stores card, key, pieces and base, each encrypted, and the label last', async () => {
    write(1);
    taken = 0;
    await ship({ tools: {} });
    const { id, base, last, shop } = chainNow();
    expect([base, last, shop, taken]).toEqual([BASE, segment(1), `tiendas/${shopIdentity(dataDir)}/`, 1]);
    expect(keys()).toEqual([
      'tienda.json',
      'key.enc',
      pieceKey(1),
      `base/${BASE.name}.tar.gz.enc`,
      `base/${BASE.name}.json.enc`,
      'key.enc',
    ]);
    expect(await open(keyAt(id), SECRET)).toBe(chainNow().key);
    expect(await open(pieceAt(id, segment(1), endOf(1)))).toBe('piece 1');
    expect(await open(baseAt(id, BASE.name, 'tar.gz'))).toBe('the base.tar.gz');
    expect(await open(baseAt(id, BASE.name, 'json'))).toBe('the label.json');
    expect(readdirSync(spoolFolder(dataDir))).toEqual(['chain.json']);
  });

  it('removes what an interrupted run has encrypted, and accepts pieces again', async () => {
    for (const name of ['sealed', 'sealed-base', 'full']) writeFileSync(join(spoolFolder(dataDir), name), '');
    await ship();
    expect(readdirSync(spoolFolder(dataDir))).toEqual(['chain.json']);
  });

  it('writes what is encrypted for its user alone', async () => {
    const modes: number[] = [];
    during = () => {
      for (const name of readdirSync(spoolFolder(dataDir)).filter((each) => each.startsWith('sealed')))
        modes.push(statSync(join(spoolFolder(dataDir), name)).mode & 0o777);
    };
    await ship();
    expect(modes).toEqual([0o600, 0o600]);
  });
});

describe('pieces', () => {
  it('go in their order, and leave the spool', async () => {
    const { id } = await begin();
    write(3);
    write(2);
    write(4, 'a history', '00000002.history');
    await ship();
    const history = pieceAt(id, '00000002.history', endOf(4)).split(`${id}/`)[1];
    expect(keys()).toEqual([pieceKey(2), pieceKey(3), history]);
    expect([waitingPieces(dataDir), chainNow().last, chainNow().id]).toEqual([[], segment(3), id]);
  });

  it('that another run is sending wait for the next run', async () => {
    await begin();
    write(2);
    let go = () => {};
    during = () => new Promise((resolve) => (go = resolve));
    const first = ship();
    await until(
      () => waitingPieces(dataDir).length === 1 && existsSync(join(spoolFolder(dataDir), 'sealed')),
      () => 'nothing is sent',
    );
    await ship();
    expect(written).toEqual([]);
    await until(
      () => {
        go();
        return keys().length === 1;
      },
      () => 'the piece is not sent',
    );
    await first;
    during = () => {};
    write(3);
    await ship();
    expect(keys()).toEqual([pieceKey(2), pieceKey(3)]);
  });

  it('that an interrupted run has sent are not sent again', async () => {
    await begin();
    write(2);
    await ship();
    storeChain(dataDir, { ...chainNow(), last: segment(1) });
    write(2);
    await ship();
    expect(keys()).toEqual([pieceKey(2)]);
    expect([waitingPieces(dataDir), chainNow().last]).toEqual([[], segment(2)]);
    expect(readdirSync(spoolFolder(dataDir))).toEqual(['chain.json']);
  });

  it.each<[string, (sent: string, other: string) => void]>([
    ['with other bytes', () => write(2, 'others')],
    ['damaged', (sent) => objects.set(sent, Buffer.from('x'))],
    ['of another time', rename],
    ['twice', (sent, other) => objects.set(other, objects.get(sent) ?? Buffer.alloc(0))],
  ])('that the bucket has %s are of another server, which this one leaves', async (_, change) => {
    const { id, shop } = await begin();
    write(2);
    await ship();
    const sent = `${shop}${pieceAt(id, segment(2), endOf(2))}`;
    storeChain(dataDir, { ...chainNow(), last: segment(1) });
    write(2);
    change(sent, `${shop}${pieceAt(id, segment(2), endOf(3))}`);
    await expect(ship()).rejects.toThrow(/^El archivo continuo no llega al cubo \(Otro servidor, copia de este, .*; se empieza aparte\)/);
    expect([readChain(dataDir), shop.includes(shopIdentity(dataDir) ?? '')]).toEqual([undefined, false]);
    expect(readdirSync(spoolFolder(dataDir))).toEqual([`${segment(2)}.gz`]);
    const [notice] = await world.db.selectFrom('notifications').select('texto').execute();
    expect(notice?.texto).toMatch(new RegExp(`^Otro servidor, copia de este, .* y lo de antes sigue en ${shop}\\.`));
    await ship();
    expect(chainNow().shop).toBe(`tiendas/${shopIdentity(dataDir)}/`);
  });
});

describe('a chain', () => {
  it.each<[string, () => void]>([
    ['of another cluster', () => storeChain(dataDir, { ...chainNow(), system: '1' })],
    ['of another folder', () => storeChain(dataDir, { ...chainNow(), shop: 'tiendas/x/' })],
    ['with a hole before its next piece', () => write(3)],
    ['of which the spool dropped pieces', () => writeFileSync(join(spoolFolder(dataDir), 'full'), '')],
    ['that cannot be read', () => writeFileSync(join(spoolFolder(dataDir), 'chain.json'), '{"id":')],
  ])('%s is followed by another, with a key and a base of its own', async (_, change) => {
    const { id, key } = await begin();
    change();
    await ship();
    expect([chainNow().id === id, chainNow().key === key, taken, isFull(dataDir)]).toEqual([false, false, 1, false]);
    expect(written).toContain(`${chainNow().shop}${keyAt(chainNow().id)}`);
    expect(waitingPieces(dataDir)).toEqual([]);
  });

  it('goes on over the history of a timeline', async () => {
    const { id } = await begin();
    write(1, 'h', '00000001.history');
    write(2);
    await ship();
    expect(chainNow().id).toBe(id);
  });

  it('stores its key again when the secret is another', async () => {
    const { id } = await begin();
    await ship();
    expect(keys()).toEqual([]);
    const secretKey = 'another one, of at least thirty-two characters';
    for (let i = 0; i < 2; i += 1) await ship({ secretKey });
    expect(keys()).toEqual(['key.enc']);
    expect(await open(keyAt(id), secretKey)).toBe(chainNow().key);
  });

  it('ends when a piece is lost while the base is sent', async () => {
    const { base: _, ...chain } = await begin();
    storeChain(dataDir, chain);
    during = (key) => {
      if (key.endsWith('.tar.gz.enc')) write(4);
    };
    write(2);
    await expect(ship()).rejects.toThrow(`falta una parte antes de ${segment(4)}; se empieza de nuevo`);
    expect([readChain(dataDir), keys()]).toEqual([undefined, [pieceKey(2), `base/${BASE.name}.tar.gz.enc`]]);
  });
});

describe('a base', () => {
  it.each([
    [DAY, 0],
    [DAY + 1, 1],
  ])('%i ms old is taken again %i times', async (age, times) => {
    const { shop } = await begin();
    objects.clear();
    vi.setSystemTime(NOW + age);
    await ship();
    expect(taken).toBe(times);
    if (times) expect(chainNow().base?.at).toBe(new Date(NOW + age).toISOString());
    // A rule of the bucket may have deleted card and key.
    expect([...objects.keys()].filter((key) => /key\.enc|tienda\.json/.test(key))).toEqual(
      times ? [`${shop}${keyAt(chainNow().id)}`, `${shop}tienda.json`] : [],
    );
  });

  it('lets the pieces that end meanwhile go before its label, those of the last moment too', async () => {
    during = async (key) => {
      if (key.endsWith(`${segment(1)}.tar.gz.enc`)) {
        write(2);
        await until(
          () => keys().includes(pieceKey(2)),
          () => `only ${keys()} are sent`,
        );
        write(3);
      }
    };
    write(1);
    await ship();
    const stored = keys().slice(2, -1);
    expect(stored.toSorted()).toEqual([
      `base/${BASE.name}.json.enc`,
      `base/${BASE.name}.tar.gz.enc`,
      pieceKey(1),
      pieceKey(2),
      pieceKey(3),
    ]);
    expect(stored.at(-1)).toBe(`base/${BASE.name}.json.enc`);
  });

  it('is given up when a piece cannot go meanwhile, and leaves no file', async () => {
    let isAborted = false;
    during = async (key, signal) => {
      if (!key.endsWith('.tar.gz.enc')) throw new Error('lleno');
      write(2);
      await new Promise<void>((_, reject) =>
        signal?.addEventListener('abort', () => {
          isAborted = true;
          reject(new Error('aborted'));
        }),
      );
    };
    await expect(ship()).rejects.toThrow('no llega al cubo (lleno)');
    expect([isAborted, chainNow().base]).toEqual([true, undefined]);
    expect(readdirSync(spoolFolder(dataDir)).toSorted()).toEqual([`${segment(2)}.gz`, 'chain.json']);
  });

  it.each([
    // The base before the seven days is needed for their first moment, and none before it.
    [[7.5, 7.01], [7.5]],
    [[8, 6.99], []],
    [[30, 8, 6.99], [30]],
  ])('is followed by the removal of what no moment of seven days needs, of bases %s days old', async (ages, removed) => {
    const { id, shop } = await begin();
    objects.clear();
    const nameOf = (days: number) => baseName(NOW + DAY + 1 - days * DAY, segment(1), segment(1));
    for (const days of ages)
      for (const what of ['tar.gz', 'json'] as const) objects.set(`${shop}${baseAt(id, nameOf(days), what)}`, Buffer.from(''));
    objects.set('tiendas/x/other', Buffer.from(''));
    vi.setSystemTime(NOW + DAY + 1);
    await ship();
    const left = ages.filter((days) => objects.has(`${shop}${baseAt(id, nameOf(days), 'json')}`));
    expect(left).toEqual(ages.filter((days) => !removed.includes(days)));
    expect(objects.has('tiendas/x/other')).toBe(true);
  });
});

describe('while the bucket does not answer', () => {
  const MB = 2 ** 20;
  const waits = async (bytes: number, limit?: { spool: number; free: number }) => {
    await begin();
    truncateSync(write(2), bytes);
    broken = true;
    const error = await ship(limit && { limit }).catch((thrown: Error) => thrown);
    const isKept = waitingPieces(dataDir).length === 1;
    const word = isKept ? `Esperan 1 ficheros en ${spoolFolder(dataDir)}; se intenta otra vez` : 'se ha dejado de archivar';
    expect(error).toMatchObject({ status: 503, message: expect.stringContaining(word) });
    expect([isFull(dataDir), readChain(dataDir) === undefined]).toEqual([!isKept, !isKept]);
    return isKept;
  };

  it.each([
    [512 * MB - 1, true],
    [512 * MB, false],
  ])('a spool of %i bytes is kept: %s', async (bytes, isKept) => {
    expect(await waits(bytes)).toBe(isKept);
  });

  it.each([
    ['beyond the bound of the spool', 1000, { spool: 1000, free: 0 }, false],
    ['below the bound of the spool', 1000, { spool: 1001, free: 0 }, true],
    ['a sixteenth of what should be free', 1, undefined, false],
    ['less than a sixteenth of what should be free', -1, undefined, true],
  ])('pieces that are %s are kept: %s', async (_, bytes, limit, isKept) => {
    const free = 16 * Math.ceil(freeRoom(dataDir) / 8);
    expect(await waits(limit ? bytes : free / 16 + Math.min(bytes, 0), limit ?? { spool: Number.MAX_SAFE_INTEGER, free })).toBe(isKept);
  });

  it('a spool that is closed stays closed', async () => {
    await begin();
    writeFileSync(join(spoolFolder(dataDir), 'full'), '');
    broken = true;
    await expect(ship()).rejects.toThrow('se ha dejado de archivar');
  });
});
