import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { childEnv } from '../../test/child-env.ts';
import { openLetterbox } from '../../test/letterbox.ts';
import { emptyBeside, query } from '../../test/postgres.ts';
import { MigrationFailed, migrateDatabase, openPostgres } from '../db/open.ts';
import { VERSION } from '../kit/release.ts';
import { encrypt } from '../kit/secrets.ts';
import { createLog } from '../log/log.ts';
import { mailFailedMigration } from './failed-migration.ts';

const SECRET_KEY = 'only for these tests: thirty-two characters';
const ACCOUNT = { user: 'tienda', pass: 'la buena' };

let database: Awaited<ReturnType<typeof emptyBeside>>;
let folder: string;
/** Database of the version before migration 093, which fails because its table `topes` exists. */
beforeAll(async () => {
  database = await emptyBeside(inject('postgresTemplate'));
  folder = mkdtempSync(join(tmpdir(), 'enruta-failed-'));
  const { db, close } = openPostgres(database.url, () => {});
  await migrateDatabase(db, '092-company-logo');
  await close();
  await query(database.url, 'CREATE TABLE topes (clase text)');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const store = (settings: object) =>
  query(
    database.url,
    `UPDATE settings SET data = data - 'failedMigrationTold' || '${JSON.stringify({
      emailNotifications: true,
      technicalMail: 'ana@servidor.es, eva@servidor.es',
      companyEmail: 'tienda@tienda.es',
      smtpHost: '127.0.0.1',
      smtpUser: ACCOUNT.user,
      secrets: { smtpPassword: encrypt(SECRET_KEY, ACCOUNT.pass) },
      ...settings,
    })}'`,
  );

/** Starts the program as an upgrade does, and resolves with its exit code and stderr. */
async function start(): Promise<{ code: number | null; output: string }> {
  const env = { ...childEnv(), DATA_DIR: folder, DATABASE_URL: database.url, SECRET_KEY, PORT: '0' };
  const child = spawn(process.execPath, ['server/main.ts', '--dev'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
const FAILED = /^La base de datos no se ha podido actualizar a esta versión \(093-bounds: .*«?topes.*\)\. No ha cambiado nada/;

test('a failed migration is mailed to the technical addresses once per version, however often the program restarts', async () => {
  const box = await openLetterbox(ACCOUNT);
  await store({ smtpPort: box.port });
  for (let n = 0; n < 2; n += 1) expect(await start()).toEqual({ code: 1, output: expect.stringMatching(FAILED) });
  expect(box.letters.map(({ to }) => to).toSorted()).toEqual(['ana@servidor.es', 'eva@servidor.es']);
  expect(box.letters[0]?.body).toContain(VERSION);
  expect(box.letters[0]?.body).toContain('093-bounds, 42P07');
  await query(database.url, `UPDATE settings SET data = data || '{"failedMigrationTold": "0.1.9"}'`);
  await mailAgain();
  expect(box.letters, 'another version tells again').toHaveLength(4);
  await box.close();
});

test('a mail that cannot be sent leaves the error message unchanged, and the next start tries again', async () => {
  const box = await openLetterbox(ACCOUNT);
  await store({ smtpPort: 1 });
  expect(await start()).toEqual({ code: 1, output: expect.stringMatching(FAILED) });
  await query(database.url, `UPDATE settings SET data = data || '{"smtpPort": ${box.port}}'`);
  await mailAgain();
  expect(box.letters).toHaveLength(2);
  await store({ secrets: { smtpPassword: 'not of this key' }, smtpPort: box.port });
  await mailAgain();
  await store({ smtpPort: box.port, emailNotifications: false });
  await mailAgain();
  expect(box.letters, 'an unreadable secret, and mail that is off').toHaveLength(2);
  await box.close();
});

/** Mails the failure again, as a second failed start does. */
async function mailAgain(): Promise<void> {
  const { db, close } = openPostgres(database.url, () => {});
  await mailFailedMigration(new MigrationFailed('093-bounds', new Error('again')), { db, secretKey: SECRET_KEY, log: createLog('silent') });
  await close();
}
