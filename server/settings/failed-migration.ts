import { sql } from 'kysely';
import type { Db } from '../db/open.ts';
import { VERSION } from '../kit/release.ts';
import type { StoredSettings } from './settings.ts';

/** Returns the stored settings to the first start of this version whose migration fails, also of several instances; else undefined. */
export async function claimFailedMigration(db: Db): Promise<StoredSettings | undefined> {
  const { rows } = await sql<{ data: StoredSettings }>`
    UPDATE settings SET data = data || jsonb_build_object('failedMigrationTold', ${VERSION}::text)
    WHERE data ->> 'failedMigrationTold' IS DISTINCT FROM ${VERSION}::text RETURNING data`.execute(db);
  return rows[0]?.data;
}

/** Lets the next start tell again. */
export async function releaseFailedMigration(db: Db): Promise<void> {
  await sql`UPDATE settings SET data = data - 'failedMigrationTold'`.execute(db);
}
