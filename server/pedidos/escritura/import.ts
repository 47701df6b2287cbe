import { sql } from 'kysely';
import type { Answer } from '../../../contract/kit/endpoint.ts';
import { writesField } from '../../../contract/pedidos/access.ts';
import { DUPLICATE_DAYS } from '../../../contract/pedidos/fields.ts';
import type { checkImport as checkEndpoint, ImportPedidos } from '../../../contract/pedidos/import.ts';
import type { Actor, Caller } from '../../../contract/policy/policy.ts';
import { foldText } from '../../../contract/text/normalize.ts';
import { wholeNumber } from '../../../contract/text/plural.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { auditMany } from '../../audit/audit.ts';
import { type Db, type Tx, transact } from '../../db/open.ts';
import { DomainError } from '../../kit/errors.ts';
import { toEuros } from '../../kit/money.ts';
import { emit } from '../../live/emit.ts';
import { notify } from '../../notifications/notify.ts';
import { offerNotices } from '../historia/announce.ts';
import { auditEntry, historyRow, queueNew } from '../historia/history.ts';
import { blockedBecause, lockJoining, refuseBlocked } from '../lectura/cliente.ts';
import { COLUMNS, type PedidoRow } from '../lectura/row.ts';
import { allowedSql } from '../lectura/scope.ts';
import { adjustStockOf, orderLineRows } from '../lineas/lineas.ts';
import { readPrices } from '../lineas/price.ts';
import { refuseCashSale } from '../pagos/cash-limit.ts';
import { payElsewhere } from './cobrar.ts';
import { buildOrder, chooseSeller, findReseller } from './create.ts';
import { storeImport } from './lote.ts';
import { NEXT_NUMBER, refuseTakenNumber } from './numbers.ts';
import { refuseUnwritable } from './unwritable.ts';

const CREATED = { accion: 'Pedido creado' };
/** Reports progress: statements done, and their total number. */
type Tell = (hechos: number, de: number) => void;
/** Orders per statement: PostgreSQL allows 65,535 parameters, and an import has at most 2,000 lines. */
const BATCH = 250;

/** Order date of a row, a microsecond after the previous row, so that lists sorted by date keep the sheet's order. */
const momentOf = (fila: number) => sql<string>`now() + ${fila} * interval '1 microsecond'`;

/** Creates the orders of an import, all or none; returns them in the order of the rows. Throws 422 naming the row (`filas.3.pack_id`) or product. */
export const importPedidos = async (db: Db, actor: Caller, input: ImportPedidos, report: Tell = () => {}): Promise<PedidoRow[]> =>
  transact(db, async (tx) => {
    const orders = await inLockOrder(tx, await numbered(tx, await build(tx, actor, input)));
    const rows: PedidoRow[] = [];
    const statements = 2 * Math.ceil(orders.length / BATCH);
    let done = 0;
    const advance = () => report(++done, statements);
    const filas = new Map<string, number>(orders.map(({ id, fila }) => [id, fila]));
    const filaOf = (id: string) => filas.get(id) as number;
    for (const batch of batchesOf(orders)) {
      const lines = batch.flatMap(({ id, lines }) => orderLineRows(id, lines));
      const made = await tx
        .with('lineas', (query) => query.insertInto('pedidos_lineas').values(lines))
        .insertInto('pedidos')
        .values(batch.map(({ values, fila }) => ({ ...values, fecha_pedido: momentOf(fila) })))
        .returning([...COLUMNS, blockedBecause.as('bloqueado')])
        .execute()
        .catch(refuseTakenNumber(false));
      for (const row of made) inRow(filaOf(row.id), () => refuseBlocked(actor, row));
      rows.push(...made);
      advance();
    }
    await recordAll(tx, actor, rows, advance);
    await queueNew(tx, rows, new Map(orders.map(({ id, lines }) => [id, lines])));
    const taken = orders.map(({ id, lines }) => ({ id, after: lines }));
    const paid = rows.flatMap((row) => {
      const fila = filaOf(row.id);
      const pago = input.filas[fila]?.pago;
      return pago ? [{ row, pago, fila }] : [];
    });
    for (const outcome of (await payElsewhere(tx, actor, paid)).values()) if (outcome instanceof DomainError) throw outcome;
    const onDelivery = rows.filter(({ contra_reembolso }) => contra_reembolso).map(({ id }) => id);
    await refuseCashSale(tx, onDelivery, (id) => `filas.${filaOf(id)}.contra_reembolso`);
    await adjustStockOf(tx, actor, taken, 'pedido', 'filas');
    await storeImport(
      tx,
      actor,
      rows.map(({ id }) => id),
    );
    return rows.toSorted((a, b) => filaOf(a.id) - filaOf(b.id));
  });

type Built = ReturnType<typeof buildOrder>;

