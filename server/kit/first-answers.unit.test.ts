import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { dataBlock, firstAnswers } from './first-answers.ts';

const OPENED = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none', cookie: 'enruta=de-ana', 'accept-encoding': 'br' };
const ASKS = ['/yo', '/lista?pagina=1'];

/** A program of two calls, and the page that asks them; `headers` are those of the page's request. */
async function page(headers: Record<string, string>, hangs = false) {
  const app = Fastify();
  app.get('/yo', (request) => ({ cookie: request.headers.cookie, encoding: request.headers['accept-encoding'] ?? null }));
  app.get('/lista', async (request, reply) => {
    if (hangs) await new Promise<never>(() => undefined);
    reply.header('set-cookie', 'vista=1');
    return request.headers.cookie?.includes('ana') ? { texto: '</script><b>' } : reply.code(403).send({ message: 'No' });
  });
  app.get('/pagina', async (request: FastifyRequest, reply) => {
    const { answers, cookies } = await firstAnswers(app, request, ASKS, hangs ? 100 : 60_000);
    return reply.send({ block: dataBlock(answers), cookies });
  });
  const { block, cookies } = (await app.inject({ url: '/pagina', headers })).json<{ block: string; cookies: string[] }>();
  const [, json] = /^<script[^>]*>(.*)<\/script>$/.exec(block) ?? [];
  return { block, cookies, answers: json === undefined ? {} : JSON.parse(json) };
}

it('a page that a person opens has the first answers of its own session, uncompressed and with their cookies', async () => {
  for (const site of ['none', 'same-origin']) {
    const { answers, cookies } = await page({ ...OPENED, 'sec-fetch-site': site });
    expect(answers).toEqual({ '/yo': { cookie: 'enruta=de-ana', encoding: null }, '/lista?pagina=1': { texto: '</script><b>' } });
    expect(cookies).toEqual(['vista=1']);
  }
});

it('no text of an answer ends the data block', async () => {
  const { block } = await page(OPENED);
  expect(block.match(/<\//g)).toHaveLength(1);
});

it('what the API refuses is not in the page', async () => {
  const { answers, cookies } = await page({ ...OPENED, cookie: 'enruta=de-nadie' });
  expect(Object.keys(answers)).toEqual(['/yo']);
  expect(cookies).toEqual([]);
});

it('a page that another site opened, or that a script fetched, has no answers', async () => {
  for (const headers of [
    { ...OPENED, 'sec-fetch-site': 'cross-site' },
    { ...OPENED, 'sec-fetch-site': 'same-site' },
    { ...OPENED, 'sec-fetch-mode': 'cors' },
    { cookie: OPENED.cookie },
  ])
    expect((await page(headers as Record<string, string>)).block).toBe('');
});

it('a page does not wait for a slow answer', async () => {
  expect((await page(OPENED, true)).block).toBe('');
});
