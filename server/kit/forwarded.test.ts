import { beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../log/log.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

it('an untrusted proxy is logged once, and a trusted proxy never', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  const asked = async (TRUST_PROXY: string) => {
    const config = readConfig({ SECRET_KEY: 'x'.repeat(32), TRUST_PROXY });
    const logged: string[] = [];
    const log = createLog('warn', { write: (line) => void logged.push(line) });
    const app = await buildApp({ ...world.process, config, log });
    await app.inject({ url: '/healthz' });
    expect(logged).toEqual([]);
    for (const remoteAddress of ['127.0.0.1', '127.0.0.1', '10.0.0.7']) await app.inject({ url: '/healthz', headers, remoteAddress });
    await app.close();
    return logged.map((line) => /desde (\S+), que no está en TRUST_PROXY/.exec(line)?.[1]);
  };
  expect(await asked('')).toEqual(['127.0.0.1', '10.0.0.7']);
  expect(await asked('10.0.0.0/8')).toEqual(['127.0.0.1']);
  expect(await asked('10.0.0.0/8, 127.0.0.1')).toEqual([]);
});
