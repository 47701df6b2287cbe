import { type Selectable, sql } from 'kysely';
import type { LineaInput } from '../../contract/pedidos.lineas.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { invalid } from '../kit/errors.ts';
import { toCents } from '../kit/money.ts';
import { moveStock, type StockMove } from '../products/stock.ts';

/* The lines of an order, in cents and units. */

export type Line = Omit<Selectable<Tables['pedidos_lineas']>, 'pedido_id'>;

/** The lines of each of these orders. */
export async function linesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Line[]>> {
  const rows = await db
    .selectFrom('pedidos_lineas')
    .selectAll()
    .where('pedido_id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .orderBy('pedido_id')
    .orderBy('numero')
    .execute();
  const lines = new Map<string, Line[]>();
  for (const { pedido_id, ...line } of rows) lines.set(pedido_id, [...(lines.get(pedido_id) ?? []), line]);
  return lines;
}

export const readLines = async (db: Db | Tx, id: string): Promise<Line[]> => (await linesOf(db, [id])).get(id) ?? [];

/** What is wanted of a line; with `numero` it is one of those that the order has, which keeps its price. */
type Wanted = LineaInput & { numero?: number | null | undefined };
type Pricing = {
  /** Whether text and price of one's own are allowed, as for superadmins. */
  free: boolean;
  /** Lines that the order has already. */
  known?: readonly Line[];
  /** Whether the order is written as one line: its fields then are the order's own (specification, section 7). */
  single?: boolean;
};

/**
 * The lines as wanted, at what the packs cost today and, of lines known, at the price that they had. Throws 422 unless
 * each has an active pack or, where `free`, a text and a price.
 */
export async function priceLines(db: Db | Tx, wanted: readonly Wanted[], { free, known = [], single = false }: Pricing): Promise<Line[]> {
  const packs = await packsOf(db, wanted);
  return wanted.map((line, i) => {
    const field = (name: string) => (single ? name : `lineas.${i}.${name}`);
    const kept = known.find(({ numero }) => numero === line.numero);
    if (line.numero && !kept) throw invalid(field('numero'), 'Esa línea ya no está en el pedido');
    const { cantidad } = line;
    const numero = i + 1;
    // What a superadmin has written freely may stay in an order whose other lines its reseller changes.
    if (kept && !kept.pack_id && !line.pack_id && !free) {
      if (cantidad !== kept.cantidad) throw invalid(field('cantidad'), 'Esta línea solo la cambia un administrador');
      return { ...kept, numero };
    }
    if (kept?.pack_id && kept.pack_id === (line.pack_id ?? kept.pack_id)) {
      const { product_id, pack_id, producto, precio_unitario_cents } = kept;
      const unidades = (kept.unidades / kept.cantidad) * cantidad;
      return {
        numero,
        product_id,
        pack_id,
        producto,
        cantidad,
        precio_unitario_cents,
        precio_total_cents: precio_unitario_cents * cantidad,
        unidades,
      };
    }
    if (line.pack_id || !free) {
      const pack = packs.get(line.pack_id ?? '');
      if (!pack) throw invalid(field('pack_id'), 'Selecciona un pack válido');
      const { pack_quantity, precio_unitario_cents, ...what } = pack;
      return {
        numero,
        ...what,
        cantidad,
        precio_unitario_cents,
        precio_total_cents: precio_unitario_cents * cantidad,
        unidades: cantidad * pack_quantity,
      };
    }
    return { numero, ...freely(line, field), cantidad, product_id: null, pack_id: null, unidades: 0 };
  });
}

async function packsOf(db: Db | Tx, wanted: readonly Wanted[]) {
  const ids = wanted.flatMap(({ pack_id }) => pack_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('product_packs as k')
    .innerJoin('products as p', 'p.id', 'k.product_id')
    .select(['k.id as pack_id', 'k.product_id', 'k.pack_quantity', 'k.pack_price_cents as precio_unitario_cents'])
    // The label of section 2.14 of the specification.
    .select(sql<string>`p.name || ' – ' || k.name`.as('producto'))
    .where('k.id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where('k.is_active', '=', true)
    .where('p.is_active', '=', true)
    .execute();
  return new Map(rows.map((row) => [row.pack_id, row]));
}

// Superadmins may sell something without a pack: own text and price, no stock (design, section 4.5).
function freely({ producto, cantidad, ...given }: LineaInput, field: (name: string) => string) {
  if (!producto) throw invalid(field('pack_id'), 'Selecciona un pack válido');
  const unit = given.precio_unitario ?? null;
  const total = given.precio_total ?? null;
  if (unit === null && total === null) throw invalid(field('precio_total'), 'Indica el precio del pedido');
  const precio_total_cents = total !== null ? toCents(total) : toCents(unit ?? 0) * cantidad;
  const precio_unitario_cents = unit !== null ? toCents(unit) : Math.round(precio_total_cents / cantidad);
  if (unit !== null && total !== null && Math.abs(precio_unitario_cents * cantidad - precio_total_cents) >= cantidad) {
    throw invalid(field('precio_total'), 'El total no coincide con el precio unitario por la cantidad');
  }
  return { producto, precio_unitario_cents, precio_total_cents };
}

/** Shipping and discount of an order, in cents. */
export type Amounts = { envio_cents: number; descuento_cents: number };
// The bounds of the columns' CHECKs, so that exceeding them is a 422 instead of a database error.
const MAX_CENTS = 1_000_000_000_000;
const MAX_UNITS = 1_000_000_000;
const MAX_TEXT = 200;

/** An order's own fields, as its lines and amounts make them. Throws 422 when the discount exceeds what it is taken off. */
export function summaryOf(lines: readonly Line[], { envio_cents, descuento_cents }: Amounts) {
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0);
  const [first] = lines;
  if (!first) throw invalid('lineas', 'Añade al menos una línea');
  const only = lines.length === 1;
  const lineas_cents = sum((line) => line.precio_total_cents);
  const cantidad = sum((line) => line.cantidad);
  const unidades_retenidas = sum((line) => line.unidades);
  const more = only ? '' : ` y ${lines.length - 1} más`;
  const precio_total_cents = lineas_cents + envio_cents - descuento_cents;
  if (precio_total_cents < 0) throw invalid('descuento', 'El descuento no puede superar el importe del pedido');
  if (precio_total_cents > MAX_CENTS) throw invalid('lineas', 'El importe del pedido es demasiado grande');
  if (unidades_retenidas > MAX_UNITS) throw invalid('lineas', 'El pedido tiene demasiadas unidades');
  return {
    pack_id: only ? first.pack_id : null,
    producto: first.producto.slice(0, MAX_TEXT - more.length) + more,
    cantidad,
    unidades_retenidas,
    precio_unitario_cents: only ? first.precio_unitario_cents : Math.round(lineas_cents / cantidad),
    precio_total_cents,
    envio_cents,
    descuento_cents,
  };
}

/** The rows of an order's lines. */
export const rowsOf = (pedido_id: string, lines: readonly Line[]) => lines.map((line) => ({ pedido_id, ...line }));

type Moving = { motivo: StockMove['motivo'] | ((unidades: number) => StockMove['motivo']); single?: boolean };

/**
 * Takes from the stock what `after` holds more than `before`, and returns what it holds less: product by product in the
 * order of their ids, so that two orders of the same products do not wait for each other for ever. Call it last: whoever
 * orders the same product waits for its row until the commit. Throws 422 when a product does not suffice.
 */
export async function moveUnits(
  tx: Tx,
  actor: Actor,
  pedido_id: string,
  [before, after]: [readonly Line[], readonly Line[]],
  { motivo, single }: Moving,
): Promise<void> {
  const moves = new Map<string, number>();
  for (const [lines, sign] of [
    [before, 1],
    [after, -1],
  ] as const)
    for (const { product_id, unidades } of lines)
      if (product_id && unidades) moves.set(product_id, (moves.get(product_id) ?? 0) + sign * unidades);
  for (const product_id of [...moves.keys()].sort()) {
    const unidades = moves.get(product_id) ?? 0;
    if (!unidades) continue;
    const own = after.filter((line) => line.product_id === product_id);
    const [line] = own;
    await moveStock(
      tx,
      {
        product_id,
        unidades,
        motivo: typeof motivo === 'string' ? motivo : motivo(unidades),
        pedido_id,
        ...(line && !single && { field: `lineas.${line.numero - 1}.cantidad` }),
        // Counted in packs where the product is in one line only.
        ...(line && own.length === 1 && { por_pack: line.unidades / line.cantidad }),
      },
      actor,
    );
  }
}
