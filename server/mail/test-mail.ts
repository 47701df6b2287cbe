import type { Answer } from '../../contract/kit/endpoint.ts';
import type { testMail as endpoint } from '../../contract/settings/settings.ts';
import type { Db } from '../db/open.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import { sentenceOfNoAnswer } from '../kit/no-answer.ts';
import { readSecretSettings } from '../settings/settings.ts';
import { handshake, serverOf } from './send.ts';

/** Tests the stored mail settings. Throws 422 for missing settings, 409 with the server's error. */
export async function testMail(db: Db, secretKey: string): Promise<Answer<typeof endpoint>['data']> {
  const account = await readSecretSettings(db, secretKey);
  const { emailProvider, smtpHost, smtpUser } = account;
  if (emailProvider === 'smtp' && (!smtpHost || !smtpUser)) {
    throw new DomainError(422, 'Indica y guarda el servidor y el usuario SMTP antes de probar', {
      errors: { smtpHost: ['Obligatorio para probar'] },
    });
  }
  const secret = emailProvider === 'smtp' ? 'smtpPassword' : 'apiKey';
  if (!account[secret]) throw invalid(secret, `Escribe y guarda ${secret === 'apiKey' ? 'la clave API' : 'la contraseña'} antes de probar`);
  const begun = performance.now();
  try {
    await handshake(account);
  } catch (error) {
    throw new DomainError(409, `El servidor de correo no aceptó la conexión. ${sentenceOfNoAnswer(error)}.`);
  }
  return [
    { nombre: 'Servidor', valor: serverOf(account) },
    { nombre: 'Respuesta', valor: `${Math.round(performance.now() - begun)} ms` },
  ];
}
