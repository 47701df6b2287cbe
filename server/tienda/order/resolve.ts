import { sql } from 'kysely';
import { isBlocking, orderDoubts } from '../../../contract/doubts/doubts.ts';
import type { EditableField } from '../../../contract/pedidos/fields.ts';
import type { ENTREGAS, Trato } from '../../../contract/tienda/fields.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import type { WebLine, WebOrder } from '../reading/order.ts';

/* People's answers about shop orders: packs of products and payment methods, which stay, and corrections of single orders. */

/** Corrections of one waiting order, which outlive later messages of the shop. */
export type Corrections = {
  campos?: Partial<Record<EditableField, string | null>>;
  lineas?: { n: number; nombre: string; pack_id?: string | null | undefined; sin_mercancia?: boolean; cantidad?: number }[];
  trato?: Trato;
  entrega?: (typeof ENTREGAS)[number];
  /** True to create the order whatever its state in the shop. */
  hacer?: true;
};

type Reads = Pick<Tx, 'selectFrom'>;
type Match = { pack_id: string | null; sin_mercancia: boolean };
type Stored = { tienda_id: string; contenido: unknown; correcciones: unknown };

/** `raw`: the order as the shop sent it. */
export type Resolved = { order: WebOrder; raw: WebOrder; entrega?: Corrections['entrega']; hacer?: Corrections['hacer'] };

/** Returns a stored order with its corrections, packs and payment. Keeps `forma` until a person has said how the method pays. */
export async function resolveLines(tx: Reads, row: Stored): Promise<Resolved> {
  const order = row.contenido as WebOrder;
  const { campos = {}, lineas = [], trato, entrega, hacer } = (row.correcciones ?? {}) as Corrections;
  const { instrucciones, ...cliente } = campos;
  const corrected: WebOrder = {
    ...order,
    cliente: { ...order.cliente, ...(cliente as object) },
    ...(instrucciones !== undefined && { instrucciones }),
    lineas: order.lineas.map((line, n) => {
      // A later message may have another line at this place.
      const own = lineas.find((linea) => linea.n === n && linea.nombre === line.nombre);
      const { pack_id, sin_mercancia = line.sin_mercancia, cantidad = line.cantidad } = own ?? {};
      return { ...line, cantidad, ...(sin_mercancia && { sin_mercancia }), ...(pack_id && { pack_id }) };
    }),
  };
  const matches = await matchesOf(tx, row.tienda_id, corrected.lineas);
  const matched = { ...corrected, lineas: corrected.lineas.map((line) => ({ ...line, ...missing(line, matches.get(line.clave)) })) };
  const forma = trato ?? (order.forma?.clave ? await formaOf(tx, row.tienda_id, order.forma.clave) : undefined);
  // equivalent ({ hacer }): read by its name alone
  return { order: forma ? paidBy(matched, forma) : matched, raw: order, ...(entrega && { entrega }), ...(hacer && { hacer }) };
}

const missing = ({ pack_id, sin_mercancia }: WebLine, match: Match | undefined) =>
  !match || pack_id || sin_mercancia ? {} : { ...(match.pack_id && { pack_id: match.pack_id }), sin_mercancia: match.sin_mercancia };

function paidBy({ forma: _, ...order }: WebOrder, trato: Trato): WebOrder {
  if (trato === 'pagado') return order;
  const situacion = order.situacion === 'pagado' ? 'por_pagar' : order.situacion;
  return { ...order, situacion, pago: null, contra_reembolso: trato === 'reembolso' };
}

async function formaOf(tx: Reads, tienda_id: string, clave: string): Promise<Trato | undefined> {
  const row = await tx
    .selectFrom('tienda_formas')
    .select('trato')
    .where('tienda_id', '=', tienda_id)
    .where('clave', '=', clave)
    .executeTakeFirst();
  return row?.trato as Trato | undefined;
}

/** Returns people's answers about products by key; an answer for this shop replaces one for all shops. */
async function matchesOf(tx: Reads, tienda_id: string, lineas: readonly WebLine[]): Promise<Map<string, Match>> {
  const claves = [...new Set(lineas.flatMap(({ clave, isFee }) => (isFee || !clave ? [] : [clave])))];
  if (claves.length === 0) return new Map();
  const rows = await tx
    .selectFrom('tienda_productos')
    .select(['clave', 'pack_id', 'sin_mercancia'])
    .where('clave', '=', sql<string>`ANY (${claves}::text[])`)
    // Ids (`#…`) differ between shops, so an answer for all shops holds only for the first one of a kind.
    .where(
      sql<boolean>`(tienda_id = ${tienda_id} OR tienda_id IS NULL AND (clave NOT LIKE '#%'
        OR ${tienda_id} = (SELECT f.id FROM tiendas f JOIN tiendas s ON s.conector = f.conector WHERE s.id = ${tienda_id}
          ORDER BY f.created_at, f.id LIMIT 1)))`,
    )
    .where(({ or, eb }) => or([eb('pack_id', 'is not', null), eb('sin_mercancia', '=', true)]))
    // Sorts a shop's own answer last, so that it replaces the common one.
    .orderBy(sql`tienda_id IS NOT NULL`)
    .execute();
  return new Map(rows.map(({ clave, ...match }) => [clave, match]));
}

/** Returns why an order cannot be created without a person's decision, in Spanish, because of its state in the shop; undefined if it can. */
export function stateDoubt({ situacion, estado, total_cents, devuelto_cents }: WebOrder, leida: string | null): string | undefined {
  if (situacion === undefined) return `No se conoce el estado «${estado}» de la tienda`;
  if (situacion === 'borrado') return 'La tienda lo ha borrado: descártalo si no hay que entregarlo';
  if (situacion === 'terminado') return 'La tienda ya lo da por terminado: descártalo si ya se ha entregado';
  if (total_cents > 0 && devuelto_cents >= total_cents) return 'La tienda lo ha reembolsado entero: descártalo si no hay que entregarlo';
  return leida === 'borrado' ? 'La tienda lo había borrado y lo vuelve a enviar: di si hay que hacerlo' : undefined;
}

/** Throws 422 if a person must answer something before the order can be created. */
export function refuseUnresolved(
  { lineas, forma, recogida, moneda }: Pick<WebOrder, 'lineas' | 'forma' | 'recogida' | 'moneda'>,
  entrega: Corrections['entrega'],
): void {
  const unknown = lineas.find(({ isFee, pack_id, sin_mercancia }) => !isFee && !pack_id && !sin_mercancia);
  if (unknown) throw invalid('lineas', `Falta decir qué pack es «${unknown.nombre}»`);
  if (forma) throw invalid('forma', `Falta decir cómo se paga «${forma.titulo || 'sin forma de pago'}»`);
  const stopped = orderDoubts({ moneda, recogida: entrega ? undefined : recogida }).find(isBlocking);
  if (stopped) throw invalid(stopped.id, stopped.frase);
}
