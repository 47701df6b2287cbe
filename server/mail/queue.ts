import { sql } from 'kysely';
import type { Settings } from '../../contract/settings.ts';
import type { Tx } from '../db/open.ts';
import { emitJob } from '../jobs/wake.ts';
import { page } from './template.ts';

type Mail = { para: string; asunto: string; texto: string; enlace?: string };

/** True when the settings name a way to send. */
export const canSend = (s: Settings): boolean =>
  s.emailProvider === 'smtp' ? s.smtpHost !== '' : s.emailProvider === 'mailgun' ? s.mailgunDomain !== '' : true;

/**
 * Puts a mail on its way, in the transaction it tells of. With a frequency other than immediate it waits for
 * the next digest. Nothing is queued while notifications by e-mail are off or no way to send is set.
 */
export async function queueMail(tx: Tx, settings: Settings, mail: Mail): Promise<void> {
  if (!settings.emailNotifications || !canSend(settings)) return;
  const digest = settings.notificationFrequency !== 'immediate';
  await tx
    .insertInto('mails')
    .values({
      para: mail.para,
      asunto: mail.asunto,
      ...page(settings, mail),
      digest,
      due_at: digest ? nextDigest(settings) : sql`now()`,
      locked_until: null,
      sent_at: null,
      failed_at: null,
      error: null,
    })
    .execute();
  if (!digest) await emitJob(tx, 'correo');
}

// Digests go out at the hour, at eight in the morning, or on Monday at eight, of the business's clock.
function nextDigest({ notificationFrequency, timezone }: Settings) {
  const local = sql`(now() AT TIME ZONE ${timezone})`;
  const next = {
    immediate: local,
    hourly: sql`date_trunc('hour', ${local}) + interval '1 hour'`,
    daily: sql`date_trunc('day', ${local} - interval '8 hours') + interval '1 day 8 hours'`,
    weekly: sql`date_trunc('week', ${local} - interval '8 hours') + interval '7 days 8 hours'`,
  }[notificationFrequency];
  return sql<string>`(${next}) AT TIME ZONE ${timezone}`;
}
