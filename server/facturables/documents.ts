import { sql } from 'kysely';
import type { FilaIva } from '../../contract/iva/fields.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { providerLabel } from '../payments/providers.ts';

/* Documents, each of which becomes one invoice in the shop's program (RD 1619/2012). Sales and corrections have separate series per year. */

type Row = Tables['facturables_documentos'];
export type NewDocument = Pick<
  { [C in keyof Row]: string | null },
  'corrige' | 'nif' | 'direccion' | 'codigo_postal' | 'ciudad' | 'provincia' | 'pais' | 'regimen'
> &
  Record<'pedido_id' | 'motivo' | 'fecha' | 'numero_orden' | 'cliente', string>;
/** Sale of an order; open until the document is exported or taken. */
export type WrittenSale = { documento: string; fecha: string; is_open: boolean };

/** Returns the sale of each order that has one. */
export async function readSales(tx: Tx, pedidos: readonly string[]): Promise<Map<string, WrittenSale>> {
  const { rows } = await sql<WrittenSale & { pedido_id: string }>`
    SELECT pedido_id, documento, fecha, exportado_at IS NULL AND NOT EXISTS (
      SELECT FROM facturables f WHERE f.documento = d.documento AND f.tomada_at IS NOT NULL) AS is_open
    FROM facturables_documentos d WHERE motivo = 'venta' AND pedido_id = ANY (${pedidos}::uuid[])`.execute(tx);
  return new Map(rows.map(({ pedido_id, ...sale }) => [pedido_id, sale]));
}

/** Inserts new documents and returns the numbers of all, in order; a text is the number of an existing document. Needs `lockFacturables`. */
export async function insertDocuments(tx: Tx, documents: readonly (NewDocument | string)[]): Promise<string[]> {
  const { rows } = await sql<{ serie: string; numero: number }>`
    SELECT serie, max(numero) AS numero FROM facturables_documentos GROUP BY serie`.execute(tx);
  const values = numberDocuments(documents, new Map(rows.map(({ serie, numero }) => [serie, numero])));
  const made = values.filter((value) => typeof value !== 'string');
  // Inserts sales first, because corrections refer to them.
  const sorted = made.toSorted((a, b) => Number(a.motivo !== 'venta') - Number(b.motivo !== 'venta'));
  if (sorted.length) await tx.insertInto('facturables_documentos').values(sorted).execute();
  return values.map((value) => (typeof value === 'string' ? value : value.documento));
}

/** Numbers documents («V26-000001») after the `last` number of each series, and updates `last`. */
export const numberDocuments = <D extends Pick<NewDocument, 'motivo' | 'fecha'>>(
  documents: readonly (D | string)[],
  last: Map<string, number>,
) =>
  documents.map((document) => {
    if (typeof document === 'string') return document;
    const serie = `${document.motivo === 'venta' ? 'V' : 'R'}${document.fecha.slice(2, 4)}`;
    const numero = (last.get(serie) ?? 0) + 1;
    last.set(serie, numero);
    return { ...document, serie, numero, documento: `${serie}-${String(numero).padStart(6, '0')}` };
  });

export type Fila = { tipo: FilaIva; base_cents: number; cuota_cents: number; total_cents: number };
/** Document with its sums by rate, except sums of 0. */
export type Documento = Record<'documento' | 'motivo' | 'fecha' | 'numero_orden' | 'cliente', string> &
  Record<'corrige' | 'nif' | 'direccion' | 'codigo_postal' | 'ciudad' | 'provincia' | 'pais' | 'regimen' | 'cobrado', string | null> & {
    corrige_numero: string | null;
    metodos: string[] | null;
    cobrado_cents: number;
    total_cents: number;
    filas: Fila[];
    is_exported: boolean;
  };

/**
 * SQL of the current values of the order `p` for its document `d` with the sum `total`. The order's payments pay a sale up to its total. A
 * correction counts as paid once its refund is paid out.
 */
