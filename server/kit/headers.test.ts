import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultErrorCode } from '../../contract/kit/errors.ts';
import { getVersion } from '../../contract/version/version.ts';
import { version } from '../../package.json';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
let port: number;
beforeAll(async () => {
  world = await createWorld({ PUBLIC_URL: 'https://pedidos.tienda.es' });
  port = Number(new URL(await world.app.listen({ port: 0, host: '127.0.0.1' })).port);
  return world.close;
});

/** Sends raw bytes, which no HTTP client would send, and reads until the server closes the connection. */
async function send(bytes: string) {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  const [status = '', ...headers] = head.split('\r\n');
  return { status: Number(status.split(' ')[1]), headers: headers.join('\n').toLowerCase(), body: JSON.parse(body) as { message: string } };
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

describe('every response has the security headers', () => {
  test.each<[string, number, string]>([
    ['a path of the API', 401, get('/api/user')],
    ['an unknown path', 404, get('/api/nada')],
    ['an unknown method', 404, get('/').replace('GET', 'TRACE')],
    ['an address that cannot be decoded', 400, get('/%zz')],
    ['an address with a part that is too long', 414, get(`/api/pedidos/${'a'.repeat(300)}`)],
    ['bytes that are not HTTP', 400, 'HOLA\r\n\r\n'],
    ['a body with two lengths', 400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['headers that are too long', 431, get('/').replace('Host', `Cookie: ${'a'.repeat(20_000)}\r\nHost`)],
  ])('the response to %s has the security headers', async (_, status, bytes) => {
    const answer = await send(bytes);
    expect([answer.status, answer.headers]).toEqual([status, expect.stringContaining('x-content-type-options: nosniff')]);
    expect(answer.headers).toMatch(/^content-security-policy: default-src .*object-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/m);
    expect(answer.headers).toMatch(/^strict-transport-security: max-age=31536000; includesubdomains/m);
    expect(answer.headers).toMatch(/^referrer-policy: same-origin/m);
    expect(answer.headers).toMatch(/^content-type: application\/json; charset=utf-8/m);
    expect(answer.headers).toMatch(/^x-request-id: [\w-]{36}$/m);
    // The message is a Spanish sentence without any part of the request.
    const message = expect.stringMatching(/^[A-ZÁÉÍÓÚ][a-zñáéíóú: ]+[^.]?$/);
    expect(answer.body).toEqual({ message, code: defaultErrorCode(status) });
  });
});

test.each(['/', '/api/user', '/favicon.svg', `/pagar/${'x'.repeat(43)}`])(
  '%s may be in no frame, by both headers, and use only the camera',
  async (path) => {
    const { headers } = await world.app.inject({ url: path });
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['permissions-policy']).toMatch(/^camera=\(self\), .*geolocation=\(\), microphone=\(\), payment=\(\)/);
  },
);

test('the version can be read without a session', async () => {
  const { status, body } = await world.nobody().call(getVersion);
  expect(status).toBe(200);
  // The version includes the commit if the tests run in a repository.
  expect(body.version).toMatch(new RegExp(`^${version.replaceAll('.', '[.]')}([+][0-9a-f]{7,})?$`));
});

test('HSTS is not sent unless the public address is https', async () => {
  const plain = await createWorld();
  try {
    const { headers } = await plain.nobody().request('GET', '/%zz');
    expect([headers['x-content-type-options'], headers['strict-transport-security']]).toEqual(['nosniff', undefined]);
  } finally {
    await plain.close();
  }
});
