import { type Selectable, sql } from 'kysely';
import { type createDevolucion, DESTINO_LABEL, type Devolucion } from '../../contract/devoluciones.ts';
import type { BodyOut } from '../../contract/kit.ts';
import { type Actor, can, personIdOf } from '../../contract/policy.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import { adjustToReturns } from '../ganancias/ledger.ts';
import { conflict, invalid, notFound } from '../kit/errors.ts';
import { inEuros, toCents, toEuros } from '../kit/money.ts';
import { refuseStale } from '../kit/version.ts';
import { notify } from '../notifications/notify.ts';
import { refuseBlockedData } from '../pedidos/blocked.ts';
import { change } from '../pedidos/history.ts';
import { adjustStock, type Line, readLines } from '../pedidos/lineas.ts';
import { findPedido, lockPedido, type PedidoRow } from '../pedidos/row.ts';

type Input = BodyOut<typeof createDevolucion>;
type Returned = Omit<Selectable<Tables['devoluciones_lineas']>, 'devolucion_id'>;

const COLUMNS = [
  'id',
  'motivo',
  'nota',
  'reembolso_cents',
  'referencia',
  'actor_nombre',
  'created_at',
  'anulada_at',
  'anulada_motivo',
] as const;

/** Returns the returns of an order, newest first. Throws 404 outside the actor's scope. */
export async function readReturns(db: Db, actor: Actor, pedido: string): Promise<Devolucion[]> {
  const row = await findPedido(db, actor, pedido);
  if (!can(actor, 'pedido:returns', row)) throw notFound();
  const found = await db.selectFrom('devoluciones').select(COLUMNS).where('pedido_id', '=', row.id).orderBy('created_at', 'desc').execute();
  const lines = await linesOf(
    db,
    found.map(({ id }) => id),
  );
  return found.map((one) => present(one, lines.get(one.id) ?? []));
}

/** Registers a return; the refund is only recorded. Throws 404, 409 if stale or undelivered, 422 beyond what was delivered or paid. */
export async function registerReturn(db: Db, actor: Actor, pedido: string, input: Input): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const row = await lockPedido(tx, actor, pedido);
    refuseStale(row, input.version, 'este pedido');
    refuseUndelivered(row);
    const ordered = await readLines(tx, row.id);
    const lines = returnedOf(input.lineas, ordered, await returnedBefore(tx, row.id));
    const reembolso_cents = refundOf(input, row);
    const { motivo, nota, referencia } = input;
    const made = await tx
      .insertInto('devoluciones')
      .values({
        ...{ pedido_id: row.id, motivo, nota, referencia, reembolso_cents },
        ...{ actor_user_id: personIdOf(actor), actor_nombre: actor.full_name },
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('devoluciones_lineas')
      .values(lines.map((line) => ({ devolucion_id: made.id, ...line })))
      .execute();
    // The history never holds amounts.
    const words = lines.map(({ cantidad, producto, destino }) => `${cantidad} × ${producto} (${DESTINO_LABEL[destino].toLowerCase()})`);
    await apply(tx, actor, row, { lines, reembolso_cents, by: 1, accion: 'Devolución registrada', nota: words.join('; ').slice(0, 1000) });
    await tell(tx, actor, row);
    return present(made, lines);
  });
}

