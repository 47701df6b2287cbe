import { sql } from 'kysely';
import type { CobroDeEmpresa, DeEmpresa, ponerPlazo, Remesa, recibirDeEmpresa } from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { emit } from '../live/emit.ts';
import { lockRemitted, lockWithCompany, markRemitted, withCompany } from '../pedidos/pagos/cash.ts';
import { queueWebhooks } from '../webhooks/queue.ts';

/* Money that delivery companies collected at the door: with the company until a remittance brings it (decision 155). */

/** Returns the oldest money that companies have, at most MAX_OFICINA payments, by company, in euros. */
export async function listWithCompanies(db: Db): Promise<CobroDeEmpresa[]> {
  const { rows } = await sql<Omit<CobroDeEmpresa, 'importe'> & { cents: number }>`
    SELECT g.id, g.empresa, g.pedido_id, p.numero_orden, g.importe_cents AS cents, g.fecha::text AS dia, (dia_negocio(now()) - g.fecha)::int AS dias
    FROM (SELECT * FROM pagos WHERE ${withCompany} ORDER BY fecha, id LIMIT ${MAX_OFICINA}) g
    JOIN pedidos p ON p.id = g.pedido_id ORDER BY g.empresa, g.fecha, g.id`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, importe: toEuros(cents) }));
}

/** Returns what each company has, the most late first, in euros. */
export async function listCompanies(db: Db): Promise<DeEmpresa[]> {
  const { rows } = await sql<Omit<DeEmpresa, 'importe'> & { cents: string }>`
    SELECT d.*, coalesce(t.dias, 0) AS plazo,
      CASE WHEN t.dias > 0 THEN greatest(0, dia_negocio(now()) - d.desde - t.dias) ELSE 0 END AS tarde
    FROM (SELECT empresa, count(*)::int AS cobros, sum(importe_cents) AS cents, min(fecha) AS desde FROM pagos WHERE ${withCompany} GROUP BY 1) d
    LEFT JOIN empresas_plazos t USING (empresa) ORDER BY tarde DESC, d.desde, d.empresa`.execute(db);
  return rows.map(({ cents, ...row }) => ({ ...row, importe: toEuros(Number(cents)) }));
}

/** Returns the companies that have nothing, and took orders on delivery or paid within a year: their sheets can still come. */
export async function listCompaniesWithout(db: Db): Promise<string[]> {
  const { rows } = await sql<{ empresa: string }>`
    (SELECT e.empresa FROM envios e JOIN envios_pedidos o ON o.envio_id = e.id JOIN pedidos p ON p.id = o.pedido_id
      WHERE p.contra_reembolso AND e.created_at > now() - interval '1 year'
    UNION SELECT empresa FROM remesas WHERE anulada_at IS NULL AND created_at > now() - interval '1 year')
    EXCEPT SELECT empresa FROM pagos WHERE ${withCompany} ORDER BY 1`.execute(db);
  return rows.map(({ empresa }) => empresa);
}

/** Sets the term of a company in days after the delivery; 0: none. */
export const setTerm = (db: Db, actor: Actor, { empresa, dias }: BodyOut<typeof ponerPlazo>): Promise<void> =>
  transact(db, async (tx) => {
    await sql`INSERT INTO empresas_plazos (empresa, dias) VALUES (${empresa}, ${dias})
      ON CONFLICT (empresa) DO UPDATE SET dias = excluded.dias`.execute(tx);
    const description = `Plazo de ${empresa} para pagar lo cobrado: ${dias === 0 ? 'ninguno' : plural(dias, 'día')}`;
    await audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'settings', description });
    emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
  });

const SHOWN = 20;
/** SQL for the number of the remittance `r`: its place among all, which are never deleted. */
export const remesaNumber = sql<number>`(SELECT count(*)::int FROM remesas x WHERE (x.created_at, x.id) <= (r.created_at, r.id))`;
const payments = sql<number>`(SELECT count(*)::int FROM pagos g WHERE g.remesa_id = r.id)`.as('cobros');

/** Returns the latest remittances that have not been undone, in euros. */
export async function listRemesas(db: Db): Promise<Remesa[]> {
  const rows = await db
    .selectFrom('remesas as r')
    .select(['r.id', 'r.empresa', 'r.fecha', 'r.recibido_cents', 'r.comision_cents', 'r.referencia', 'r.creada_por_nombre as creada_por'])
    .select([payments, remesaNumber.as('numero'), 'r.aparte'])
    .where('r.anulada_at', 'is', null)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id')
    .limit(SHOWN)
    .execute();
  return rows.map(({ recibido_cents, comision_cents, ...row }) => ({
    ...row,
    recibido: toEuros(recibido_cents),
    comision: toEuros(comision_cents),
  }));
}

