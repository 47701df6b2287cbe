import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { PushRequest, Send } from '../server/push/push.job.ts';

export type Arrived = { path: string; headers: Record<string, string | string[] | undefined>; payload: Record<string, string> };
export type PushService = Awaited<ReturnType<typeof openPushService>>;

/** A push service (RFC 8030) that stores received pushes, with its subscribed browsers (RFC 8291, 8292). */
export async function openPushService() {
  const arrived: Arrived[] = [];
  const browsers = new Map<string, Browser>();
  const answers = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? '';
    const status = answers.get(path) ?? 201;
    if (status === 201) {
      checkVapid(request.headers.authorization ?? '');
      arrived.push({ path, headers: request.headers, payload: decrypt(Buffer.concat(chunks), browsers.get(path)) });
    }
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  return {
    arrived,
    /** Bodies shown by the browser of this subscription. */
    shownBy: ({ endpoint }: { endpoint: string }) =>
      arrived.filter(({ path }) => path === new URL(endpoint).pathname).map(({ payload }) => payload.body),
    /** Subscribes a new browser. */
    subscribe: () => {
      const browser = { pair: createECDH('prime256v1'), auth: randomBytes(16) };
      browser.pair.generateKeys();
      const path = `/send/${randomBytes(8).toString('hex')}`;
      browsers.set(path, browser);
      const keys = { p256dh: browser.pair.getPublicKey('base64url'), auth: browser.auth.toString('base64url') };
      return { endpoint: `${ORIGIN}${path}`, keys };
    },
    /** Sets the status returned for this subscription from now on; 201 means accepted. */
    answer: ({ endpoint }: { endpoint: string }, status: number) => void answers.set(new URL(endpoint).pathname, status),
    /** Sender for tests: plain HTTP to this service, whatever the endpoint. */
    send: (async ({ endpoint, headers, body }: PushRequest) => {
      const { pathname } = new URL(endpoint);
      return (await fetch(`http://127.0.0.1:${port}${pathname}`, { method: 'POST', headers, body: Buffer.from(body) })).status;
    }) satisfies Send,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const ORIGIN = 'https://push.example.com';
type Browser = { pair: ReturnType<typeof createECDH>; auth: Buffer };

function decrypt(body: Buffer, browser: Browser | undefined): Record<string, string> {
  if (!browser) throw new Error('nobody subscribed here');
  const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (secret: Buffer, from: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.pair.getPublicKey(), sender]);
  const shared = derive(browser.pair.computeSecret(sender), browser.auth, info, 32);
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const cipher = createDecipheriv('aes-128-gcm', key, derive(shared, salt, 'Content-Encoding: nonce\0', 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  // The last record ends with a 2 followed by padding.
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8'));
}

/** Throws unless the sender signed for this service with the key in the header. */
function checkVapid(authorization: string): void {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (!signed || aud !== ORIGIN || exp * 1000 < Date.now() || !/^(mailto|https):/.test(sub)) throw new Error(`not signed: ${claims}`);
}
