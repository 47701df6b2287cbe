import { lookup as resolve } from 'node:dns';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

const TIMEOUT_MS = 10_000;

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** True for an IP address outside the public network, including IPv4 embedded in IPv6. */
export const isPrivate = (address: string): boolean => PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Returns why a URL is refused, in Spanish: not https, or a private IP address. Returns undefined if the URL is allowed. */
export function urlRefusal(url: string): string | undefined {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:') return 'La dirección tiene que empezar por https://';
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) && isPrivate(host) ? notPublic(host) : undefined;
}

const notPublic = (host: string) => `${host} no es de la red pública`;

// Refuses names that resolve to a private address. Checks in the connection's own lookup, because a second lookup could differ.
const publicOnly: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const [first] = found;
    if (!first || found.some(({ address }) => isPrivate(address)))
      return callback(Object.assign(new Error(notPublic(hostname)), { code: 'EACCES' }), []);
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });

type Post = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Allows http and the private network. */
  anywhere?: boolean;
  timeoutMs?: number | undefined;
};

/** Posts to a user-chosen URL, without following redirects. Returns the status. Throws without a response, and for refused URLs. */
export const postToUrl = (sent: Post): Promise<number> =>
  open('POST', sent, (answer, done) => {
    answer.resume();
    done(answer.statusCode ?? 0);
  });

const MAX_ANSWER = 8 * 1024 * 1024;
/** Like `postToUrl`, by any method and with the body of the response. Throws also for a response beyond 8 MB. */
export const requestUrl = (method: string, sent: Post): Promise<{ status: number; text: string }> =>
  open(method, sent, (answer, done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_ANSWER) answer.destroy(new Error('La respuesta es demasiado grande'));
      else chunks.push(chunk);
    });
    answer.on('error', fail);
    answer.on('end', () => done({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
  });

type Read<T> = (answer: IncomingMessage, done: (value: T) => void, fail: (error: Error) => void) => void;

async function open<T>(method: string, { url, headers, body, anywhere = false, timeoutMs = TIMEOUT_MS }: Post, read: Read<T>): Promise<T> {
  const refusal = anywhere ? undefined : urlRefusal(url);
  if (refusal) throw new Error(refusal);
  const request = url.startsWith('https:') ? overHttps : overHttp;
  // Opens a new connection, because a kept-alive connection would skip the lookup.
  const options = { method, headers, agent: false, signal: AbortSignal.timeout(timeoutMs), ...(!anywhere && { lookup: publicOnly }) };
  return new Promise((done, fail) => {
    const sending = request(url, options, (answer) => read(answer, done, fail));
    sending.on('error', fail);
    sending.end(body);
  });
}
