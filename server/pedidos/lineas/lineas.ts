import { type Selectable, sql } from 'kysely';
import { MAX_LINEAS } from '../../../contract/pedidos/fields.ts';
import type { LineaInput } from '../../../contract/pedidos/lineas.ts';
import { keptPortions } from '../../../contract/pedidos/money.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Tables } from '../../db/schema.ts';
import { invalid } from '../../kit/errors.ts';
import { toCents } from '../../kit/money.ts';
import { priceFor } from '../../products/packs.ts';
import { pictureUrl } from '../../products/products.ts';
import { moveStock, type StockMove } from '../../products/stock.ts';

/** `imagen`: URL of the product's picture, in lines that are read to be shown. */
export type Line = Omit<Selectable<Tables['pedidos_lineas']>, 'pedido_id'> & { imagen?: string | null };

/** Lines of an order to be shown, as SQL. */
export const itsLines = sql<Line[]>`(
  SELECT coalesce(json_agg(to_jsonb(l) || jsonb_build_object('imagen', (
    SELECT ${pictureUrl} FROM product_packs k JOIN product_pictures i ON i.product_id = k.product_id WHERE k.id = l.pack_id
  )) ORDER BY l.numero), '[]') FROM pedidos_lineas l WHERE l.pedido_id = pedidos.id)`;

/** Lines of an order to be shown outside a list of orders. */
export const readShownLines = async (db: Db, id: string): Promise<Line[]> =>
  (await db.selectFrom('pedidos').select(itsLines.as('lineas')).where('id', '=', id).executeTakeFirst())?.lineas ?? [];