/** Numbers the orders in the order of the sheet; `fila` counts from 0. */
async function numbered(tx: Tx, orders: readonly Built[]): Promise<(Built & { fila: number })[]> {
  const { rows } = await sql<{ numero: string }>`SELECT ${NEXT_NUMBER} AS numero FROM generate_series(1, ${orders.length}::int)`.execute(
    tx,
  );
  return orders.map((order, fila) => ({ ...order, fila, values: { ...order.values, numero_orden: rows[fila]?.numero ?? NEXT_NUMBER } }));
}

/** Locks the customers in the usual order and sorts the orders by customer, so that concurrent imports cannot deadlock. */
async function inLockOrder<O extends Built>(tx: Tx, orders: readonly O[]): Promise<O[]> {
  const seller = orders[0]?.values.revendedor_id ?? null;
  await lockJoining(tx, seller, true);
  const column = (name: 'cliente_nombre' | 'cliente_telefono' | 'cliente_codigo_postal' | 'cliente_pais') =>
    orders.map(({ values }) => values[name] ?? null);
  const { rows } = await sql<{ clave: string | null }>`
    SELECT clave_cliente(nombre, telefono, postal, pais) AS clave FROM unnest(
      ${column('cliente_nombre')}::text[], ${column('cliente_telefono')}::text[], ${column('cliente_codigo_postal')}::text[],
      ${column('cliente_pais')}::text[]) WITH ORDINALITY AS f (nombre, telefono, postal, pais, n) ORDER BY n`.execute(tx);
  const claves = rows.map(({ clave }) => clave ?? '');
  await sql`
    SELECT 1 FROM clientes c WHERE c.id IN (
      SELECT unnest(ARRAY[k.id, k.principal]) FROM clientes k
      WHERE k.clave = ANY (${[...new Set(claves)]}::text[]) AND k.revendedor_id IS NOT DISTINCT FROM ${seller}::uuid)
    ORDER BY c.es_principal, c.id FOR UPDATE`.execute(tx);
  const keyed = orders.map((order, i) => ({ order, clave: claves[i] ?? '' }));
  return keyed.sort((a, b) => (a.clave < b.clave ? -1 : Number(a.clave > b.clave))).map(({ order }) => order);
}

async function build(tx: Tx, actor: Actor, { filas, revendedor_id, cobrar }: ImportPedidos) {
  refuseUnwritable(actor, { revendedor_id } as object);
  const reseller = await findReseller(tx, chooseSeller(actor, revendedor_id));
  const inputs = filas.map(({ lineas, ...fila }) => ({
    ...NOTHING_GIVEN,
    ...fila,
    // Asks for the shipping of a country without tariff.
    envio: fila.envio ?? null,
    ...(lineas && { lineas: lineas.map((linea) => ({ producto: null, ...linea })) }),
  }));
  // equivalent (reseller?.id): null and undefined both mean no reseller
  const prices = await readPrices(tx, inputs, reseller?.id ?? null);
  const asked = cobrar ? ('pendiente_pago' as const) : ('pendiente' as const);
  const estado = writesField(actor, 'estado') ? asked : null;
  return inputs.map((input, i) => inRow(i, () => buildOrder(actor, { ...input, estado }, { reseller, prices, numero: NEXT_NUMBER })));
}
const NOTHING_GIVEN = { numero_orden: null, producto: null };

function inRow<T>(i: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError) || !error.body.errors) throw error;
    const errors = Object.fromEntries(Object.entries(error.body.errors).map(([field, words]) => [`filas.${i}.${field}`, words]));
    throw new DomainError(error.status, `Fila ${i + 1}: ${error.body.message}`, { errors, code: error.body.code });
  }
}

async function recordAll(tx: Tx, actor: Caller, rows: readonly PedidoRow[], advance: () => void): Promise<void> {
  for (const batch of batchesOf(rows)) {
    const entries = batch.map((row) => ({ row, entry: historyRow(actor, CREATED, null, row) }));
    await auditMany(
      tx,
      actor,
      entries.map(({ row, entry }) => auditEntry(entry, 'create', row.numero_orden)),
    );
    await tx
      .insertInto('pedidos_historial')
      .values(entries.map(({ entry }) => ({ ...entry, cambios: JSON.stringify(entry.cambios) })))
      .execute();
    advance();
  }
  await notify(tx, ...offerNotices(actor, rows), {
    tipo: 'pedido_nuevo',
    texto:
      rows.length === 1
        ? `${actor.full_name} ha creado un pedido`
        : `${actor.full_name} ha creado ${wholeNumber(rows.length)} pedidos a la vez`,
    roles: ['superadmin'],
    except: actor.id,
    enlace: '/pedidos/importar',
    mail: true,
  });
  emit(tx, {
    topic: 'pedidos',
    roles: ['superadmin', 'transportista'],
    users: rows[0]?.revendedor_id ? [rows[0].revendedor_id] : [],
  });
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let i = 0; i < all.length; i += BATCH) yield all.slice(i, i + BATCH);
}

