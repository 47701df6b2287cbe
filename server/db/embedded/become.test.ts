import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migratedFolder } from '../../../test/data-folder.ts';
import { until } from '../../../test/until.ts';

/* Commands run by root in the data folder of another user's service, as in a recovery after a disaster. */

const NOBODY = { uid: 65_534, gid: 65_534 };
let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'enruta-become-'));
  chmodSync(root, 0o755);
  dataDir = join(root, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH, DATA_DIR: dataDir, HOME: root });
const enruta = (args: string[], as: object = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/enruta.ts', ...args], { env: env(), encoding: 'utf8', ...as });
  return { status, output: stdout + stderr };
};
const ofRoot = () => readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).uid === 0);

describe.runIf(process.getuid?.() === 0)('a command of root in the folder of a service', () => {
  it('a command of root leaves only files of the service’s user, even when killed, and the service starts', async () => {
    const child = spawn(process.execPath, ['server/enruta.ts', 'migrate'], { env: env(), stdio: 'ignore' });
    await until(
      () => existsSync(join(dataDir, 'socket/.s.PGSQL.5432')),
      () => 'not reached',
      60,
    );
    child.kill('SIGKILL');
    expect(ofRoot()).toEqual([]);
    expect(enruta(['migrate'], NOBODY)).toEqual({ status: 0, output: 'La base de datos está al día.\n' });
  });

  it('a command of root reads files that only root may read, such as a backup', async () => {
    expect(enruta(['migrate'])).toEqual({ status: 0, output: expect.any(String) });
    const closed = join(root, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    writeFileSync(join(closed, 'copia.jsonl.gz.enc'), 'none', { mode: 0o600 });
    const restore = ['restore', join(closed, 'copia.jsonl.gz.enc')];
    expect(enruta(restore, NOBODY).output).toMatch(/no tiene permiso/);
    expect(enruta(restore).output).not.toMatch(/no tiene permiso/);
  });

  it('a lock, a socket and a secret left by root are handed over to the service’s user', async () => {
    await migratedFolder(dataDir);
    spawnSync('chown', ['-R', 'nobody:', dataDir]);
    mkdirSync(join(dataDir, 'socket'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'socket/.s.PGSQL.5432'), '', { mode: 0o600 });
    writeFileSync(join(dataDir, 'enruta.lock'), '{"id":"x","pid":1}\n0', { mode: 0o600 });
    writeFileSync(join(dataDir, 'secret.key'), 'a'.repeat(64), { mode: 0o600 });
    expect(enruta(['doctor'], NOBODY).output).toMatch(/secret\.key es de otro usuario.*chown --reference/);
    chownSync(join(dataDir, 'secret.key'), NOBODY.uid, NOBODY.gid);
    // The service takes over the lock and the socket without root.
    expect(enruta(['doctor'], NOBODY).output).toContain('✓ PostgreSQL');
    writeFileSync(join(dataDir, 'secret.key'), 'a'.repeat(64), { mode: 0o600 });
    chownSync(join(dataDir, 'secret.key'), 0, 0);
    expect(enruta(['doctor']).output).toContain('✓ PostgreSQL');
    expect(ofRoot()).toEqual([]);
  });

  it('a folder of root is closed to others, and PostgreSQL runs there as a user without a name', async () => {
    chownSync(dataDir, 0, 0);
    chmodSync(dataDir, 0o755);
    expect(enruta(['migrate']).status).toBe(0);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const { uid } = statSync(join(dataDir, 'postgres'));
    expect(spawnSync('id', [String(uid)]).status).not.toBe(0);
    // Restores the owner set by a version that ran PostgreSQL as `nobody`.
    spawnSync('chown', ['-R', 'nobody:', join(dataDir, 'postgres')]);
    expect(enruta(['migrate'])).toEqual({ status: 0, output: 'La base de datos está al día.\n' });
    expect(statSync(join(dataDir, 'postgres/base')).uid).toBe(uid);
  });
});
