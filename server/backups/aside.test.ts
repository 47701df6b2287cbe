import { existsSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { builders } from '../../test/builders.ts';
import { type OpenDb, openPGlite } from '../db/open.ts';
import { FEATURES } from '../features.ts';
import { holdingOf } from './tables.ts';
import { verifyBackup } from './verify.ts';
import { writeAside } from './write.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-aside-'));
const path = join(folder, 'copia.jsonl.gz');
const copy = join(folder, 'copia.tmp');
const given = {
  path,
  secretKey: 'only for the tests: thirty-two characters',
  key: { secret: 'una frase larga', clave: 'passphrase' as const },
  holding: holdingOf(FEATURES),
};

// Every other test of backups on this engine has its database in memory, without files.
describe.skipIf(process.env.TEST_DATABASE === 'postgres')('a backup of an embedded database', () => {
  let open: OpenDb;
  beforeAll(async () => {
    open = await openPGlite(join(folder, 'datos'), await openAsBlob(inject('pgliteDump')));
  });
  afterAll(async () => {
    await open.close();
    rmSync(folder, { recursive: true });
  });

  it('is read beside it, while orders are made', async () => {
    const { copyFiles, db } = open;
    const { pedido } = builders(db);
    for (let i = 0; i < 20; i += 1) await pedido();
    let made = 0;
    const making: Promise<void>[] = [];
    const source = { copyFiles: copyFiles as NonNullable<typeof copyFiles>, copy };
    const outcome = await writeAside(source, given, (fase) => {
      // Answered before the reading ends, for which it would wait on one connection.
      if (fase === 'leyendo') making.push(pedido().then(() => void (made += 1)));
    });
    expect(made).toBeGreaterThan(0);
    await Promise.all(making);
    if ('problem' in outcome) throw new Error(outcome.problem);
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM pedidos`.execute(db);
    expect(outcome.done.tables.pedidos?.rows).toBe(20);
    expect(rows).toEqual([{ n: 20 + made }]);
    expect(await verifyBackup({ ...outcome.done, path, secret: given.key.secret, databaseUrl: undefined })).toEqual({
      verificacion: 'restaurada',
    });
    expect(existsSync(copy)).toBe(false);
  });
});
