import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBucket } from './bucket.ts';
import { diskFiles, s3Files } from './open-files.ts';
import { FileChanged, type Files } from './store.ts';

const BYTES = Buffer.from([0, 255, 13, 10, 128, 1]);
const nameOf = (bytes: Buffer) => `00000000-0000-4000-8000-000000000000/${createHash('sha256').update(bytes).digest('hex')}.png`;
const NAME = nameOf(BYTES);
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=clave\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/;

/** Starts a bucket in memory, which refuses unsigned requests. */
async function bucket() {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  let broken = false;
  const server: Server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    void buffer(request).then((body) => {
      asked.push(`${method} ${url}`);
      if (broken) return response.writeHead(500).end();
      if (!SIGNED.test(headers.authorization ?? '') || !headers['x-amz-date']) return response.writeHead(403).end();
      if (method === 'PUT') objects.set(url, body);
      const found = objects.get(url);
      if (method === 'DELETE') objects.delete(url);
      if (method === 'GET' && !found) return response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      return response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? found : undefined);
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { endpoint, asked, breakIt: () => (broken = true), mend: () => (broken = false), close: () => server.close() };
}

const folder = mkdtempSync(join(tmpdir(), 'enruta-files-'));
let s3: Awaited<ReturnType<typeof bucket>>;
beforeAll(async () => {
  s3 = await bucket();
});
afterAll(() => {
  s3.close();
  rmSync(folder, { recursive: true });
});
const s3Store = (secretAccessKey = 'secreta') =>
  s3Files({ endpoint: s3.endpoint, bucket: 'pruebas', region: 'eu-west-1', accessKeyId: 'clave', secretAccessKey });
const STORES: [string, () => Files][] = [
  ['the disk', () => diskFiles(join(folder, 'pruebas'))],
  ['a bucket', s3Store],
];

describe.each(STORES)('%s', (_, open) => {
  it('a store returns a file until it is removed, and detects changed bytes', async () => {
    const files = open();
    expect(await files.get(NAME)).toBeUndefined();
    await files.put(NAME, BYTES);
    expect(await files.get(NAME)).toEqual(BYTES);
    await files.put(NAME, Buffer.from('otra'));
    await expect(files.get(NAME), 'other bytes than the name says').rejects.toThrow(FileChanged);
    await files.remove(NAME);
    await files.remove(NAME);
    expect(await files.get(NAME)).toBeUndefined();
  });

  it.each(['../../etc/passwd', `${NAME}/..`, 'a.png', NAME.replace('png', 'html')])('a store refuses the name %s', async (name) => {
    const files = open();
    for (const act of [() => files.put(name, BYTES), () => files.get(name), () => files.remove(name)])
      await expect((async () => act())()).rejects.toThrow('Not a name');
  });
});

it('a file on disk is readable only by its owner, and no draft is left', async () => {
  await diskFiles(join(folder, 'pruebas')).put(NAME, BYTES);
  const at = join(folder, 'pruebas', NAME);
  expect(statSync(at).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(at, '..'))).toHaveLength(1);
});

it('a file in a bucket is stored under its name, and a failing service is not a missing file', async () => {
  const files = s3Store();
  await files.put(NAME, BYTES);
  expect(s3.asked.at(-1)).toBe(`PUT /pruebas/${NAME}`);
  s3.breakIt();
  await expect(files.get(NAME)).rejects.toThrow('500');
  await expect(files.put(NAME, BYTES)).rejects.toThrow('500');
  s3.mend();
  expect(await files.get(NAME)).toEqual(BYTES);
}, 20_000);

describe('an untrustworthy bucket', () => {
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let server: Server;
  let bucketOf: () => ReturnType<typeof openBucket>;
  beforeAll(async () => {
    server = createServer((request, response) => void buffer(request).then(() => answer(request, response)));
    await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    bucketOf = () =>
      openBucket({ endpoint, bucket: 'x', region: 'auto', accessKeyId: 'a', secretAccessKey: 'b' }, { small: 300, large: 300 });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('a bucket that sends no response, or only part of one, times out', async () => {
    answer = () => {};
    await expect(bucketOf().put('a', BYTES)).rejects.toThrow('no ha contestado en 300 ms');
    answer = (_, response) => void response.writeHead(200).write('x');
    await expect(bucketOf().get('a', 10)).rejects.toThrow('no ha contestado en 300 ms');
  });

  it('a bucket cannot redirect a request', async () => {
    const asked: string[] = [];
    answer = ({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(url === '/other' ? 200 : 307, { location: '/other' }).end();
    };
    await expect(bucketOf().put('a', BYTES)).rejects.toThrow('no se alcanza');
    expect(asked).not.toContain('/other');
  });

  it('a bucket cannot send more bytes than the limit', async () => {
    answer = (_, response) => void response.writeHead(200).end(Buffer.alloc(5000));
    await expect(bucketOf().get('a', 1000)).rejects.toThrow('más de 1000 bytes');
  });

  it('a missing bucket is an error, not a missing file', async () => {
    answer = (_, response) => void response.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    for (const act of [() => bucketOf().get('a', 10), () => bucketOf().remove('a')])
      await expect(act()).rejects.toThrow('no existe con ese nombre');
    answer = (_, response) => void response.writeHead(404).end('<html>not here</html>');
    await expect(bucketOf().remove('a')).rejects.toThrow('404');
  });

  it('an upload fails if the bucket returns other bytes', async () => {
    const path = join(folder, 'copia');
    writeFileSync(path, BYTES);
    answer = ({ method }, response) => void response.writeHead(200).end(method === 'GET' ? 'other' : '');
    await expect(bucketOf().upload('a', path)).rejects.toThrow('otros bytes');
    answer = ({ method }, response) => void response.writeHead(200).end(method === 'GET' ? BYTES : '');
    await bucketOf().upload('a', path);
  });
});
