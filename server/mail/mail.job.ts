import type { Db } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { sentenceOfNoAnswer, Undeliverable } from '../kit/no-answer.ts';
import { decrypt } from '../kit/secrets.ts';
import { drain } from '../outbox/outbox.ts';
import { readSecretSettings } from '../settings/settings.ts';
import { type Letter, sendLetter, serverOf } from './send.ts';
import { digest, LINK, ORIGIN } from './template.ts';

/** Sends due mails one at a time; returns how many. A repeated mail keeps its Message-ID, so that clients deduplicate. */
export async function sendDueMails(db: Db, config: Pick<Config, 'secretKey' | 'publicUrl'>): Promise<number> {
  const account = await readSecretSettings(db, config.secretKey);
  const withOrigin = (text: string) => text.replaceAll(ORIGIN, config.publicUrl ?? '');
  return drain<Omit<Letter, 'id' | 'para'> & { enlace?: string }>(db, 'correo', async ({ id, recipient, payload }, batch) => {
    const { asunto, texto, html } = batch.length > 1 ? digest(batch.map((mail) => mail.payload)) : payload;
    // Digests have no link.
    const link = payload.enlace && decrypt(config.secretKey, payload.enlace);
    const filled = (text: string) => withOrigin(link ? text.replaceAll(LINK, link) : text);
    const letter = { id, para: recipient, asunto, texto: filled(texto), html: filled(html) };
    await sendLetter(account, letter).catch((error: unknown) => {
      throw new Undeliverable(sentenceOfNoAnswer(error), serverOf(account));
    });
    return true;
  });
}
