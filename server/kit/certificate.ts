import { connect } from 'node:tls';
import { DomainError } from './errors.ts';

const DAYS = 14;
const PATIENCE_MS = 10_000;

/** Throws if the certificate of the public address expires within two weeks. Ignores an address that this machine cannot reach. */
export async function checkCertificate(publicUrl: string | undefined, look = endOf, now = Date.now()): Promise<void> {
  if (!publicUrl?.startsWith('https:')) return;
  const until = await look(new URL(publicUrl)).catch(() => undefined);
  if (until === undefined || until > now + DAYS * 86_400_000) return;
  const days = Math.max(0, Math.floor((until - now) / 86_400_000));
  throw new DomainError(503, `el certificado de ${publicUrl} caduca en ${days} días`);
}

/** Returns the expiry of the certificate in ms since 1970, even if the certificate is not trusted. */
const endOf = ({ hostname, port }: URL): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
