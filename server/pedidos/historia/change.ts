import { type Expression, isExpression, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { UNPREPARED } from '../../db/pool.ts';
import type { Tables } from '../../db/schema.ts';
import type { Earned } from '../../ganancias/ledger.ts';
import { conflict } from '../../kit/errors.ts';
import { recipientsIn } from '../../notifications/notify.ts';
import { lockClientesOf } from '../lectura/cliente.ts';
import { COLUMNS, type PedidoRow, type StoredPedido } from '../lectura/row.ts';
import { type Recorded, withChangeRecords } from './history.ts';

/** Columns of an order to be written, with their values or expressions. */
export type ChangedColumns = UpdateObject<Tables, 'pedidos'>;
/** Update of a locked order, with its history entry. */
export type Change = { row: PedidoRow; set: ChangedColumns; step: Recorded };
type EarnedBy = (rows: readonly PedidoRow[]) => Earned | undefined;

/** Writes `set` to a locked order, increments its version and records `step`. Not for the estado, which only transitions change. */
export async function changePedido(tx: Tx, actor: Actor, row: PedidoRow, set: ChangedColumns, step: Recorded): Promise<PedidoRow> {
  const [updated = row] = (await changeAll(tx, actor, [{ row, set, step }])).values();
  return updated;
}

/** Like `changePedido` for many, in one statement per set of columns, which adds `earned` too. Rows by id, in the order of `changes`. */
export async function changeAll(tx: Tx, actor: Actor, changes: readonly Change[], earned?: EarnedBy): Promise<Map<string, PedidoRow>> {
  const written = new Map<string, PedidoRow>(changes.map(({ row }) => [row.id, row]));
  const counted = recounted(changes);
  if (counted.length > 1) await lockClientesOf(tx, counted, true);
  for (const group of groupsOf(await settle(tx, changes)))
    for (const row of await write(tx, actor, group, earned)) written.set(row.id, row);
  return written;
}

// Orders whose change makes a trigger recount the customer. Triggers lock one customer at a time, which could deadlock.
const recounted = (changes: readonly Change[]) =>
  changes.filter(({ set }) => set.deleted_at !== undefined || set.estado === 'cancelado').map(({ row }) => row.id);

/** Clears `cargado_at` for a new carrier, and evaluates the promised date, because the history needs its value. */
async function settle(tx: Tx, changes: readonly Change[]): Promise<Change[]> {
  const instants = new Map<unknown, string | null>();
  const settled: Change[] = [];
  for (const { row, set: values, step } of changes) {
    const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as ChangedColumns;
    // A new carrier has not loaded the parcel yet.
    if (set.transportista_id !== undefined && set.transportista_id !== row.transportista_id) set.cargado_at = null;
    const { fecha_estimada } = set;
    if (isExpression(fecha_estimada)) {
      const known = instants.get(fecha_estimada);
      const instant = known === undefined ? await evaluate(tx, fecha_estimada) : known;
      instants.set(fecha_estimada, instant);
      set.fecha_estimada = instant;
    }
    settled.push({ row, set, step });
  }
  return settled;
}

const evaluate = async (tx: Tx, expression: Expression<unknown>) =>
  (await tx.selectNoFrom(sql<string | null>`(${expression})::timestamptz`.as('instant')).executeTakeFirstOrThrow()).instant;

/** Groups the changes that one statement can write: the same columns, with the same expressions. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const expressions = new Map<unknown, number>();
  const numberOf = (value: unknown) => {
    if (!expressions.has(value)) expressions.set(value, expressions.size);
    return expressions.get(value);
  };
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const columns = Object.entries(change.set).map(([name, value]) => `${name} ${isExpression(value) ? (numberOf(value) ?? '') : ''}`);
    const key = columns.sort().join();
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

async function write(tx: Tx, actor: Actor, group: readonly Change[], earned?: EarnedBy): Promise<PedidoRow[]> {
  const rows = group.map(({ row }) => row);
  const recorded = group.map(({ row, set, step }) => ({ step, before: row, after: { ...row, ...set } as StoredPedido }));
  const traces = withChangeRecords(tx, actor, recorded, earned?.(rows));
  const stamp = { version: sql<number>`pedidos.version + 1`, updated_at: sql<string>`now()` };
  const [first, second] = group;
  if (!first) return [];
  const update = traces.with.updateTable('pedidos');
  const found = second
    ? await update
        .from(newValues(group))
        .set({ ...setOf(first.set), ...stamp })
        .where(sql<SqlBool>`pedidos.id = n.n_id AND pedidos.version = n.n_version ${UNPREPARED}`)
        .returning([...COLUMNS, traces.answer[0], recipientsIn(sql<SqlBool>`pedidos.id = ${first.row.id}`)])
        .execute()
    : await update
        .set({ ...first.set, ...stamp })
        .where('id', '=', first.row.id)
        .where('estado', '=', first.row.estado)
        .returning([...COLUMNS, ...traces.answer])
        .execute();
  const wanted = found.some((row) => row.wanted);
  const recipients = found.find((row) => row.recipients)?.recipients ?? null;
  const byId = new Map(found.map(({ wanted: _, recipients: __, ...row }): [string, PedidoRow] => [row.id, row]));
  const written = rows.flatMap(({ id }) => byId.get(id) ?? []);
  if (written.length < rows.length) throw conflict('El pedido ha cambiado mientras tanto. Vuelve a intentarlo.', 'estado');
  await traces.send({ wanted, recipients }, written);
  return written;
}

/** Returns the values as a table `n`, whose columns have a prefix to distinguish them from the columns of `pedidos`. */
function newValues(group: readonly Change[]) {
  const names = Object.entries(group[0]?.set ?? {}).flatMap(([name, value]) => (isExpression(value) ? [] : [name]));
  const rows = group.map(({ row: { id, version }, set }) => ({
    ...Object.fromEntries(names.map((name) => [name, set[name as keyof ChangedColumns]])),
    id,
    version,
  }));
  const columns = ['id', 'version', ...names].map((name) => sql`r.${sql.ref(name)} AS ${sql.ref(`n_${name}`)}`);
  return sql<object>`(SELECT ${sql.join(columns)} FROM json_populate_recordset(NULL::pedidos, ${JSON.stringify(rows)}) AS r)`.as<'n'>(
    sql`n`,
  );
}

const setOf = (set: ChangedColumns): ChangedColumns =>
  Object.fromEntries(Object.entries(set).map(([name, value]) => [name, isExpression(value) ? value : sql.ref(`n.n_${name}`)]));
