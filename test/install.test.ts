import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const UNSHARE = ['--mount', '--net', '--pid', '--fork', '--kill-child'];
const can = (command: string, args: string[]) => spawnSync(command, args).status === 0;

/** The first script that docs/operating.md gives under «Installing». */
function script(): string {
  const [, block = ''] = /^## Installing$.*?```sh\n(.*?)```/ms.exec(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')) ?? [];
  return block;
}

test.skipIf(process.env.TEST_DATABASE === 'postgres')(
  'the script of docs/operating.md leads from a release to a service behind a proxy, with https and a verified backup',
  (context) => {
    if (!can('unshare', [...UNSHARE, 'true'])) return context.skip('only root may make a copy of the machine to install in');
    for (const program of ['nginx', 'setpriv', 'openssl', 'ip']) if (!can('which', [program])) return context.skip(`no ${program} here`);
    const folder = mkdtempSync(join(tmpdir(), 'enruta-install-'));
    try {
      execFileSync(process.execPath, ['deploy/release.ts', folder, '--no-tarball'], { cwd: ROOT });
      const [name = ''] = readdirSync(folder);
      const tarball = join(folder, `${name}.tar.gz`);
      execFileSync('tar', ['--create', '--use-compress-program=gzip -1', '--file', tarball, '--directory', folder, name]);
      writeFileSync(join(folder, 'script'), script());
      mkdirSync(join(folder, 'room'));
      const visit = [process.execPath, join(ROOT, 'test/install/visit.ts')];
      const inRoom = [join(ROOT, 'test/install/room.sh'), join(folder, 'room'), ROOT, tarball, join(folder, 'script'), ...visit];
      const { stdout, stderr, status } = spawnSync('unshare', [...UNSHARE, ...inRoom], { encoding: 'utf8', timeout: 280_000 });
      expect({ status, stderr: status ? stderr : '' }).toEqual({ status: 0, stderr: '' });
      expect(stderr).toMatch(/^.*https:\/\/pedidos\.tienda\.es\/primer-acceso\/\S+$/m);
      expect(JSON.parse(stdout)).toEqual({
        page: 200,
        https: expect.stringContaining('max-age='),
        made: [201, 201],
        backups: [['verificada', 'restaurada']],
        files: 1,
        rights: '700',
        user: '61184',
        warnings: [],
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
