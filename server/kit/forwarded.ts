import type { FastifyInstance } from 'fastify';
import { fingerprint } from './secrets.ts';

// Bounds the memory that many senders of forged headers can take.
const MAX_WARNED = 100;

/** Header in which `doctor` asks how its own request arrived, and the answer: `directo`, `de confianza`, or the address of an untrusted proxy. */
export const ARRIVED = 'enruta-arrival';
/** Value of the question: only the holder of `SECRET_KEY` learns how the shop is reached. */
export const arrivalKey = (secretKey: string): string => fingerprint(`${secretKey} arrival`);

/** Warns once per untrusted proxy that sends `X-Forwarded-For`: all its users count as one address in throttle and audit log. */
export function warnOfUntrustedProxies(app: FastifyInstance, secretKey: string): void {
  const warned = new Set<string>();
  const asked = arrivalKey(secretKey);
  app.addHook('onRequest', (request, reply, done) => {
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    const { remoteAddress = '' } = request.socket;
    // Fastify fills `ips` from the header only for trusted proxies.
    const isTrusted = (request.ips?.length ?? 1) > 1;
    if (request.headers[ARRIVED] === asked) reply.header(ARRIVED, !isForwarded ? 'directo' : isTrusted ? 'de confianza' : remoteAddress);
    if (isForwarded && !isTrusted) {
      if (!warned.has(remoteAddress) && warned.size < MAX_WARNED) {
        warned.add(remoteAddress);
        app.log.warn(
          `Llegan peticiones con X-Forwarded-For desde ${remoteAddress}, que no está en TRUST_PROXY: quienes entran por ahí cuentan todos como una sola dirección. Si es tu proxy, añádelo a TRUST_PROXY.`,
        );
      }
    }
    done();
  });
}
