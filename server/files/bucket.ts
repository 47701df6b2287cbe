import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../kit/config.ts';

/** Timeouts in ms: for a whole small request, and for a large one without progress. */
const PATIENCE = { small: 15_000, large: 30_000 };
/** Bytes that the system may hold of an upload when all is sent, and the slowest line in bytes per ms. */
const UNSENT = { most: 4 * 2 ** 20, rate: 64 };
const TRIES = 3;
const MAX_ANSWER = 2_000_000;

export type Bucket = {
  put: (key: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the object; undefined if the bucket has no such key. Throws if it has more than `max` bytes, and for a missing bucket. */
  get: (key: string, max: number) => Promise<Buffer | undefined>;
  remove: (key: string) => Promise<void>;
  /** Lists the keys that begin with `prefix`, with the size in bytes. */
  list: (prefix: string) => Promise<{ key: string; size: number }[]>;
  /** Stores a file, then reads it back and compares its SHA-256; takes as long as there is progress. Deletes the object and throws if they differ. */
  upload: (key: string, path: string, signal?: AbortSignal) => Promise<void>;
  /** Writes the object to the file at `path`; returns false if there is no such object. */
  download: (key: string, path: string) => Promise<boolean>;
};

type Method = 'PUT' | 'GET' | 'DELETE';
type Asked = { body?: Uint8Array<ArrayBuffer> | Blob; sha256?: string; isLarge?: boolean; signal?: AbortSignal | undefined };
/** Postpones the timeout. */
type Progress = () => void;

/** Opens a bucket of an S3-compatible service. Limits time and size of each response, and follows no redirects: the service is not trusted. */
export function openBucket(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: NonNullable<Config['s3']>,
  limits = PATIENCE,
): Bucket {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const root = `${endpoint.replace(/\/+$/, '')}/${bucket}`;

  /** Sends a request and returns `read` of the response, within the timeout. Retries after server errors, 429 and lost connections. */
  async function ask<T>(
    method: Method,
    path: string,
    read: (response: Response, progress: Progress) => Promise<T>,
    asked: Asked = {},
  ): Promise<T> {
    const { body, sha256, isLarge, signal } = asked;
    const unsent = body instanceof Blob ? Math.min(body.size, UNSENT.most) / UNSENT.rate : 0;
    const patience = Math.round(isLarge ? limits.large + unsent : limits.small);
    const problem = (what: string, cause?: unknown) => new StoreError(`${what} (${method} ${decodeURIComponent(path)})`, cause);
    for (let attempt = 1; ; attempt += 1) {
      // Workaround: the signal of a Request, which aws4fetch would create, is lost to the garbage collector.
      const ends = new AbortController();
      const end = () => ends.abort();
      const timer = setTimeout(end, patience);
      const progress = () => void (isLarge && timer.refresh());
      signal?.addEventListener('abort', end);
      try {
        signal?.throwIfAborted();
        const { headers } = await client.sign(`${root}${path}`, { method, headers: sha256 ? { 'X-Amz-Content-Sha256': sha256 } : {} });
        const sent = body instanceof Blob ? streamOf(body, headers, progress) : body && { body };
        const response = await fetch(`${root}${path}`, { method, headers, signal: ends.signal, redirect: 'error', ...sent });
        if (response.status < 500 && response.status !== 429) return await read(response, progress);
        await response.body?.cancel();
        if (attempt >= TRIES) throw problem(`ha contestado ${response.status}`);
      } catch (error) {
        if (error instanceof StoreError || attempt >= TRIES || ends.signal.aborted)
          throw error instanceof StoreError
            ? error
            : problem(ends.signal.aborted ? `no ha contestado en ${patience} ms` : 'no se alcanza', error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
      }
      await wait(300 * attempt);
    }
  }

  const digestOf = (path: string, signal: AbortSignal | undefined) =>
    ask(
      'GET',
      path,
      async (response, progress) => {
        if (!(await found(response))) return undefined;
        const hash = createHash('sha256');
        for await (const chunk of response.body ?? []) {
          progress();
          hash.update(chunk);
        }
        return hash.digest('hex');
      },
      { isLarge: true, signal },
    );
  const remove = (key: string) =>
    ask('DELETE', at(key), async (response) => void (response.ok ? await response.body?.cancel() : await found(response)));

  return {
    put: (key, bytes) => ask('PUT', at(key), done('PUT'), { body: new Uint8Array(bytes), sha256: sha256Of(bytes) }),
    get: (key, max) => ask('GET', at(key), async (response) => ((await found(response)) ? limited(response, max) : undefined)),
    remove,
    list: async (prefix) => {
      const all: { key: string; size: number }[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix, ...(next && { 'continuation-token': next }) });
        const xml = await ask('GET', `?${query}`, async (response) => {
          const answer = await limited(response, MAX_ANSWER, true);
          if (!response.ok) throw problemOf('GET', response, answer);
          return answer;
        });
        for (const [, entry = ''] of xml.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          all.push({ key: fieldOf(entry, 'Key') ?? '', size: Number(fieldOf(entry, 'Size')) });
        next = fieldOf(xml, 'IsTruncated') === 'true' ? fieldOf(xml, 'NextContinuationToken') : undefined;
      }
      return all;
    },
    upload: async (key, path, signal) => {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk);
      const sha256 = hash.digest('hex');
      await ask('PUT', at(key), done('PUT'), { body: await openAsBlob(path), sha256, isLarge: true, signal });
      if ((await digestOf(at(key), signal)) === sha256) return;
      await remove(key);
      throw new StoreError(`devuelve otros bytes que los que se le dieron (${key})`);
    },
    download: (key, path) =>
      ask(
        'GET',
        at(key),
        async (response, progress) => {
          if (!(await found(response))) return false;
          const file = await open(path, 'w', 0o600);
          try {
            for await (const chunk of response.body ?? []) {
              progress();
              await file.write(chunk);
            }
            await file.sync();
          } catch (error) {
            await rm(path, { force: true });
            throw error;
          } finally {
            await file.close();
          }
          return true;
        },
        { isLarge: true },
      ),
  };
}

