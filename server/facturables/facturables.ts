import { type SqlBool, sql } from 'kysely';
import type * as api from '../../contract/facturables/facturables.ts';
import type { Facturable, resumenFacturables, tomarFacturables } from '../../contract/facturables/facturables.ts';
import type { MotivoFacturable } from '../../contract/facturables/fields.ts';
import { FILAS_IVA, type FilaIva, SIN_TIPO } from '../../contract/iva/fields.ts';
import type { Answer, BodyOut, QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, personIdOf } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import { audit } from '../audit/audit.ts';
import { decodeCursor, encodeCursor, readTimeline } from '../cambios/cambios.ts';
import { type Db, transact } from '../db/open.ts';
import { conflict } from '../kit/errors.ts';
import { toEuros } from '../kit/money.ts';
import { listUntaxed, ordersWithoutRate } from '../pedidos/escritura/rates.ts';
import { readSettings } from '../settings/settings.ts';
import { exportDocuments } from './documents.ts';
import { lockFacturables, settleAll } from './settle.ts';

type Filter = QueryOut<typeof resumenFacturables>;

/** Returns a query of the rows that match the filter. */
export const matchingFacturables = (db: Pick<Db, 'selectFrom'>, { desde, hasta, pendientes }: Filter) =>
  db
    .selectFrom('facturables')
    .$if(desde !== undefined, (query) => query.where('fecha', '>=', desde ?? ''))
    .$if(hasta !== undefined, (query) => query.where('fecha', '<=', hasta ?? ''))
    .$if(pendientes !== undefined, (query) => query.where('tomada_at', 'is', null));

/** Returns the row number of a cursor. Throws 422 for an invalid cursor, 410 for a cursor of another database. */
const seqOf = (cursor: string | undefined, marca: string, field: string): number =>
  cursor === undefined ? 0 : Number(decodeCursor(cursor, marca, /^0$/, field).xid);
const cursorAt = (seq: number, marca: string) => encodeCursor({ xid: String(seq), id: '0' }, marca);

/** Writes pending rows, then lists rows for the invoicing program. Throws 410 for a cursor of another database or from before a restore. */
export async function listFacturables(
  db: Db,
  { cursor, limite, ...filter }: QueryOut<typeof api.listFacturables>,
): Promise<Answer<typeof api.listFacturables>> {
  await settleAll(db);
  const marca = await readTimeline(db);
  const from = seqOf(cursor, marca, 'cursor');
  const rows = await matchingFacturables(db, filter)
    .selectAll()
    .select([NIF, ...OF_DOCUMENT])
    .where('seq', '>', from)
    .orderBy('seq')
    .limit(limite + 1)
    .execute();
  const page = rows.slice(0, limite);
  return { data: page.map(present), cursor: cursorAt(page.at(-1)?.seq ?? from, marca), hay_mas: rows.length > limite };
}

/** NIF of the row, or the order's NIF if added after the row was written and before its document was exported. */
const NIF = sql<string | null>`(SELECT CASE WHEN d.exportado_at IS NULL THEN coalesce(d.nif, p.cliente_nif) ELSE d.nif END
  FROM facturables_documentos d LEFT JOIN pedidos p ON p.id = d.pedido_id WHERE d.documento = facturables.documento)`.as('nif');
const OF_DOCUMENT = [
  sql<boolean>`EXISTS (SELECT FROM facturables_documentos d WHERE d.documento = facturables.documento AND d.regimen = 'anterior')`.as(
    'anterior',
  ),
  sql<string | null>`(SELECT corrige FROM facturables_documentos d WHERE d.documento = facturables.documento)`.as('corrige'),
  sql<string | null>`(SELECT exportado_at FROM facturables_documentos d WHERE d.documento = facturables.documento)`.as('exportada_at'),
];

const all = (db: Db) => db.selectFrom('facturables').selectAll().select(OF_DOCUMENT);
type Row = Awaited<ReturnType<ReturnType<typeof all>['executeTakeFirstOrThrow']>>;

const present = ({ seq, base_cents, cuota_cents, total_cents, tipo, motivo, devueltos: _, created_at: __, ...row }: Row): Facturable => ({
  numero: seq,
  ...row,
  tipo: tipo as FilaIva,
  motivo: motivo as MotivoFacturable,
  base: toEuros(base_cents),
  cuota: toEuros(cuota_cents),
  total: toEuros(total_cents),
});

