import { getLogo } from '../../contract/settings/settings.ts';
import type { Db, Tx } from '../db/open.ts';

/** Returns the URL of the logo, which changes with it; null without one. */
export async function logoAddress(db: Db | Tx): Promise<string | null> {
  const row = await db.selectFrom('logo_empresa').select('digest').executeTakeFirst();
  return row ? `${getLogo.path}?v=${row.digest}` : null;
}
