import { type Settings, settings } from '../../contract/settings.ts';
import type { Db, Tx } from '../db/open.ts';

/** The settings of the business, defaults filled in. */
export async function readSettings(db: Db | Tx): Promise<Settings> {
  const row = await db.selectFrom('settings').select('data').executeTakeFirstOrThrow();
  return settings.parse(row.data);
}
