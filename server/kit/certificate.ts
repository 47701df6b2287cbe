import { connect } from 'node:tls';
import { DomainError } from './errors.ts';

const DAYS = 14;
const PATIENCE_MS = 10_000;

/** Throws if the certificate at the public address ends within two weeks. An address that is not reached from here says nothing of it. */
export async function checkCertificate(publicUrl: string | undefined, look = endOf, now = Date.now()): Promise<void> {
  if (!publicUrl?.startsWith('https:')) return;
  const until = await look(new URL(publicUrl)).catch(() => undefined);
  if (until === undefined || until > now + DAYS * 86_400_000) return;
  const days = Math.max(0, Math.floor((until - now) / 86_400_000));
  throw new DomainError(503, `el certificado de ${publicUrl} caduca en ${days} días`);
}

/** Milliseconds at which the certificate ends, whoever signed it. */
function endOf({ hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}
