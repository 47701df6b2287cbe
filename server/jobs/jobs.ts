import { sql } from 'kysely';
import { tendBackups } from '../backups/backups.job.ts';
import type { Db } from '../db/open.ts';
import { vacuum } from '../db/vacuum.ts';
import { buildExports } from '../exports/build.job.ts';
import type { Config } from '../kit/config.ts';
import { sendDueMails } from '../mail/mail.job.ts';
import { tendUnpaid } from '../pedidos/unpaid.job.ts';
import { sendDuePushes } from '../push/push.job.ts';
import { ABSOLUTE_HOURS } from '../session/sessions.ts';
import type { Job } from './runner.ts';

/** Everything that runs by the clock. */
export function allJobs(db: Db, config: Config): Job[] {
  return [
    { name: 'correo', cron: '* * * * *', run: () => sendDueMails(db, config) },
    { name: 'push', cron: '* * * * *', run: () => sendDuePushes(db, config) },
    { name: 'impagados', cron: '*/10 * * * *', run: () => tendUnpaid(db) },
    { name: 'exportar', cron: '*/5 * * * *', expireInSeconds: 1800, run: () => buildExports(db) },
    { name: 'copias', cron: '*/10 * * * *', expireInSeconds: 7200, run: () => tendBackups(db, config) },
    { name: 'limpieza', cron: '17 * * * *', run: () => clean(db) },
    ...(config.databaseUrl ? [] : [{ name: 'vacuum', cron: '27 * * * *', run: () => vacuum(db) }]),
  ];
}

/** Forgets what has no use any more: ended sessions, used keys, old counts of failed sign-ins, read notifications. */
export async function clean(db: Db): Promise<void> {
  await sql`DELETE FROM sessions WHERE created_at < now() - make_interval(hours => ${ABSOLUTE_HOURS})`.execute(db);
  await sql`DELETE FROM idempotency_keys WHERE created_at < now() - interval '2 days'`.execute(db);
  await sql`DELETE FROM login_attempts WHERE last_at < now() - interval '2 days'`.execute(db);
  await sql`DELETE FROM notifications WHERE read_at < now() - interval '30 days' OR created_at < now() - interval '120 days'`.execute(db);
  await sql`DELETE FROM outbox WHERE coalesce(sent_at, failed_at) < now() - interval '30 days'`.execute(db);
}
