import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { compressAnswers } from './compress.ts';

const DATA = { data: Array.from({ length: 60 }, (_, n) => ({ n, producto: 'Aceite – Caja de 6' })) };
const OWN = { 'accept-encoding': 'gzip, deflate, br', 'sec-fetch-site': 'same-origin' };

function serve() {
  const app = Fastify();
  compressAnswers(app);
  app.get('/many', () => DATA);
  app.get('/few', () => ({ ok: true }));
  app.post('/many', () => DATA);
  app.get('/page', (_, reply) => reply.type('text/html; charset=utf-8').send('<p>Aceite</p>'.repeat(200)));
  return async (headers: Record<string, string>, url = '/many', method: 'GET' | 'POST' = 'GET') => {
    const { headers: answered, rawPayload } = await app.inject({ method, url, headers });
    return { encoding: answered['content-encoding'], length: answered['content-length'], rawPayload };
  };
}

it('responses to our own pages and programs are compressed as the client accepts', async () => {
  const ask = serve();
  const own = await ask(OWN);
  expect(own.encoding).toBe('br');
  expect(JSON.parse(brotliDecompressSync(own.rawPayload).toString())).toEqual(DATA);
  const zipped = await ask({ ...OWN, 'accept-encoding': 'gzip' });
  expect([zipped.encoding, zipped.length]).toEqual(['gzip', undefined].map((value) => value ?? String(zipped.rawPayload.length)));
  expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(DATA);
  expect((await ask({ 'accept-encoding': 'br', authorization: 'Bearer enr_x' })).encoding).toBe('br');
});

it('short responses, and responses to other sites or to writes, are not compressed', async () => {
  const ask = serve();
  for (const site of ['cross-site', 'same-site', 'none']) expect((await ask({ ...OWN, 'sec-fetch-site': site })).encoding).toBeUndefined();
  expect((await ask({ 'accept-encoding': 'br' })).encoding).toBeUndefined();
  expect((await ask(OWN, '/many', 'POST')).encoding).toBeUndefined();
  expect((await ask(OWN, '/few')).encoding).toBeUndefined();
  expect((await ask({ ...OWN, 'accept-encoding': 'identity' })).encoding).toBeUndefined();
});

it('pages are compressed if no other site can have opened them', async () => {
  const ask = serve();
  for (const site of ['same-origin', 'none']) expect((await ask({ ...OWN, 'sec-fetch-site': site }, '/page')).encoding).toBe('br');
  for (const site of ['cross-site', 'same-site']) expect((await ask({ ...OWN, 'sec-fetch-site': site }, '/page')).encoding).toBeUndefined();
});