/** Writes pending rows, then sums the rows by VAT rate, in euros. Counts rows yet to be taken, and orders with a line without a rate. */
export async function sumFacturables(db: Db, filter: Filter): Promise<Answer<typeof resumenFacturables>> {
  await settleAll(db);
  const sum = (column: 'base_cents' | 'cuota_cents' | 'total_cents') => sql<number>`sum(${sql.ref(column)})::bigint`.as(column);
  const rows = await matchingFacturables(db, filter)
    .select(['tipo', sql<number>`count(*)::int`.as('filas'), sum('base_cents'), sum('cuota_cents'), sum('total_cents')])
    .select(sql<number>`max(seq)`.as('seq'))
    .groupBy('tipo')
    .execute();
  const { por_tomar } = await matchingFacturables(db, { ...filter, pendientes: 'si' })
    .select(sql<number>`count(*)::int`.as('por_tomar'))
    .executeTakeFirstOrThrow();
  return {
    data: FILAS_IVA.flatMap((tipo) =>
      rows
        .filter((row) => row.tipo === tipo)
        .map(({ filas, base_cents, cuota_cents, total_cents }) => ({
          tipo,
          filas,
          base: toEuros(base_cents),
          cuota: toEuros(cuota_cents),
          total: toEuros(total_cents),
        })),
    ),
    cursor: cursorAt(Math.max(0, ...rows.map(({ seq }) => seq)), await readTimeline(db)),
    por_tomar,
    sin_tipo: await ordersWithoutRate(db),
    encendido: (await readSettings(db)).iva,
    sin_tipo_por_tomar: await untaxedIn(db, { ...filter, pendientes: 'si' }),
  };
}

/** Returns the number of documents among the rows that have a line without a rate. */
async function untaxedIn(db: Pick<Db, 'selectFrom'>, filter: Filter, seq = Number.MAX_SAFE_INTEGER): Promise<number> {
  const rows = await matchingFacturables(db, filter)
    .select('documento')
    .where('seq', '<=', seq)
    .where(
      sql<boolean>`documento IN (SELECT f.documento FROM facturables f WHERE f.tipo = ${SIN_TIPO} GROUP BY 1 HAVING sum(f.total_cents) <> 0)`,
    )
    .groupBy('documento')
    .execute();
  return rows.length;
}

/**
 * Marks rows up to the cursor as taken; each row is marked once. Their documents count as exported. Throws 410 for a cursor of another
 * database, 409 while a line has no rate.
 */
export async function takeFacturables(
  db: Db,
  actor: Actor,
  { hasta, periodo = {} }: BodyOut<typeof tomarFacturables>,
): Promise<{ marcadas: number; tomada_at: string | null }> {
  return transact(db, async (tx) => {
    await lockFacturables(tx);
    const seq = seqOf(hasta, await readTimeline(tx), 'hasta');
    const filter = { ...periodo, pendientes: 'si' } as const;
    if (await untaxedIn(tx, filter, seq)) throw conflict(untaxedWords(await listUntaxed(tx)));
    const rows = await matchingFacturables(tx, filter).select(['seq', 'documento']).where('seq', '<=', seq).execute();
    if (rows.length === 0) return { marcadas: 0, tomada_at: null };
    const [first] = await tx
      .updateTable('facturables')
      .set({ tomada_at: sql`now()`, tomada_por: actor.full_name })
      .where('seq', '=', sql<number>`ANY (${rows.map((row) => row.seq)}::bigint[])`)
      .returning('tomada_at')
      .execute();
    if (personIdOf(actor) === null)
      await exportDocuments(
        tx,
        rows.map(({ documento }) => documento),
        actor.full_name,
      );
    await audit(tx, actor, { ...TAKEN, description: takenWords(rows.length) });
    return { marcadas: rows.length, tomada_at: first?.tomada_at ?? null };
  });
}

/** «Falta el tipo de IVA de 9 productos: Aceite, Miel…». */
export function untaxedWords(products: readonly { producto: string }[]): string {
  const names = products.map(({ producto }) => producto);
  const [some, rest] = [names.slice(0, 5).join(', '), names.length > 5 ? '…' : ''];
  const what = names.length === 1 ? `de «${names[0] ?? ''}»` : `de ${names.length} productos: ${some}${rest}`;
  return `Falta el tipo de IVA ${names.length ? what : 'de algún pedido'}. Ponlo y vuelve a marcar`;
}

/** Removes the mark `tomada_at` from its rows, except rows of exported documents. Throws 409 if no row can be released. */
export async function releaseFacturables(db: Db, actor: Actor, tomada_at: string): Promise<number> {
  return transact(db, async (tx) => {
    await lockFacturables(tx);
    const { numUpdatedRows } = await tx
      .updateTable('facturables')
      .set({ tomada_at: null, tomada_por: null })
      .where(sql<SqlBool>`date_trunc('milliseconds', tomada_at) = ${tomada_at}::timestamptz`)
      .where(sql<SqlBool>`documento IN (SELECT documento FROM facturables_documentos WHERE exportado_at IS NULL)`)
      .executeTakeFirst();
    const soltadas = Number(numUpdatedRows);
    if (!soltadas) throw conflict('Ya salió en un fichero o lo leyó un programa: la marca se queda');
    await audit(tx, actor, { ...TAKEN, description: releasedWords(soltadas) });
    return soltadas;
  });
}

const TAKEN = { action: 'update', entity_type: 'facturables' } as const;
export const takenWords = (rows: number): string => plural(rows, 'fila marcada como facturada', 'filas marcadas como facturadas');
export const releasedWords = (rows: number): string =>
  plural(rows, 'fila vuelve a estar por facturar', 'filas vuelven a estar por facturar');
