import { type SqlBool, sql } from 'kysely';
import type {
  Facturable,
  listFacturables as listEndpoint,
  resumenFacturables,
  tomarFacturables,
} from '../../contract/facturables/facturables.ts';
import type { MotivoFacturable } from '../../contract/facturables/fields.ts';
import { FILAS_IVA, type FilaIva } from '../../contract/iva/fields.ts';
import type { Answer, BodyOut, QueryOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { cursorOf, placeOf, readMark } from '../cambios/cambios.ts';
import { type Db, transact } from '../db/open.ts';
import { toEuros } from '../kit/money.ts';
import { ordersWithoutRate } from '../pedidos/escritura/rates.ts';
import { lockFacturables, settleAll } from './settle.ts';

type Filter = QueryOut<typeof resumenFacturables>;

/** Returns a query of the rows that match the filter. */
export const matching = (db: Pick<Db, 'selectFrom'>, { desde, hasta, pendientes }: Filter) =>
  db
    .selectFrom('facturables')
    .$if(desde !== undefined, (query) => query.where('fecha', '>=', desde ?? ''))
    .$if(hasta !== undefined, (query) => query.where('fecha', '<=', hasta ?? ''))
    .$if(pendientes !== undefined, (query) => query.where('tomada_at', 'is', null));

/** Returns the row number of a cursor. Throws 422 for an invalid cursor, 410 for a cursor of another database. */
const seqOf = (cursor: string | undefined, marca: string, field: string): number =>
  cursor === undefined ? 0 : Number(placeOf(cursor, marca, /^0$/, field).xid);
const cursorAt = (seq: number, marca: string) => cursorOf({ xid: String(seq), id: '0' }, marca);

/** Writes pending rows, then lists rows for the invoicing program. Throws 410 for a cursor of another database or from before a restore. */
export async function listFacturables(
  db: Db,
  { cursor, limite, ...filter }: QueryOut<typeof listEndpoint>,
): Promise<Answer<typeof listEndpoint>> {
  await settleAll(db);
  const marca = await readMark(db);
  const from = seqOf(cursor, marca, 'cursor');
  const rows = await matching(db, filter)
    .selectAll()
    .select(NIF)
    .where('seq', '>', from)
    .orderBy('seq')
    .limit(limite + 1)
    .execute();
  const page = rows.slice(0, limite);
  return { data: page.map(present), cursor: cursorAt(page.at(-1)?.seq ?? from, marca), hay_mas: rows.length > limite };
}

/** NIF of the row, or the order's NIF if added after the row was written: written rows never change. */
export const NIF = sql<string | null>`coalesce(nif, (SELECT p.cliente_nif FROM pedidos p WHERE p.id = pedido_id))`.as('nif');

const all = (db: Db) => db.selectFrom('facturables').selectAll();
export type Row = Awaited<ReturnType<ReturnType<typeof all>['executeTakeFirstOrThrow']>>;

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
  const rows = await matching(db, filter)
    .select(['tipo', sql<number>`count(*)::int`.as('filas'), sum('base_cents'), sum('cuota_cents'), sum('total_cents')])
    .select(sql<number>`max(seq)`.as('seq'))
    .groupBy('tipo')
    .execute();
  const { por_tomar } = await matching(db, { ...filter, pendientes: 'si' })
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
    cursor: cursorAt(Math.max(0, ...rows.map(({ seq }) => seq)), await readMark(db)),
    por_tomar,
    sin_tipo: await ordersWithoutRate(db),
  };
}

/** Marks rows up to the cursor as taken; each row is marked once. Throws 410 for a cursor of another database. */
export async function takeFacturables(db: Db, actor: Actor, { hasta, periodo = {} }: BodyOut<typeof tomarFacturables>): Promise<number> {
  return transact(db, async (tx) => {
    await lockFacturables(tx);
    const seq = seqOf(hasta, await readMark(tx), 'hasta');
    const { desde = null, hasta: last = null } = periodo;
    const { numUpdatedRows } = await tx
      .updateTable('facturables')
      .set({ tomada_at: sql`now()`, tomada_por: actor.full_name })
      .where('seq', '<=', seq)
      .where('tomada_at', 'is', null)
      .where(sql<SqlBool>`fecha BETWEEN coalesce(${desde}::date, '-infinity') AND coalesce(${last}::date, 'infinity')`)
      .executeTakeFirst();
    const marcadas = Number(numUpdatedRows);
    if (marcadas) await audit(tx, actor, { ...TAKEN, description: takenWords(marcadas) });
    return marcadas;
  });
}

const TAKEN = { type: 'configuracion', action: 'update', entity_type: 'facturables' } as const;
export const takenWords = (rows: number): string =>
  rows === 1 ? '1 fila marcada como facturada' : `${rows} filas marcadas como facturadas`;
