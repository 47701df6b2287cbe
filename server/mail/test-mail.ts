import type { Answer } from '../../contract/kit.ts';
import type { testMail as endpoint } from '../../contract/settings.ts';
import type { Db } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { readSecret, readSettings } from '../settings/settings.ts';
import { handshake } from './send.ts';

/** Tests the configured mail server. Throws 422 for missing settings and 409 for the server's own error. */
export async function testMail(db: Db, secretKey: string): Promise<Answer<typeof endpoint>['data']> {
  const settings = await readSettings(db);
  if (settings.emailProvider === 'smtp' && (!settings.smtpHost || !settings.smtpUser)) {
    throw new DomainError(422, 'Indica y guarda el servidor y el usuario SMTP antes de probar', {
      errors: { smtpHost: ['Obligatorio para probar'] },
    });
  }
  const account = {
    ...settings,
    smtpPassword: await readSecret(db, secretKey, 'smtpPassword'),
    apiKey: await readSecret(db, secretKey, 'apiKey'),
  };
  const begun = performance.now();
  try {
    await handshake(account);
  } catch (error) {
    throw new DomainError(409, `El servidor de correo no aceptó la conexión: ${error instanceof Error ? error.message : error}`);
  }
  return [
    { nombre: 'Servidor', valor: settings.emailProvider === 'smtp' ? `${settings.smtpHost}:${settings.smtpPort}` : settings.emailProvider },
    { nombre: 'Respuesta', valor: `${Math.round(performance.now() - begun)} ms` },
  ];
}
