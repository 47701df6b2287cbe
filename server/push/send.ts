import { lookup as resolve } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Uint8Array };
/** Returns the push service's status; throws when it did not respond. */
export type Send = (push: PushRequest) => Promise<number>;

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
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv6');

/** True for an IP address outside the public network, including IPv4 embedded in IPv6. */
export const isPrivate = (address: string): boolean => PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

// A public name may resolve to a private address. Checks it as part of the connection's own lookup, so that a second
// DNS response cannot differ from the checked one.
const publicOnly: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, []);
    const [first] = found;
    if (!first || found.some(({ address }) => isPrivate(address)))
      return callback(Object.assign(new Error(`${hostname} no es de la red pública`), { code: 'EACCES' }), []);
    if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });

/** Sends a push to its service: public addresses only, no redirects, response body ignored. */
export const sendPush: Send = ({ endpoint, headers, body }) =>
  new Promise((done, fail) => {
    const post = request(endpoint, { method: 'POST', headers, lookup: publicOnly, signal: AbortSignal.timeout(TIMEOUT_MS) }, (answer) => {
      answer.resume();
      done(answer.statusCode ?? 0);
    });
    post.on('error', fail);
    post.end(body);
  });
