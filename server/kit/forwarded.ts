import type { FastifyInstance } from 'fastify';

// Bounds the memory that many senders of forged headers can take.
const MAX_WARNED = 100;

/** Warns once per untrusted proxy that sends `X-Forwarded-For`: all its users count as one address in throttle and audit log. */
export function warnOfUntrustedProxies(app: FastifyInstance): void {
  const warned = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify fills `ips` from the header only for trusted proxies.
    if (request.headers['x-forwarded-for'] !== undefined && (request.ips?.length ?? 1) < 2) {
      const { remoteAddress = '' } = request.socket;
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