/** Checks an import without writing: totals in euros, missing stock, likely repeats. Throws 422 naming an invalid row. */
export const checkImport = async (db: Db, actor: Caller, input: ImportPedidos): Promise<Answer<typeof checkEndpoint>['data']> =>
  transact(db, async (tx) => {
    const orders = await build(tx, actor, input);
    const wanted = new Map<string, number>();
    for (const { lines } of orders)
      for (const { product_id, unidades } of lines) if (product_id) wanted.set(product_id, (wanted.get(product_id) ?? 0) + unidades);
    const products = await tx
      .selectFrom('products')
      .select(['id', 'name', 'stock'])
      .where('id', '=', sql<string>`ANY (${[...wanted.keys()]}::uuid[])`)
      .orderBy('name')
      .execute();
    return {
      total: toEuros(orders.reduce((sum, { values }) => sum + values.precio_total_cents, 0)),
      totales: orders.map(({ values }) => toEuros(values.precio_total_cents)),
      faltan: products
        .filter(({ id, stock }) => stock < (wanted.get(id) ?? 0))
        .map(({ id, name, stock }) => `${name}: hacen falta ${wanted.get(id) ?? 0} unidades y quedan ${stock}`),
      repetidas: await repeated(tx, actor, input.filas),
    };
  });

/** Digits of a telephone that identifies a person, else ''. */
const identifying = (text: string | null | undefined): string => {
  const digits = telephoneDigits(text);
  return isMadeUp(digits) ? '' : digits;
};

/** Keys that identify repeated orders: the reference of the sheet, and each pack with the telephone or, without a telephone, name and address. */
const marksOf = ({
  referencia_externa,
  cliente_telefono,
  cliente_nombre,
  cliente_direccion,
  pack_id,
  lineas,
}: ImportPedidos['filas'][number]) => {
  const digits = identifying(cliente_telefono);
  const who = digits || `${foldText(cliente_nombre)}|${foldText(cliente_direccion)}`;
  const packs = (lineas ?? [{ pack_id }]).map((line) => `${who} ${line.pack_id ?? ''}`);
  return { reference: referencia_externa?.toLowerCase() ?? '', packs: [...new Set(packs)] };
};

/** Returns the rows that repeat an earlier row or an order whose contact `actor` sees. Orders repeat by reference or, if recent, by customer and pack. */
async function repeated(tx: Tx, actor: Actor, filas: ImportPedidos['filas']) {
  const marks = filas.map(marksOf);
  const texts = (values: (string | null | undefined)[]) => sql<string>`ANY (${values.filter((value): value is string => !!value)}::text[])`;
  const visible = tx
    .selectFrom('pedidos as p')
    .where('p.deleted_at', 'is', null)
    .where('p.estado', '<>', 'cancelado')
    .where('p.id', 'in', tx.selectFrom('pedidos').select('id').where(allowedSql(actor, 'pedido:contact')));
  const recent = await visible
    .innerJoin('pedidos_lineas as l', 'l.pedido_id', 'p.id')
    .select(['p.numero_orden', 'l.pack_id', 'p.cliente_nombre', 'p.cliente_direccion'])
    .select(sql<string>`CASE WHEN es_inventado(telefono(p.cliente_telefono)) THEN '' ELSE telefono(p.cliente_telefono) END`.as('digits'))
    .where('p.fecha_pedido', '>', sql<string>`now() - make_interval(days => ${DUPLICATE_DAYS})`)
    .where((eb) =>
      eb.or([
        eb(sql<string>`telefono(p.cliente_telefono)`, '=', texts(filas.map(({ cliente_telefono }) => identifying(cliente_telefono)))),
        eb(
          sql<string>`normaliza(p.cliente_nombre)`,
          '=',
          texts(filas.map(({ cliente_telefono, cliente_nombre }) => (identifying(cliente_telefono) ? null : foldText(cliente_nombre)))),
        ),
      ]),
    )
    .execute();
  const numbered = await visible
    .select(['p.numero_orden', sql<string>`lower(p.referencia_externa)`.as('reference')])
    .where(sql<string>`p.referencia_externa`, '=', texts(filas.map(({ referencia_externa }) => referencia_externa)))
    .execute();
  const byReference = new Map(numbered.map((row) => [row.reference, row.numero_orden]));
  const orders = new Map(
    recent.map((row) => [
      `${row.digits || `${foldText(row.cliente_nombre)}|${foldText(row.cliente_direccion)}`} ${row.pack_id ?? ''}`,
      row.numero_orden,
    ]),
  );
  const rows = new Map<string, number>();
  return marks.flatMap(({ reference, packs }, fila) => {
    const first = <V>(of: ReadonlyMap<string, V>) => packs.flatMap((key) => of.get(key) ?? [])[0] ?? null;
    const same = byReference.get(reference);
    const [como_fila, numero_orden] = [first(rows), same ?? first(orders)];
    for (const key of packs) if (!rows.has(key)) rows.set(key, fila);
    const repeats = numero_orden !== null || como_fila !== null;
    return repeats ? [{ fila, numero_orden, como_fila, ...(same !== undefined && { por_referencia: true }) }] : [];
  });
}
