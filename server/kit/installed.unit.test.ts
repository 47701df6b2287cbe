import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addInstalledSettings } from './installed.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'enruta-unit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const unit = () => join(folder, 'enruta.service');

describe('the settings of the installed service', () => {
  it('the settings of the installed service come from unit, drop-ins, environment files and credentials', () => {
    const file = join(folder, 'enruta.env');
    writeFileSync(
      unit(),
      `[Service]\nEnvironmentFile=-${file}\nEnvironmentFile=-${folder}/none\nEnvironment=DATA_DIR=/var/lib/enruta PORT=3000\n`,
    );
    mkdirSync(join(folder, 'enruta.service.d'));
    writeFileSync(
      join(folder, 'enruta.service.d/key.conf'),
      'LoadCredential=secret-key:/etc/enruta/key\nEnvironment="SECRET_KEY_FILE=%d/secret-key"\n',
    );
    writeFileSync(file, '# ours\nPUBLIC_URL="https://pedidos.tienda.es"\nPORT=4000\n');
    const env: NodeJS.ProcessEnv = { LOG_LEVEL: 'debug' };
    expect(addInstalledSettings(env, unit())).toBe(`Con los ajustes del servicio: ${unit()}, ${file}`);
    expect(env).toEqual({
      ...{ LOG_LEVEL: 'debug', DATA_DIR: '/var/lib/enruta', PORT: '4000', PUBLIC_URL: 'https://pedidos.tienda.es' },
      SECRET_KEY_FILE: '/etc/enruta/key',
    });
  });

  it('the settings of the installed service are not used if the caller chooses a shop', () => {
    const env: NodeJS.ProcessEnv = { DATA_DIR: '/elsewhere' };
    expect(addInstalledSettings(env, unit())).toBeUndefined();
    writeFileSync(unit(), 'Environment=DATABASE_URL=postgres://x/y');
    expect(addInstalledSettings(env, unit())).toBeUndefined();
    expect(env).toEqual({ DATA_DIR: '/elsewhere' });
  });
});