export async function linesByOrder(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Line[]>> {
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

/** Units of `cantidad` packs of a line. Multiplies first: a share such as 3/11 is not exact, and units are integers. */
export const unitsFor = ({ unidades, cantidad: all }: Pick<Line, 'unidades' | 'cantidad'>, cantidad: number): number =>
  (unidades * cantidad) / all;

export const readLines = async (db: Db | Tx, id: string): Promise<Line[]> => (await linesByOrder(db, [id])).get(id) ?? [];

/** A requested line. `numero` names an existing line of the order, whose price `keepsPrice` decides. */
type Wanted = LineaInput & { numero?: number | null | undefined };
/** Packs on sale by id, at today's price for the reseller. */
export type Packs = ReadonlyMap<string, Pack>;
type Pack = {
  pack_id: string;
  product_id: string;
  pack_quantity: number;
  precio_unitario_cents: number;
  producto: string;
  iva: string | null;
};
type Ordered = { pack_id?: string | null | undefined };

export const readPacks = async (db: Db | Tx, wanted: readonly Ordered[], revendedor_id: string | null): Promise<Packs> =>
  packsById(await selectPacks(db, wanted, revendedor_id).execute());
export const packsById = (packs: readonly Pack[]): Packs => new Map(packs.map((pack) => [pack.pack_id, pack]));

export const selectPacks = (db: Pick<Db, 'selectFrom'>, wanted: readonly Ordered[], revendedor_id: string | null) =>
  db
    .selectFrom('product_packs as k')
    .innerJoin('products as p', 'p.id', 'k.product_id')
    .select(['k.id as pack_id', 'k.product_id', 'k.pack_quantity', 'p.iva'])
    .select(priceFor(revendedor_id).as('precio_unitario_cents'))
    // Format of the specification, section 2.14.
    .select(sql<string>`p.name || ' – ' || k.name`.as('producto'))
    .where('k.id', '=', sql<string>`ANY (${[...new Set(wanted.flatMap(({ pack_id }) => pack_id ?? []))]}::uuid[])`)
    .where('k.is_active', '=', true)
    .where('p.is_active', '=', true);

type Pricing = {
  packs: Packs;
  /** Allows lines with free text and price, as for superadmins. */
  free: boolean;
  known?: readonly Line[];
  /** The request has a product instead of lines, so errors name the order's fields (specification, section 7). */
  single?: boolean;
};

type Priced = Pick<Pricing, 'packs' | 'free'> & { field: (name: string) => string };

/**
 * Prices the lines: an existing line keeps its price up to its quantity, and additional quantity costs today's price. Only superadmins change lines without pack.
 * Throws 422 for an unavailable pack, a repeated line, or a changed line without pack.
 */
export function priceLines(wanted: readonly Wanted[], { packs, free, known = [], single = false }: Pricing): Line[] {
  const fieldOf = (i: number, name: string) => (single ? name : `lineas.${i}.${name}`);
  const named = new Set<number>();
  const priced = wanted.flatMap((line, i): Omit<Line, 'numero'>[] => {
    const field = (name: string) => fieldOf(i, name);
    const kept = known.find((before) => before.numero === line.numero);
    if (line.numero && !kept) throw invalid(field('numero'), 'Esa línea ya no está en el pedido');
    if (kept && named.has(kept.numero)) throw invalid(field('numero'), 'Esa línea está dos veces');
    if (kept) named.add(kept.numero);
    const own = priceLine(line, kept, { packs, free, field });
    if (line.iva && own.some(({ iva }) => iva !== line.iva)) throw invalid(field('iva'), 'El tipo de IVA de un pack es el de su producto');
    return own;
  });
  const dropped = free ? undefined : known.find(({ pack_id, numero }) => !pack_id && !named.has(numero));
  if (dropped) throw invalid('lineas', `«${dropped.producto}» solo lo quita un administrador`);
  if (priced.length > MAX_LINEAS) throw invalid('lineas', `Un pedido tiene como máximo ${MAX_LINEAS} líneas`);
  return priced.map((line, i) => ({ numero: i + 1, ...line }));
}

function priceLine(line: Wanted, kept: Line | undefined, by: Priced): Omit<Line, 'numero'>[] {
  const { packs, free, field } = by;
  const isCustom = !(kept ?? line).pack_id && free;
  // A request without `iva` keeps the rate.
  const iva = line.iva === undefined ? (kept?.iva ?? null) : line.iva;
  if (kept && keepsPrice(kept, line, free)) return keptLine(isCustom ? { ...kept, iva } : kept, line.cantidad, by);
  if (!line.pack_id && free)
    return [{ ...customLine(line, field), cantidad: line.cantidad, product_id: null, pack_id: null, unidades: 0, iva }];
  return [packLine(packs.get(line.pack_id ?? ''), line.cantidad, () => invalid(field('pack_id'), 'Selecciona un pack válido'))];
}

/** Returns an existing line with a new quantity. Additional quantity becomes a separate line unless price, pack size and VAT rate are the same. */
function keptLine(kept: Line, cantidad: number, { packs, free, field }: Priced): Omit<Line, 'numero'>[] {
  const { numero: _, ...line } = kept;
  if (!kept.pack_id && !free && cantidad !== kept.cantidad) throw invalid(field('cantidad'), 'Esta línea solo la cambia un administrador');
  const each = kept.unidades / kept.cantidad;
  const pack = packs.get(kept.pack_id ?? '');
  // Lines without pack have no list price.
  const today = kept.pack_id ? pack?.precio_unitario_cents : kept.precio_unitario_cents;
  // A growing line without a rate takes the product's rate.
  const isAlike = !pack || (pack.pack_quantity === each && (!kept.iva || pack.iva === kept.iva));
  const portions = keptPortions(kept, cantidad, today, isAlike);
  if (!portions) throw invalid(field('cantidad'), `${kept.producto} ya no se vende: como máximo ${kept.cantidad}`);
  return portions.map((portion, i) => ({
    ...line,
    ...portion,
    // The agreed quantity keeps its product name; the rest gets today's product name.
    producto: (i > 0 && pack?.producto) || line.producto,
    unidades: portion.cantidad * ((i > 0 && pack?.pack_quantity) || each),
    iva: i > 0 || (portion.cantidad > kept.cantidad && !kept.iva) ? (pack?.iva ?? kept.iva) : kept.iva,
  }));
}

function packLine(pack: Pack | undefined, cantidad: number, refusal: () => Error): Omit<Line, 'numero'> {
  if (!pack) throw refusal();
  const { pack_quantity, precio_unitario_cents, ...what } = pack;
  const precio_total_cents = precio_unitario_cents * cantidad;
  return { ...what, cantidad, precio_unitario_cents, precio_total_cents, unidades: cantidad * pack_quantity };
}

// A line keeps its price if its pack stays. A line without pack keeps its price unless a superadmin sends a text.
const keepsPrice = (kept: Line, { pack_id, producto }: Wanted, free: boolean) =>
  kept.pack_id ? kept.pack_id === (pack_id ?? kept.pack_id) : !pack_id && !(free && producto);

// A superadmin's line: free text and price, no stock (design, section 4.5).
function customLine({ producto, cantidad, ...rest }: LineaInput, field: (name: string) => string) {
  if (!producto) throw invalid(field('pack_id'), 'Selecciona un pack válido');
  const unit = rest.precio_unitario ?? null;
  const total = rest.precio_total ?? null;
  if (unit === null && total === null) throw invalid(field('precio_total'), 'Indica el precio del pedido');
  const precio_total_cents = total !== null ? toCents(total) : toCents(unit ?? 0) * cantidad;
  const precio_unitario_cents = unit !== null ? toCents(unit) : Math.round(precio_total_cents / cantidad);
  if (unit !== null && total !== null && Math.abs(precio_unitario_cents * cantidad - precio_total_cents) >= cantidad) {
    throw invalid(field('precio_total'), 'El total no coincide con el precio unitario por la cantidad');
  }
  return { producto, precio_unitario_cents, precio_total_cents };
}

export type Amounts = { envio_cents: number; descuento_cents: number };
// Same limits as the columns' CHECKs, so that excess is a 422, not a database error.
const MAX_CENTS = 1_000_000_000_000;
const MAX_UNITS = 1_000_000_000;
const MAX_TEXT = 200;

/** Computes the order's totals from its lines. Throws 422 without lines, beyond the limits of the columns, or if the discount exceeds the price. */
export function summarizeLines(lines: readonly Line[], { envio_cents, descuento_cents }: Amounts) {
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
    num_lineas: lines.length,
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

export const orderLineRows = (pedido_id: string, lines: readonly Line[]) => lines.map((line) => ({ pedido_id, ...line }));

type Held = Pick<Line, 'numero' | 'product_id' | 'cantidad' | 'unidades'>;
type Motivo = StockMove['motivo'];
type Moving = { motivo: Motivo | ((unidades: number) => Motivo); single?: boolean };
type Movement = { id: string; before?: readonly Held[]; after?: readonly Held[] };

/** Moves the stock from `before` to `after`, by product id against deadlocks. Must run last: it locks products. Throws 422. */
export async function adjustStock(
  tx: Tx,
  actor: Actor,
  pedido_id: string,
  [before, after]: [readonly Held[], readonly Held[]],
  { motivo, single }: Moving,
): Promise<void> {
  const refusal = (product_id: string) => {
    const own = after.filter((line) => line.product_id === product_id);
    const [line] = own;
    return {
      ...(line && !single && { field: `lineas.${line.numero - 1}.cantidad` }),
      // Counts in packs if only one line has the product.
      ...(line && own.length === 1 && { por_pack: line.unidades / line.cantidad }),
    };
  };
  await moveAll(tx, actor, [{ id: pedido_id, before, after }], motivo, refusal);
}

/** Like `adjustStock` for many orders, with one update per product; a refusal concerns all orders and names `field`. */
export const adjustStockOf = (tx: Tx, actor: Actor, orders: readonly Movement[], motivo: Motivo, field?: string): Promise<void> =>
  moveAll(tx, actor, orders, motivo, () => (field ? { field } : {}));

async function moveAll(
  tx: Tx,
  actor: Actor,
  orders: readonly Movement[],
  motivo: Moving['motivo'],
  refusal: (product_id: string) => Pick<StockMove, 'field' | 'por_pack'>,
): Promise<void> {
  const parts = new Map<string, { pedido_id: string; unidades: number }[]>();
  for (const { id: pedido_id, before = [], after = [] } of orders) {
    const [had, has] = [unitsOf(before), unitsOf(after)];
    for (const product_id of new Set([...had.keys(), ...has.keys()])) {
      const unidades = (had.get(product_id) ?? 0) - (has.get(product_id) ?? 0);
      const own = parts.get(product_id) ?? [];
      if (unidades) parts.set(product_id, [...own, { pedido_id, unidades }]);
    }
  }
  for (const [product_id, own] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const unidades = own.reduce((sum, part) => sum + part.unidades, 0);
    const why = typeof motivo === 'string' ? motivo : motivo(unidades);
    await moveStock(tx, { product_id, unidades, parts: own, motivo: why, ...refusal(product_id) }, actor);
  }
}

function unitsOf(lines: readonly Held[]): Map<string, number> {
  const units = new Map<string, number>();
  for (const { product_id, unidades } of lines) if (product_id && unidades) units.set(product_id, (units.get(product_id) ?? 0) + unidades);
  return units;
}
