import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskFiles } from './disk.ts';
import { s3Files } from './s3.ts';
import type { Files } from './store.ts';

const NAME = `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}/${'a'.repeat(64)}.png`;
const BYTES = Buffer.from([0, 255, 13, 10, 128, 1]);
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=clave\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/;

/** A bucket in memory, which refuses what is not signed. */
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
  it('returns what was put, over what was there, until it is removed', async () => {
    const files = open();
    expect(await files.get(NAME)).toBeUndefined();
    await files.put(NAME, BYTES);
    expect(await files.get(NAME)).toEqual(BYTES);
    await files.put(NAME, Buffer.from('otra'));
    expect((await files.get(NAME))?.toString()).toBe('otra');
    await files.remove(NAME);
    await files.remove(NAME);
    expect(await files.get(NAME)).toBeUndefined();
  });

  it.each(['../../etc/passwd', `${NAME}/..`, 'a.png', NAME.replace('png', 'html')])('refuses the name %s', async (name) => {
    const files = open();
    for (const act of [() => files.put(name, BYTES), () => files.get(name), () => files.remove(name)])
      await expect((async () => act())()).rejects.toThrow('Not a name');
  });
});

it('on the disk only the owner reads it, and no draft is left', async () => {
  await diskFiles(join(folder, 'pruebas')).put(NAME, BYTES);
  const at = join(folder, 'pruebas', NAME);
  expect(statSync(at).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(at, '..'))).toHaveLength(1);
});

it('in a bucket it has its path, and a failing service is an error, not a missing file', async () => {
  const files = s3Store();
  await files.put(NAME, BYTES);
  expect(s3.asked.at(-1)).toBe(`PUT /pruebas/${NAME}`);
  s3.breakIt();
  await expect(files.get(NAME)).rejects.toThrow('500');
  await expect(files.put(NAME, BYTES)).rejects.toThrow('500');
  s3.mend();
  expect(await files.get(NAME)).toEqual(BYTES);
}, 20_000);
