import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sentenceOfNoAnswer } from './no-answer.ts';

const server = createServer((request, response) => {
  if (request.url === '/elsewhere') response.writeHead(302, { location: '/' }).end();
  else request.socket.end(request.url === '/nonsense' ? 'no es HTTP\r\n\r\n' : '');
});
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => void server.close());

test.each([
  ['closes the line', '/closes', 'Ha cortado la conexión'],
  ['sends to another address', '/elsewhere', 'No se entiende lo que ha respondido'],
  ['answers nonsense', '/nonsense', 'No se entiende lo que ha respondido'],
])('a server that %s is reported in Spanish', async (_, path, sentence) => {
  const { port } = server.address() as AddressInfo;
  const error = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'error' }).catch((error: unknown) => error);
  expect(sentenceOfNoAnswer(error)).toBe(sentence);
});

test('our own sentence is kept', () => expect(sentenceOfNoAnswer(new Error('La tienda no tiene clave'))).toBe('La tienda no tiene clave'));
