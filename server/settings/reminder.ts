import { sql } from 'kysely';
import { ROLES, SISTEMA } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { SettingsChange } from '../kit/feature.ts';
import { emit } from '../live/emit.ts';

/** Days that the warning about backups on this disk alone stays off. */
const DAYS = 30;

/** Starts the thirty days when the warning is turned off. */
export async function beginSilence(tx: Tx, { changed }: SettingsChange): Promise<void> {
  if (changed.includes('warnBackupsHere')) await sql`UPDATE settings SET data = data || ${SINCE}`.execute(tx);
}
const SINCE = sql`jsonb_build_object('warnBackupsHereSince', now())`;

/** Turns the warning on again after thirty days. */
export async function endSilence(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    // Starts the thirty days now if a version without this date turned the warning off.
    await sql`UPDATE settings SET data = data || ${SINCE} WHERE data ->> 'warnBackupsHere' = 'false' AND NOT data ? 'warnBackupsHereSince'`.execute(
      tx,
    );
    const { numAffectedRows } = await sql`
      UPDATE settings SET data = data - 'warnBackupsHereSince' || '{"warnBackupsHere": true}', version = version + 1
      WHERE data ->> 'warnBackupsHere' = 'false' AND (data ->> 'warnBackupsHereSince')::timestamptz < now() - ${DAYS} * interval '1 day'`.execute(
      tx,
    );
    if (!numAffectedRows) return;
    await audit(tx, SISTEMA, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'settings',
      description: `Aviso de las copias encendido otra vez, a los ${DAYS} días`,
      antes: { warnBackupsHere: false },
      despues: { warnBackupsHere: true },
    });
    emit(tx, { topic: 'settings', roles: ROLES });
  });
}
