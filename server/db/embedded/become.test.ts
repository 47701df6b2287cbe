import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migratedFolder } from '../../../test/data-folder.ts';
import { until } from '../../../test/until.ts';

/* Commands by root beside a service of another user, as on the day of a disaster. */

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
  return { status, said: stdout + stderr };
};
const ofRoot = () => readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).uid === 0);

describe.runIf(process.getuid?.() === 0)('a command of root in the folder of a service', () => {
  it('leaves only files of the service, also when it is killed, and the service starts', async () => {
    const child = spawn(process.execPath, ['server/enruta.ts', 'migrate'], { env: env(), stdio: 'ignore' });
    await until(
      () => existsSync(join(dataDir, 'socket/.s.PGSQL.5432')),
      () => 'not reached',
      60,
    );
    child.kill('SIGKILL');
    expect(ofRoot()).toEqual([]);
    expect(enruta(['migrate'], NOBODY)).toEqual({ status: 0, said: 'La base de datos está al día.\n' });
  });

  it('reads what root may read, such as a backup in its own folder', async () => {
    expect(enruta(['migrate'])).toEqual({ status: 0, said: expect.any(String) });
    const closed = join(root, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    writeFileSync(join(closed, 'copia.jsonl.gz.enc'), 'none', { mode: 0o600 });
    const restore = ['restore', join(closed, 'copia.jsonl.gz.enc')];
    expect(enruta(restore, NOBODY).said).toMatch(/no tiene permiso/);
    expect(enruta(restore).said).not.toMatch(/no tiene permiso/);
  });

  it('hands over what an earlier one left: lock, socket and secret', async () => {
    await migratedFolder(dataDir);
    spawnSync('chown', ['-R', 'nobody:', dataDir]);
    mkdirSync(join(dataDir, 'socket'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'socket/.s.PGSQL.5432'), '', { mode: 0o600 });
    writeFileSync(join(dataDir, 'enruta.lock'), '{"id":"x","pid":1}\n0', { mode: 0o600 });
    writeFileSync(join(dataDir, 'secret.key'), 'a'.repeat(64), { mode: 0o600 });
    expect(enruta(['doctor'], NOBODY).said).toMatch(/secret\.key es de otro usuario.*chown --reference/);
    chownSync(join(dataDir, 'secret.key'), NOBODY.uid, NOBODY.gid);
    // The service takes over lock and socket by itself.
    expect(enruta(['doctor'], NOBODY).said).toContain('✓ PostgreSQL');
    writeFileSync(join(dataDir, 'secret.key'), 'a'.repeat(64), { mode: 0o600 });
    chownSync(join(dataDir, 'secret.key'), 0, 0);
    expect(enruta(['doctor']).said).toContain('✓ PostgreSQL');
    expect(ofRoot()).toEqual([]);
  });

  it('gives the folder of root itself to nobody: it is closed, and PostgreSQL is a user without a name', async () => {
    chownSync(dataDir, 0, 0);
    chmodSync(dataDir, 0o755);
    expect(enruta(['migrate']).status).toBe(0);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    const { uid } = statSync(join(dataDir, 'postgres'));
    expect(spawnSync('id', [String(uid)]).status).not.toBe(0);
    // Made by a version that ran it as `nobody`.
    spawnSync('chown', ['-R', 'nobody:', join(dataDir, 'postgres')]);
    expect(enruta(['migrate'])).toEqual({ status: 0, said: 'La base de datos está al día.\n' });
    expect(statSync(join(dataDir, 'postgres/base')).uid).toBe(uid);
  });
});
