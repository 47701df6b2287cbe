import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../server/kit/config.ts';

/** An S3-compatible service in this process, with one bucket; answers 503 while `broken`, and nothing while `silent`. */
export async function startBucket() {
  const objects = new Map<string, Buffer>();
  const state = { broken: false, silent: false };
  const name = 'enruta';
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (state.silent) return;
      if (state.broken) return response.writeHead(503).end();
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket');
      const key = decodeURIComponent(pathname.slice(name.length + 2));
      if (request.method === 'PUT') objects.set(key, body);
      if (request.method === 'DELETE') objects.delete(key);
      if (request.method !== 'GET') return response.writeHead(request.method === 'DELETE' ? 204 : 200).end();
      if (searchParams.has('list-type')) return response.end(listed(objects, searchParams.get('prefix') ?? ''));
      const found = objects.get(key);
      return found ? response.end(found) : response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    });
  });
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const s3: NonNullable<Config['s3']> = { endpoint, bucket: name, region: 'auto', accessKeyId: 'clave', secretAccessKey: 'secreta' };
  return {
    objects,
    state,
    s3,
    /** Access to the bucket, as environment variables of the program. */
    env: { S3_ENDPOINT: endpoint, S3_BUCKET: name, S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_KEY: s3.secretAccessKey },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function listed(objects: Map<string, Buffer>, prefix: string): string {
  const found = [...objects].filter(([key]) => key.startsWith(prefix)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const entries = found.map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${entries.join('')}</ListBucketResult>`;
}
