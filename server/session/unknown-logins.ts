import { sql } from 'kysely';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';

/** Counts failed sign-ins with unknown names, which are often passwords and are not stored. Logs at most once a minute; 0 flushes. */
export async function countUnknown(db: Db, failures: 0 | 1): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ fallos: number; due: boolean }>`
      SELECT untold + ${failures} AS fallos, told_at IS NULL OR told_at < now() - interval '1 minute' AS due
      FROM unknown_logins FOR UPDATE`.execute(tx);
    const { fallos, due } = rows[0] ?? { fallos: failures, due: false };
    const tells = due && fallos > 0;
    await sql`UPDATE unknown_logins SET untold = ${tells ? 0 : fallos}, told_at = CASE WHEN ${tells} THEN now() ELSE told_at END`.execute(
      tx,
    );
    if (!tells) return;
    await audit(tx, SISTEMA, {
      type: 'configuracion',
      action: 'login_failed',
      entity_type: 'session',
      description: `Acceso fallido con un usuario que no existe${fallos > 1 ? ` (${fallos} veces)` : ''}`,
      despues: { fallos },
    });
  });
}
