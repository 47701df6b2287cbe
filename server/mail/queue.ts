import { type RawBuilder, sql } from 'kysely';
import { splitAddresses } from '../../contract/settings/mail.ts';
import type { Settings } from '../../contract/settings/values.ts';
import type { Tx } from '../db/open.ts';
import { encrypt } from '../kit/secrets.ts';
import { queueMessages } from '../outbox/outbox.ts';
import { LINK, mailPage } from './template.ts';

export const canSend = (s: Settings): boolean =>
  s.emailProvider === 'smtp' ? s.smtpHost !== '' : s.emailProvider === 'mailgun' ? s.mailgunDomain !== '' : true;

type Mail = { asunto: string; texto: string; enlace?: string };

/** Queues each mail to its people in the caller's transaction, for now or the next digest. Does nothing while mail is off. */
export async function queueMails(tx: Tx, settings: Settings, mails: readonly (Mail & { people: { email: string }[] })[]): Promise<void> {
  if (!settings.emailNotifications || !canSend(settings)) return;
  const messages = mails.flatMap(({ people, ...mail }) => {
    if (people.length === 0) return [];
    const payload = { asunto: mail.asunto, ...mailPage(settings, mail) };
    return people.map(({ email }) => ({ recipient: email, payload }));
  });
  await queueMessages(tx, 'correo', messages, nextDigest(settings));
}

/** Queues a mail to the technical addresses, without waiting for a digest; does nothing while mail is off or no address is set. */
export const queueTechnical = (tx: Tx, settings: Settings, mail: Mail): Promise<void> =>
  queueNow(tx, settings, splitAddresses(settings.technicalMail), mail);

/** Queues a mail to these addresses, without waiting for a digest; does nothing while mail is off. */
export async function queueNow(tx: Tx, settings: Settings, addresses: readonly string[], mail: Mail): Promise<void> {
  if (!settings.emailNotifications || !canSend(settings)) return;
  const payload = { asunto: mail.asunto, ...mailPage(settings, mail) };
  await queueMessages(
    tx,
    'correo',
    addresses.map((recipient) => ({ recipient, payload })),
  );
}

/** Queues a mail with an access link, encrypted until the mail is sent; returns whether mail is on. */
export async function queueSecretLink(
  tx: Tx,
  settings: Settings,
  secretKey: string,
  recipient: string,
  { enlace, ...mail }: Required<Mail>,
): Promise<boolean> {
  if (!settings.emailNotifications || !canSend(settings)) return false;
  const payload = { asunto: mail.asunto, ...mailPage(settings, { ...mail, enlace: LINK }), enlace: encrypt(secretKey, enlace) };
  await queueMessages(tx, 'correo', [{ recipient, payload }]);
  return true;
}

// Digests go out on the hour, daily at 8:00 or on Mondays at 8:00, in the business's time zone.
function nextDigest({ notificationFrequency, timezone }: Settings): RawBuilder<string> | undefined {
  if (notificationFrequency === 'immediate') return undefined;
  const local = sql`(now() AT TIME ZONE ${timezone})`;
  const next = {
    hourly: sql`date_trunc('hour', ${local}) + interval '1 hour'`,
    daily: sql`date_trunc('day', ${local} - interval '8 hours') + interval '1 day 8 hours'`,
    weekly: sql`date_trunc('week', ${local} - interval '8 hours') + interval '7 days 8 hours'`,
  }[notificationFrequency];
  return sql<string>`(${next}) AT TIME ZONE ${timezone}`;
}
