import type { FastifyInstance } from 'fastify';

// Bounds what strangers who make the header up can fill.
const MAX_WARNED = 100;

/**
 * Warns once for each proxy whose `X-Forwarded-For` is not believed: everybody behind it counts as one address, in the
 * sign-in throttle and in the audit log.
 */
export function warnOfUntrustedProxies(app: FastifyInstance): void {
  const warned = new Set<string>();
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify adds the header's addresses to `ips` only when it believes the one that sent it.
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
