import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import type { Config } from '../kit/config.ts';
import { readSecret, readSettings } from '../settings/settings.ts';
import { type Letter, send } from './send.ts';
import { digest, ORIGIN } from './template.ts';

const LEASE = '2 minutes';
/** After two days of trying a mail is given up. */
const MAX_ATTEMPTS = 40;

type Row = Letter & { digest: boolean; attempts: number; created_at: string };

/**
 * Sends what is due. A mail is leased, sent, then marked: a process killed in between leaves the lease to run
 * out, and the second sending carries the same Message-ID. A failure is tried again, later each time up to an hour.
 */
export async function sendDueMails(db: Db, config: Pick<Config, 'secretKey' | 'publicUrl'>, deliver = send): Promise<number> {
  const settings = await readSettings(db);
  const account = {
    ...settings,
    smtpPassword: await readSecret(db, config.secretKey, 'smtpPassword'),
    apiKey: await readSecret(db, config.secretKey, 'apiKey'),
  };
  let sent = 0;
  for (;;) {
    const rows = await lease(db);
    const [first] = rows;
    if (!first) return sent;
    const letter = rows.length > 1 ? { ...first, ...digest(rows) } : first;
    const ids = rows.map((row) => row.id);
    try {
      const origin = config.publicUrl ?? '';
      await deliver(account, { ...letter, texto: letter.texto.replaceAll(ORIGIN, origin), html: letter.html.replaceAll(ORIGIN, origin) });
      await db.updateTable('mails').set({ sent_at: sql`now()`, locked_until: null, error: null }).where('id', 'in', ids).execute();
      sent += rows.length;
    } catch (error) {
      await postpone(db, ids, error instanceof Error ? error.message : String(error));
    }
  }
}

// One mail, or all the digest rows of one person.
async function lease(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    WITH next AS (
      SELECT id, para, digest FROM mails
      WHERE sent_at IS NULL AND failed_at IS NULL AND due_at <= now() AND (locked_until IS NULL OR locked_until < now())
      ORDER BY due_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE mails m SET locked_until = now() + ${LEASE}::interval, attempts = m.attempts + 1
    FROM next n
    WHERE m.id = n.id OR (n.digest AND m.digest AND m.para = n.para AND m.sent_at IS NULL AND m.failed_at IS NULL AND m.due_at <= now() AND (m.locked_until IS NULL OR m.locked_until < now()))
    RETURNING m.id, m.para, m.asunto, m.texto, m.html, m.digest, m.attempts, m.created_at`.execute(db);
  // The oldest first: it gives the digest its Message-ID, the same at a second sending though more have joined.
  return rows.sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
}

async function postpone(db: Db, ids: string[], error: string) {
  await sql`
    UPDATE mails SET locked_until = NULL, error = ${error.slice(0, 500)},
      due_at = now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10) - 1)),
      failed_at = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN now() END
    WHERE id IN (${sql.join(ids)})`.execute(db);
}