const LIVE = {
  nif: sql<string | null>`coalesce(d.nif, p.cliente_nif)`,
  metodo_pago: sql<
    string | null
  >`(SELECT string_agg(DISTINCT g.proveedor, ',') FROM pagos g WHERE g.pedido_id = d.pedido_id AND g.estado = 'pagado')`,
  cobrado_cents: sql<number>`CASE WHEN d.motivo = 'venta' THEN least(t.total, coalesce(p.pagado_cents, 0))
    WHEN t.total < 0 AND coalesce(p.reembolsado_cents, 0) >= (SELECT -sum(least(0, f.total_cents)) FROM facturables f
      JOIN facturables_documentos o ON o.documento = f.documento
      WHERE f.pedido_id = d.pedido_id AND o.motivo <> 'venta' AND (o.fecha, o.numero) <= (d.fecha, d.numero)) THEN t.total ELSE 0 END`,
  cobrado: sql<string | null>`(SELECT max(g.fecha) FROM pagos g WHERE g.pedido_id = d.pedido_id AND g.estado = 'pagado')`,
};
const FROM = sql`facturables_documentos d LEFT JOIN pedidos p ON p.id = d.pedido_id
  CROSS JOIN LATERAL (SELECT coalesce(sum(f.total_cents), 0)::bigint AS total FROM facturables f WHERE f.documento = d.documento) t`;
const orLive = (column: keyof typeof LIVE) => sql`CASE WHEN d.exportado_at IS NULL THEN ${LIVE[column]} ELSE ${sql.ref(`d.${column}`)} END`;

/** Reads documents, in the order of `numbers`. Documents not yet exported have the current values of their orders. */
export async function readDocuments(db: Db | Tx, numbers: readonly string[]): Promise<Documento[]> {
  const { rows } = await sql<Documento & { metodo_pago: string | null }>`
    SELECT d.documento, d.motivo, d.corrige, d.fecha::text AS fecha, d.numero_orden, d.cliente, d.direccion, d.codigo_postal, d.ciudad, d.provincia, d.pais,
      d.regimen, ${orLive('nif')} AS nif, ${orLive('metodo_pago')} AS metodo_pago, coalesce(${orLive('cobrado_cents')}, 0)::bigint AS cobrado_cents,
      ${orLive('cobrado')}::text AS cobrado, t.total AS total_cents, d.exportado_at IS NOT NULL AS is_exported,
      (SELECT numero_orden FROM facturables_documentos s WHERE s.documento = d.corrige) AS corrige_numero,
      (SELECT coalesce(json_agg(x), '[]') FROM (SELECT f.tipo, sum(f.base_cents)::bigint AS base_cents, sum(f.cuota_cents)::bigint AS cuota_cents,
        sum(f.total_cents)::bigint AS total_cents FROM facturables f WHERE f.documento = d.documento GROUP BY f.tipo
        HAVING sum(f.total_cents) <> 0 OR sum(f.cuota_cents) <> 0) x) AS filas
    FROM ${FROM} WHERE d.documento = ANY (${numbers}::text[])`.execute(db);
  const found = new Map(rows.map((row) => [row.documento, { ...row, metodos: row.metodo_pago?.split(',').map(providerLabel) ?? null }]));
  return numbers.flatMap((number) => found.get(number) ?? []);
}

/** Marks documents as exported and freezes the current values of their orders; skips exported ones. Returns the number. Needs `lockFacturables`. */
export async function exportDocuments(tx: Tx, numbers: readonly string[], by: string): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE facturables_documentos u SET exportado_at = now(), exportado_por = ${by}, nif = x.nif, metodo_pago = x.metodo_pago,
      cobrado_cents = x.cobrado_cents, cobrado = x.cobrado
    FROM (SELECT d.documento, ${LIVE.nif} AS nif, ${LIVE.metodo_pago} AS metodo_pago, ${LIVE.cobrado_cents} AS cobrado_cents, ${LIVE.cobrado} AS cobrado
      FROM ${FROM} WHERE d.documento = ANY (${numbers}::text[]) AND d.exportado_at IS NULL) x
    WHERE u.documento = x.documento`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
