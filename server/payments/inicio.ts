import { sql } from 'kysely';
import { PASOS_INICIO, type PasoInicio } from '../../contract/payments/fields.ts';
import type { Db } from '../db/open.ts';
import { readSettings } from '../settings/settings.ts';

/** Returns the missing setup steps of a new shop, in order. `providers`: number of configured payment providers. */
export async function readInicio(db: Db, providers: number): Promise<PasoInicio[]> {
  const { companyName, companyIban } = await readSettings(db);
  const { rows } = await sql<Record<'producto' | 'transportista' | 'revendedor' | 'pedido', boolean>>`SELECT
    EXISTS (SELECT 1 FROM product_packs k JOIN products p ON p.id = k.product_id WHERE k.is_active AND p.is_active) AS producto,
    EXISTS (SELECT 1 FROM users WHERE role = 'transportista' AND is_active AND deleted_at IS NULL) AS transportista,
    EXISTS (SELECT 1 FROM users WHERE role = 'revendedor' AND is_active AND deleted_at IS NULL) AS revendedor,
    EXISTS (SELECT 1 FROM pedidos) AS pedido`.execute(db);
  const done = { empresa: companyName.trim() !== '', cobro: companyIban.trim() !== '' || providers > 0, ...rows[0] };
  return PASOS_INICIO.filter((paso) => !done[paso]);
}
