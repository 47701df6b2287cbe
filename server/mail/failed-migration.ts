import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { splitAddresses } from '../../contract/settings/mail.ts';
import { type Db, MigrationFailed } from '../db/open.ts';
import { VERSION } from '../kit/release.ts';
import type { Log } from '../log/log.ts';
import { claimFailedMigration, decryptSettings, releaseFailedMigration } from '../settings/settings.ts';
import { canSend } from './queue.ts';
import { sendLetter } from './send.ts';
import { mailPage } from './template.ts';

/** Timeout in ms for all mails together, after which the program exits with its error message. */
const PATIENCE_MS = 20_000;

type Options = { db: Db; secretKey: string; log: Log; patience?: number };

/** Mails the technical addresses, once per version, that the migration failed; at once, as the queue does not run. Never throws. */
export async function mailFailedMigration(error: unknown, { db, secretKey, log, patience = PATIENCE_MS }: Options): Promise<void> {
  if (!(error instanceof MigrationFailed)) return;
  const ends = new AbortController();
  const warn = (cause: unknown) => log.warn(cause as Error, 'the failed migration was not mailed');
  await Promise.race([mailSuperadmins(db, secretKey, error).catch(warn), sleep(patience, undefined, { signal: ends.signal })]);
  ends.abort();
}

async function mailSuperadmins(db: Db, secretKey: string, { migration, cause }: MigrationFailed): Promise<void> {
  const data = await claimFailedMigration(db);
  if (!data) return;
  try {
    const account = decryptSettings(data, secretKey);
    const people = account.emailNotifications && canSend(account) ? splitAddresses(account.technicalMail) : [];
    const asunto = 'Enruta no arranca: la base de datos no se ha podido actualizar';
    // Mails the code without the message of PostgreSQL, which can hold values of a row.
    const code = (cause as { code?: string } | undefined)?.code;
    const texto = `La versión ${VERSION} no ha podido actualizar la base de datos y no arranca (${[migration, code].filter(Boolean).join(', ')}). La base de datos está como antes: arranca la versión anterior. El motivo entero está en el registro del servicio.`;
    const letters = people.map((para) => ({ id: randomUUID(), para, asunto, ...mailPage(account, { asunto, texto }) }));
    const sent = await Promise.allSettled(letters.map((letter) => sendLetter(account, letter)));
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed && sent.every(({ status }) => status === 'rejected')) throw failed.reason;
  } catch (error) {
    await releaseFailedMigration(db);
    throw error;
  }
}