/** Failure of the file store, in Spanish, for operators. */
export class StoreError extends Error {
  constructor(what: string, cause?: unknown) {
    super(`El cubo ${what}`, { cause });
  }
}

/** Streams a file with its length, because many services refuse uploads without a length. */
function streamOf(blob: Blob, headers: Headers, progress: Progress) {
  headers.set('content-length', String(blob.size));
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, stream) => {
      progress();
      stream.enqueue(chunk);
    },
  });
  return { body: blob.stream().pipeThrough(counted), duplex: 'half' as const };
}

const done = (method: Method) => async (response: Response) => {
  const answer = await limited(response, MAX_ANSWER, true);
  if (!response.ok) throw problemOf(method, response, answer);
};
/** Returns true if the object exists, false if the key does not. Throws for other responses. */
async function found(response: Response): Promise<boolean> {
  if (response.ok) return true;
  const answer = await limited(response, MAX_ANSWER, true);
  // Checks the code, because a missing bucket is also a 404, and would make every file count as deleted.
  if (response.status === 404 && answer.includes('<Code>NoSuchKey</Code>')) return false;
  throw problemOf('GET', response, answer);
}
const at = (key: string) => `/${key.split('/').map(encodeURIComponent).join('/')}`;
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function problemOf(method: Method, { status }: Response, answer: string): StoreError {
  const code = /<Code>(\w+)<\/Code>/.exec(answer)?.[1];
  return new StoreError(
    code === 'NoSuchBucket' ? 'no existe con ese nombre (S3_BUCKET)' : `ha contestado ${status}${code ? ` (${code})` : ''} a ${method}`,
  );
}

function fieldOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

async function limited(response: Response, max: number): Promise<Buffer>;
async function limited(response: Response, max: number, asText: true): Promise<string>;
async function limited(response: Response, max: number, asText?: true): Promise<Buffer | string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Throwing leaves the loop, which cancels the rest of the response.
    if (size > max) throw new StoreError(`ha contestado más de ${max} bytes`);
    chunks.push(chunk);
  }
  const all = Buffer.concat(chunks);
  return asText ? all.toString() : all;
}
