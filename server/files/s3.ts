import { AwsClient } from 'aws4fetch';
import type { Config } from '../kit/config.ts';
import { checkName, type Files } from './store.ts';

/** Milliseconds for one request. */
const PATIENCE = 15_000;

/** Files in a bucket of any S3-compatible service, addressed by path. */
export function s3Files({ endpoint, bucket, region, accessKeyId, secretAccessKey }: NonNullable<Config['s3']>): Files {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 });
  async function ask(method: 'PUT' | 'GET' | 'DELETE', name: string, body?: Uint8Array): Promise<Response> {
    const url = `${endpoint.replace(/\/+$/, '')}/${bucket}/${checkName(name)}`;
    // A copy, since the signature needs the bytes as an ArrayBuffer of their own.
    const sent = body && { body: new Uint8Array(body) };
    const response = await client.fetch(url, { method, signal: AbortSignal.timeout(PATIENCE), ...sent });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`The file store answered ${response.status} to ${method}`);
  }
  return {
    put: async (name, bytes) => {
      const response = await ask('PUT', name, bytes);
      await response.body?.cancel();
      if (!response.ok) throw new Error('The file store has no such bucket');
    },
    get: async (name) => {
      const response = await ask('GET', name);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return undefined;
    },
    remove: async (name) => void (await (await ask('DELETE', name)).body?.cancel()),
  };
}