/**
 * Notes that a company has paid what it collected, less its commission (euros). Throws 409 if it has any of the payments no longer, 422 if
 * received and commission are not their sum.
 */
export async function receiveFromCompany(db: Db, actor: Actor, input: BodyOut<typeof recibirDeEmpresa>): Promise<number> {
  const { empresa, fecha, referencia } = input;
  const ids = [...new Set(input.cobros)];
  const [recibido_cents, comision_cents] = [toCents(input.recibido), toCents(input.comision)];
  return transact(db, async (tx) => {
    const found = await lockWithCompany(tx, empresa, ids);
    if (found.length < ids.length) throw conflict(`${empresa} ya no tiene alguno de esos cobros: vuelve a mirar la lista`, 'lista');
    const sum = found.reduce((cents, part) => cents + part, 0);
    if (recibido_cents + comision_cents !== sum)
      throw invalid('recibido', `Los elegidos suman ${inEuros(sum)}: lo recibido más la comisión tiene que sumar lo mismo`);
    await closeRemesa(tx, actor, { empresa, fecha, recibido_cents, comision_cents, referencia }, ids);
    return ids.length;
  });
}

type Remitted = {
  empresa: string;
  fecha: string;
  recibido_cents: number;
  comision_cents: number;
  referencia: string | null;
  /** Sum and rows of the company's sheet that are of no payment. */
  aparte_cents?: number;
  aparte?: string;
};
/** Books a remittance of locked payments, whose sums agree. */
export async function closeRemesa(tx: Tx, actor: Actor, remesa: Remitted, pagos: readonly string[]): Promise<void> {
  const { id } = await tx
    .insertInto('remesas')
    .values({ ...remesa, creada_por_nombre: actor.full_name })
    .returning('id')
    .executeTakeFirstOrThrow();
  await markRemitted(tx, pagos, id);
  await recordRemesa(tx, actor, id, 'recibida');
}

/** Undoes a remittance: the company has its payments again. Throws 404; 409 if it is undone already. */
export async function undoRemesa(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    // The orders' locks make a second try wait.
    const ids = await lockRemitted(tx, id);
    const remesa = await tx
      .selectFrom('remesas')
      .select(['anulada_at', 'movimiento_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(() => notFound());
    if (remesa.anulada_at) throw conflict('Esta liquidación ya está deshecha', 'estado');
    if (remesa.movimiento_id) throw conflict('Esta liquidación está en el extracto del banco: suelta antes su movimiento');
    await tx.updateTable('remesas').set({ anulada_at: sql<string>`now()` }).where('id', '=', id).execute();
    await recordRemesa(tx, actor, id, 'deshecha');
    await markRemitted(tx, ids, null);
  });
}

async function recordRemesa(tx: Tx, actor: Actor, id: string, what: 'recibida' | 'deshecha'): Promise<void> {
  const { recibido_cents, comision_cents, aparte_cents, ...remesa } = await tx
    .selectFrom('remesas as r')
    .select(['r.id', 'r.empresa', 'r.fecha', 'r.recibido_cents', 'r.comision_cents', 'r.aparte_cents', remesaNumber.as('numero'), payments])
    .where('r.id', '=', id)
    .executeTakeFirstOrThrow();
  const money = { recibido: toEuros(recibido_cents), comision: toEuros(comision_cents), aparte: toEuros(aparte_cents) };
  await queueWebhooks(tx, [`remesa.${what}`], () => [{ remesa: { ...remesa, ...money } }]);
  const description = `Liquidación de ${remesa.empresa} ${what}: ${inEuros(recibido_cents)}, comisión ${inEuros(comision_cents)}`;
  await audit(tx, actor, { type: 'pedido', action: 'update', entity_type: 'pago', entity_id: id, description });
  emit(tx, { topic: 'caja', roles: rolesOf('caja:confirm'), users: [] });
  emit(tx, { topic: 'pedidos', roles: rolesOf('caja:confirm') });
}

/** Marks remittances as brought by a movement of the bank; returns how many still could be. */
export async function linkRemesas(tx: Tx, ids: readonly string[], movimiento_id: string): Promise<number> {
  const open = tx.updateTable('remesas').set({ movimiento_id }).where('id', '=', sql<string>`ANY (${ids}::uuid[])`);
  return (await open.where('movimiento_id', 'is', null).where('anulada_at', 'is', null).returning('id').execute()).length;
}

/** Takes remittances back from a movement. */
export const unlinkRemesas = (tx: Tx, movimiento_id: string) =>
  tx.updateTable('remesas').set({ movimiento_id: null }).where('movimiento_id', '=', movimiento_id).execute();
