import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../test/world.ts';
import { buildApp } from '../app.ts';
import { checkPublicAddress } from '../commands/doctor.ts';
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

it('«doctor» says whether the proxy of PUBLIC_URL is trusted, and only the holder of the key learns how requests arrive', async () => {
  const SECRET_KEY = 'x'.repeat(32);
  const through = async (TRUST_PROXY: string, forwarded?: string) => {
    const config = readConfig({ SECRET_KEY, TRUST_PROXY });
    const app = await buildApp({ ...world.process, config });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const proxy = createServer((asked, answer) => {
      const headers = { ...asked.headers, ...(forwarded && { 'x-forwarded-for': forwarded }) };
      asked.pipe(request({ port, path: asked.url, headers }, (got) => got.pipe(answer.writeHead(got.statusCode ?? 0, got.headers))));
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const publicUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const [, found] = await checkPublicAddress({ ...config, publicUrl });
    const stranger = await fetch(`${publicUrl}/api/version`, { headers: { 'enruta-arrival': 'x' } });
    expect(stranger.headers.get('enruta-arrival')).toBe(null);
    proxy.close();
    await app.close();
    return found;
  };
  expect((await through('', '203.0.113.1'))?.bad).toMatch(/llega desde 127\.0\.0\.1, que no está: añádela/);
  expect(await through('127.0.0.1', '203.0.113.1')).toEqual({
    what: expect.stringMatching(/^TRUST_PROXY: el proxy de .* está$/),
    bad: undefined,
  });
  expect(await through('')).toEqual({ what: 'TRUST_PROXY', bad: undefined });
});