/** Annuls a return and takes its units out of the stock. Throws 404, 409 if already annulled, 422 if the stock does not suffice. */
export async function annulReturn(db: Db, actor: Actor, id: string, motivo: string): Promise<Devolucion> {
  return transact(db, async (tx) => {
    const known = tx.selectFrom('devoluciones').where('id', '=', id);
    const { pedido_id } = await known.select('pedido_id').executeTakeFirstOrThrow(() => notFound());
    const row = await lockPedido(tx, actor, pedido_id);
    refuseUndelivered(row);
    // The order's lock serialises concurrent annulments; the second finds the return annulled.
    const annulled = await tx
      .updateTable('devoluciones')
      .set({ anulada_at: sql`now()`, anulada_motivo: motivo })
      .where('id', '=', id)
      .where('anulada_at', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(() => conflict('Esta devolución ya está anulada'));
    const lines = (await linesOf(tx, [id])).get(id) ?? [];
    const { reembolso_cents } = annulled;
    await apply(tx, actor, row, { lines, reembolso_cents, by: -1, accion: 'Devolución anulada', nota: motivo });
    return present(annulled, lines);
  });
}

type Change = { lines: readonly Returned[]; reembolso_cents: number; by: 1 | -1; accion: string; nota: string };

/** Adds a return to the order (`by` 1) or removes it (-1), and moves the stock. */
async function apply(tx: Tx, actor: Actor, row: PedidoRow, { lines, reembolso_cents, by, accion, nota }: Change): Promise<void> {
  const sum = (of: (line: Returned) => number) => by * lines.reduce((all, line) => all + of(line), 0);
  const cantidad_devuelta = row.cantidad_devuelta + sum(({ cantidad }) => cantidad);
  const set = {
    cantidad_devuelta,
    devuelto_cents: sql<number>`valor_devuelto(id, ${cantidad_devuelta})`,
    reembolsado_cents: row.reembolsado_cents + by * reembolso_cents,
    unidades_retenidas: row.unidades_retenidas - sum(({ unidades }) => unidades),
  };
  await change(tx, actor, row, set, { accion, action: 'update', nota });
  await adjustToReturns(tx, row.id);
  if (by === 1) await adjustStock(tx, actor, row.id, [lines, []], { motivo: 'retorno' });
  else await adjustStock(tx, actor, row.id, [[], lines], { motivo: 'retorno_anulado' });
}

async function tell(tx: Tx, actor: Actor, { id: pedido_id, numero_orden, cliente_nombre, revendedor_id }: PedidoRow): Promise<void> {
  await notify(tx, {
    tipo: 'devolucion',
    texto: `Devolución del pedido ${numero_orden} (${cliente_nombre})`,
    users: [revendedor_id],
    enlace: `/mis-pedidos?search=${encodeURIComponent(numero_orden)}`,
    except: actor.id,
    pedido_id,
    mail: true,
  });
}

function refuseUndelivered(row: PedidoRow): void {
  const { deleted_at, estado } = row;
  refuseBlockedData(row, 'devolver');
  if (deleted_at) throw conflict('El pedido está eliminado: restáuralo antes', 'eliminado');
  if (estado !== 'completado') throw conflict('Solo se devuelve lo que se ha entregado: el pedido no está completado', 'estado');
}

async function returnedBefore(tx: Tx, pedido_id: string): Promise<Map<number, number>> {
  const rows = await tx
    .selectFrom('devoluciones_lineas as l')
    .innerJoin('devoluciones as d', 'd.id', 'l.devolucion_id')
    .select(['l.numero', sql<number>`sum(l.cantidad)::int`.as('cantidad')])
    .where('d.pedido_id', '=', pedido_id)
    .where('d.anulada_at', 'is', null)
    .groupBy('l.numero')
    .execute();
  return new Map(rows.map(({ numero, cantidad }) => [numero, cantidad]));
}

function returnedOf(wanted: Input['lineas'], ordered: readonly Line[], before: ReadonlyMap<number, number>): Returned[] {
  const gone = new Map(before);
  return wanted.map(({ numero, cantidad, destino }, i) => {
    const line = ordered.find((one) => one.numero === numero);
    if (!line) throw invalid(`lineas.${i}.numero`, 'Esa línea no está en el pedido');
    const left = line.cantidad - (gone.get(numero) ?? 0);
    if (cantidad > left) throw invalid(`lineas.${i}.cantidad`, left ? `Solo quedan ${left} por devolver` : 'Ya se ha devuelto todo');
    gone.set(numero, (gone.get(numero) ?? 0) + cantidad);
    const unidades = destino === 'stock' ? (line.unidades / line.cantidad) * cantidad : 0;
    return { numero, destino, producto: line.producto, product_id: line.product_id, cantidad, unidades };
  });
}

function refundOf({ reembolso }: Input, { precio_total_cents, pagado_cents, reembolsado_cents }: PedidoRow): number {
  const cents = reembolso == null ? 0 : toCents(reembolso);
  const left = Math.max(0, Math.min(precio_total_cents, pagado_cents) - reembolsado_cents);
  if (cents > left)
    throw invalid('reembolso', left ? `De lo pagado quedan ${inEuros(left)} por reembolsar` : 'No queda nada pagado que reembolsar');
  return cents;
}

async function linesOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, Returned[]>> {
  const rows = await db
    .selectFrom('devoluciones_lineas')
    .selectAll()
    .where('devolucion_id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .orderBy('numero')
    .orderBy('destino')
    .execute();
  const lines = new Map<string, Returned[]>();
  for (const { devolucion_id, ...line } of rows) lines.set(devolucion_id, [...(lines.get(devolucion_id) ?? []), line]);
  return lines;
}

type Row = Pick<Selectable<Tables['devoluciones']>, (typeof COLUMNS)[number]>;
const present = ({ reembolso_cents, ...row }: Row, lines: readonly Returned[]): Devolucion => ({
  ...row,
  reembolso: toEuros(reembolso_cents),
  lineas: lines.map(({ numero, producto, cantidad, destino }) => ({ numero, producto, cantidad, destino })),
});
