import { expect, it } from 'vitest';
import { readBody } from './unanswered.ts';

const page = '<!doctype html><title>Wi-Fi</title><form><button>Entrar</button></form>';
const html = { 'content-type': 'text/html' };

it.each([
  ['a captive portal', new Response(page, { headers: html })],
  ['a portal that says JSON', new Response(page, { headers: { 'content-type': 'application/json' } })],
  ['a portal that answers with a word', new Response('"ok"')],
  ['an answer that was cut off', new Response('{"message":"Ped')],
  ['an empty answer', new Response('')],
  ['a proxy', new Response('<h1>502 Bad Gateway</h1>', { status: 502, headers: html })],
  ['a proxy that answers in JSON', new Response('{"error":"upstream"}', { status: 503 })],
])('%s is not taken for an answer of Enruta', async (_, response) => {
  expect(await readBody(response)).toBeUndefined();
});

it.each([
  [200, { data: [] }],
  [200, {}],
  [409, { message: 'El pedido ya está cancelado' }],
  [500, { message: 'Error interno. Inténtalo de nuevo.', code: 'internal' }],
])('a response with status %i and body %j is an answer of Enruta', async (status, body) => {
  expect((await readBody(new Response(JSON.stringify(body), { status })))?.body).toEqual(body);
});
