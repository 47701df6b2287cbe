import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getArchivo, probarArchivo } from '../../contract/backups/backups.ts';
import { startBucket } from '../../test/bucket-server.ts';
import { until } from '../../test/until.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { shopFolder } from '../backups/shop.ts';
import { spoolFolder, waitingPieces } from '../db/embedded/wal-spool.ts';
import type { Bucket } from '../files/bucket.ts';
import type { Deps } from '../kit/feature.ts';
import { fingerprint } from '../kit/secrets.ts';
import { archiveFeature } from './archive.feature.ts';
import { newChain, readChain, storeChain } from './chain.ts';
import { isTesting, readSeen, testArchive } from './look.ts';
import { Incomplete, type recoverBeside } from './recover.ts';

const SECRET = 'only for the tests: thirty-two characters';
let world: World;
let admin: Person;
let dataDir: string;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  dataDir = mkdtempSync(join(tmpdir(), 'enruta-check-'));
  mkdirSync(spoolFolder(dataDir));
  storeChain(dataDir, { ...newChain('7', 'tiendas/x/'), base: { at: new Date().toISOString(), name: 'b' } });
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const seenPath = () => join(spoolFolder(dataDir), 'seen.json');
const see = (seen: object) => writeFileSync(seenPath(), JSON.stringify(seen));
type Recover = typeof recoverBeside;
type Source = Parameters<Recover>[0];
/** Tests the archive with this instead of a restore. */
const check = (restore: (source: Source, prefix: string) => Promise<number>) =>
  testArchive({ db: world.db, url: '', bucket: {} as Bucket, dataDir, secretKey: SECRET, log: world.process.log }, (async (
    source: Source,
    _: string,
    prefix: string,
  ) => ({ reached: await restore(source, prefix), isWhole: true })) as unknown as Recover);
const order = async (created: number) =>
  world.db
    .updateTable('pedidos')
    .set({ created_at: new Date(created).toISOString() })
    .where('id', '=', (await world.pedido()).id)
    .execute();

describe('a restore as a test', () => {
  it('stores the moment and the orders that it finds, and forgets an earlier failure', async () => {
    for (let i = 0; i < 2; i += 1) await order(Date.now() - 100_000);
    see({ hasta: 'h', mirado_at: 'm', error: 'e', pedidos: 1 });
    const reached = Date.now();
    await check(async ({ settle, secret, until: moment, shop }, prefix) => {
      expect([secret, moment, shop, prefix, isTesting()]).toEqual([SECRET, undefined, undefined, 'prueba-archivo-', true]);
      await settle(world.open);
      return reached;
    });
    const seen = JSON.parse(readFileSync(seenPath(), 'utf8'));
    const probado_hasta = new Date(reached).toISOString();
    expect(seen).toEqual({ hasta: 'h', mirado_at: 'm', probado_at: expect.any(String), probado_hasta, pedidos: 2 });
    expect([statSync(seenPath()).mode & 0o777, isTesting()]).toEqual([0o600, false]);
  });

  it.each([
    [60_000, true],
    [59_999, false],
  ])('that lacks an order created %i ms before its end is a damage: %s', async (before, isDamaged) => {
    const reached = Date.now();
    await order(reached - before);
    see({ probado_hasta: 'earlier' });
    const done = check(async () => reached);
    if (!isDamaged) return expect(await done).toBeUndefined();
    await expect(done).rejects.toThrow(
      'El archivo continuo no se ha podido restaurar aparte, para probarlo. Tiene 0 pedidos, y entonces había 1. Se empieza otra vez, con una base nueva.',
    );
    expect(readSeen(dataDir)).toEqual({
      probado_hasta: 'earlier',
      probado_at: expect.any(String),
      error: 'Tiene 0 pedidos, y entonces había 1.',
    });
    expect(readChain(dataDir)).toBeUndefined();
  });

  it.each([
    ['is damaged', new Incomplete('Falta algo.'), ' Falta algo. Se empieza otra vez, con una base nueva.', true],
    ['cannot be reached', new Error('No contesta.'), ' No contesta.', false],
  ])('of an archive that %s says why', async (_, problem, words, ends) => {
    const failed = await check(() => Promise.reject(problem)).catch((error: Error) => error);
    expect(failed).toMatchObject({ status: 503, cause: problem });
    expect((failed as Error).message).toBe(`El archivo continuo no se ha podido restaurar aparte, para probarlo.${words}`);
    expect([readSeen(dataDir).error, readChain(dataDir) === undefined, isTesting()]).toEqual([problem.message, ends, false]);
  });

  it('begins once at a time, and not before the first base', async () => {
    let runs = 0;
    await check(async () => {
      await check(async () => (runs += 1));
      return Date.now();
    });
    storeChain(dataDir, newChain('7', 'tiendas/x/'));
    await check(async () => (runs += 1));
    expect(runs).toBe(0);
  });
});

const NOTHING = { hasta: null, mirado_at: null, probado_at: null, probado_hasta: null, pedidos: null, error: null, probando: false };

