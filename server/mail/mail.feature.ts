import type { FastifyInstance } from 'fastify';
import type { Answer } from '../../contract/kit/endpoint.ts';
import type { testMail as endpoint } from '../../contract/settings/settings.ts';
import * as api from '../../contract/settings/settings.ts';
import type { Db } from '../db/open.ts';
import { type Config, sharedUrl } from '../kit/config.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { route } from '../kit/route.ts';
import { decrypt } from '../kit/secrets.ts';
import { deliverDue } from '../outbox/outbox.ts';
import { runDelivery } from '../outbox/undelivered.ts';
import { readSecretSettings } from '../settings/settings.ts';
import { checkMailServer, type Letter, sendLetter, smtpServer } from './send.ts';
import { LINK, mailDigest, withOrigin } from './template.ts';

/** E-mail: notifications at once or in digests. */
export const mailFeature: Feature = {
  name: 'mail',
  routes,
  jobs: ({ db, config }) => [{ name: 'correo', cron: '* * * * *', run: () => runDelivery(db, 'correo', () => sendDueMails(db, config)) }],
};

function routes(app: FastifyInstance, { db, config: { secretKey } }: Deps): void {
  route(app, api.testMail, async () => ({ message: 'Conexión exitosa', data: await testMail(db, secretKey) }));
}

/** Tests the stored mail settings. Throws 422 for missing settings, 409 with the server's error. */
async function testMail(db: Db, secretKey: string): Promise<Answer<typeof endpoint>['data']> {
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
    await checkMailServer(account);
  } catch (error) {
    throw new DomainError(409, `El servidor de correo no aceptó la conexión. ${sentenceOfNoAnswer(error)}.`);
  }
  return [
    { nombre: 'Servidor', valor: smtpServer(account) },
    { nombre: 'Respuesta', valor: `${Math.round(performance.now() - begun)} ms` },
  ];
}

/** Sends due mails one at a time; returns how many. A repeated mail keeps its Message-ID, so that clients deduplicate. */
export async function sendDueMails(db: Db, config: Pick<Config, 'secretKey' | 'publicUrl'>): Promise<number> {
  const account = await readSecretSettings(db, config.secretKey);
  const origin = sharedUrl(config);
  return deliverDue<Omit<Letter, 'id' | 'para'> & { enlace?: string }>(db, 'correo', async ({ id, recipient, payload }, batch) => {
    const { asunto, texto, html } = batch.length > 1 ? mailDigest(batch.map((mail) => mail.payload)) : payload;
    // Digests have no link.
    const link = payload.enlace && decrypt(config.secretKey, payload.enlace);
    const filled = (text: string) => withOrigin(link ? text.replaceAll(LINK, link) : text, origin);
    const letter = { id, para: recipient, asunto, texto: filled(texto), html: filled(html) };
    await sendLetter(account, letter).catch((error: unknown) => {
      throw new Undeliverable(sentenceOfNoAnswer(error), smtpServer(account));
    });
    return true;
  });
}