describe('the feature', () => {
  it('without an archive says so, and tests nothing', async () => {
    expect((await admin.call(getArchivo)).body.data).toEqual({ activo: false, ...NOTHING });
    const refused = await admin.call(probarArchivo);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'En este servidor no hay archivo continuo: hace falta un cubo en las variables S3_…',
    ]);
  });

  /** The feature in a program with this data folder and bucket. */
  async function started(more: Partial<Deps['config']> = {}) {
    const store = await startBucket();
    const signals: unknown[] = [];
    const config = { ...world.config, databaseUrl: undefined, s3: store.s3, dataDir, secretKey: SECRET, ...more };
    const deps = { ...world.process, config, signal: (wake: unknown) => void signals.push(wake) } as unknown as Deps;
    const gauges = new Map<string, () => unknown>();
    const handlers = new Map<string, (request: object, reply: object) => Promise<{ data: object; message?: string }>>();
    let onClose: () => Promise<void> = async () => {};
    const app = {
      route: ({ url, handler }: { url: string; handler: () => never }) => handlers.set(url, handler),
      metrics: { addGauge: (name: string, _: string, read: () => unknown) => gauges.set(name, read) },
      addHook: (_: string, hook: () => Promise<void>) => {
        onClose = hook;
      },
      withIdempotencyKey: (_: object, work: () => Promise<unknown>) => work(),
    } as unknown as FastifyInstance;
    await archiveFeature.routes?.(app, deps);
    const reply = { code: () => ({ send: (answer: unknown) => answer }) };
    const call = ({ path }: { path: string }) => handlers.get(path)?.({ actor: admin.user, params: {}, query: {}, body: {} }, reply);
    const jobs = new Map(archiveFeature.jobs?.(deps).map(({ name, run }) => [name, () => run()]));
    const close = async () => {
      await onClose();
      store.close();
    };
    return { store, signals, gauges, call, jobs, close };
  }

  it('with an archive shows its last checks, and begins a test on request', async () => {
    const { call, close } = await started();
    expect((await call(getArchivo))?.data).toEqual({ activo: true, ...NOTHING });
    const seen = { hasta: 'h', mirado_at: 'm', probado_at: 'p', probado_hasta: 'q', pedidos: 0, error: 'e' };
    see(seen);
    const heard: string[] = [];
    const stop = await world.open.listen(
      'enruta_jobs',
      (job) => heard.push(job),
      () => {},
    );
    const state = { activo: true, ...seen, probando: false };
    expect([(await call(getArchivo))?.data, await call(probarArchivo)]).toEqual([
      state,
      { success: true, message: 'Prueba en curso', data: { ...state, probando: true } },
    ]);
    await until(
      () => heard.includes('archivo-prueba'),
      () => 'no test was begun',
    );
    await stop();
    await check(async () => {
      await expect(call(probarArchivo)).rejects.toMatchObject({ status: 409, body: { code: 'already_running' } });
      return Date.now();
    });
    await close();
  });

  it('measures the ages of what waits, of what can be restored and of the last good test, in seconds', async () => {
    const { gauges, close } = await started();
    const measured = async (name: string) => (await gauges.get(name)?.()) ?? expect.fail(name);
    const ages = async () => (await measured('enruta_archive_age_seconds')) as Record<string, number>;
    expect([await measured('enruta_archive_waiting_seconds'), await ages()]).toEqual([0, {}]);
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
    see({ hasta: ago(3_000_000), probado_at: ago(5_000_000) });
    const { reach = 0, tested = 0 } = await ages();
    expect([Math.abs(reach - 3_000_000), Math.abs(tested - 5_000_000)].every((apart) => apart < 1000)).toBe(true);
    see({ hasta: ago(1), probado_at: ago(2), error: 'e' });
    expect(Object.keys(await ages())).toEqual(['reach']);
    see({ probado_at: ago(2) });
    expect(Object.keys(await ages())).toEqual(['tested']);
    await close();
  });

  it('ships each piece as it comes, until the program ends', async () => {
    const { signals, close } = await started();
    writeFileSync(join(spoolFolder(dataDir), 'other.tmp'), '');
    writeFileSync(join(spoolFolder(dataDir), '000000010000000000000001.gz'), '');
    await until(
      () => signals.length > 0,
      () => 'no signal',
    );
    expect(new Set(signals.map((wake) => JSON.stringify(wake)))).toEqual(new Set(['{"channel":"enruta_jobs","payload":"archivo"}']));
    await close();
  });

  it('measures and watches nothing without an archive', async () => {
    const { gauges, signals, call, jobs, close } = await started({ databaseUrl: 'postgres://x' });
    see({ hasta: 'h' });
    expect([gauges.size, signals, (await call(getArchivo))?.data]).toEqual([0, [], { activo: false, ...NOTHING }]);
    for (const run of jobs.values()) await run();
    expect(readSeen(dataDir)).toEqual({ hasta: 'h' });
    await close();
  });

  it('each minute ships the pieces and looks at the bucket', async () => {
    const { store, jobs, close } = await started();
    const { rows } = await sql<{ system: string }>`SELECT system_identifier::text AS system FROM pg_control_system()`.execute(world.db);
    const shop = await shopFolder(world.db, { databaseUrl: undefined, dataDir });
    const base = { at: new Date().toISOString(), name: 'b' };
    storeChain(dataDir, { ...newChain(rows[0]?.system ?? '', shop), sealedWith: fingerprint(SECRET), base });
    writeFileSync(join(spoolFolder(dataDir), '000000010000000000000001.gz'), 'x');
    // The look at the bucket notices that its base is not there.
    await expect(jobs.get('archivo')?.()).rejects.toThrow('falta la clave que lo abre (key.enc)');
    expect([...store.objects.keys()].filter((key) => key.includes('/log/000000010000000000000001-'))).toHaveLength(1);
    expect([waitingPieces(dataDir), readSeen(dataDir).mirado_at]).toEqual([[], expect.any(String)]);
    await close();
  });

  it('each night is restored as a test', async () => {
    const { jobs, close } = await started();
    await expect(jobs.get('archivo-prueba')?.()).rejects.toThrow(
      'no se ha podido restaurar aparte, para probarlo. En el cubo de S3_BUCKET no hay',
    );
    await close();
  });
});
