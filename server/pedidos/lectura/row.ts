import {
  createQueryId,
  PostgresQueryCompiler,
  type RootOperationNode,
  type Selectable,
  type SelectExpression,
  type SqlBool,
  sql,
} from 'kysely';
import { FIELDS, PEDIDO_FIELDS, type PedidoFieldName } from '../../../contract/pedidos/fields.ts';
import { WITHDRAWN } from '../../../contract/pedidos/pedidos.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { PedidosTable, Tables } from '../../db/schema.ts';
import { DomainError, notFound } from '../../kit/errors.ts';
import { settingSql } from '../../settings/setting-sql.ts';
import { ZONE } from '../../settings/zone.ts';
import { itsLines, type Line } from '../lineas/lineas.ts';
import { type CustomerNotes, itsCustomer } from './cliente.ts';
import { withdrawalMessage } from './reassigned.ts';
import { visibleSql } from './scope.ts';
import { contactHidden } from './sight.ts';
import { trackingTemplate } from './tracking.ts';

type ColumnOf<N extends PedidoFieldName> = (typeof PEDIDO_FIELDS)[N]['kind'] extends 'money' ? `${N}_cents` : N;
type FieldColumn = { [N in PedidoFieldName]: ColumnOf<N> }[PedidoFieldName];
export const fieldColumn = (name: PedidoFieldName) => (PEDIDO_FIELDS[name].kind === 'money' ? `${name}_cents` : name) as FieldColumn;

/** Columns that are not fields; true if read with each order. */
const INTERNAL = {
  fecha_pago: true,
  fecha_estimada_fijada: true,
  pago_token: true,
  envio_fijado: true,
  devuelto_cents: true,
  transferencia_recordada_at: false,
  recordatorio_at: false,
  venta_aparte: true,
  por_reembolsar_at: false,
  cliente_id: false,
  iva_regimen: true,
  iva_cobrado: true,
} as const satisfies Record<Exclude<keyof PedidosTable, FieldColumn>, boolean>;
type Internal = { [C in keyof typeof INTERNAL]: (typeof INTERNAL)[C] extends true ? C : never }[keyof typeof INTERNAL];
const INTERNAL_COLUMNS = Object.entries(INTERNAL).flatMap(([column, read]) => (read ? [column as Internal] : []));

/** True if the shop allows deliveries in parts. */
const inParts = settingSql('partialDeliveries').as('en_partes');
/** True if the order falls under VAT: the shop uses VAT, and had begun to when it delivered. */
export const underIva = sql<boolean>`(${settingSql('iva')} AND (fecha_completado IS NULL
  OR fecha_completado >= (nullif(${settingSql('ivaDesde')}, '')::date)::timestamp AT TIME ZONE ${settingSql('timezone')}))`;
export const COLUMNS = precompile([
  ...FIELDS.map(fieldColumn),
  ...INTERNAL_COLUMNS,
  trackingTemplate,
  contactHidden.as('contacto_oculto'),
  inParts,
  underIva.as('con_iva'),
  ZONE.as('zona'),
]);
const LINES = precompile([itsLines.as('lineas')]);
const CUSTOMER = precompile([itsCustomer.as('cliente')]);

type Computed = 'pendiente_cents' | 'por_cobrar_cents' | 'por_reembolsar_cents';
export type StoredPedido = Pick<Selectable<PedidosTable>, Exclude<FieldColumn | Internal, Computed>>;
export type PedidoRow = StoredPedido &
  Pick<Selectable<PedidosTable>, Computed> & {
    seguimiento_plantilla: string | null;
    contacto_oculto: SqlBool;
    en_partes: boolean;
    con_iva: boolean;
    zona: string;
  } & Partial<Beside>;
/** Outcome of each order by id: its row or its refusal. */
export type Outcomes = Map<string, PedidoRow | DomainError>;
type Beside = { lineas: Line[]; cliente: CustomerNotes | null };

/** Columns of an order and of the related data in `beside`, for one query: a second round trip would cost more. */
export const columnsWith = (beside: { [K in keyof Beside]?: boolean }) => [
  ...COLUMNS,
  ...(beside.lineas ? LINES : []),
  ...(beside.cliente ? CUSTOMER : []),
];
const PLAIN = columnsWith({});
const WHOLE = columnsWith({ lineas: true, cliente: true });

/** Returns an order. Throws 404 unless `actor` may read the order; the message tells a former carrier who withdrew it. */
export async function findPedido(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(db, actor, id).executeTakeFirst()) ?? unreadable(db, actor, id);
}

/** Like `findPedido`, with lines and customer notes. */
export async function findWhole(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(db, actor, id, WHOLE).executeTakeFirst()) ?? unreadable(db, actor, id);
}

/** Like `findPedido`, but locks the order until the end of the transaction. */
export async function lockPedido(tx: Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(tx, actor, id).forUpdate().executeTakeFirst()) ?? unreadable(tx, actor, id);
}

/** Like `lockPedido` for many orders, locked by id so that two transactions cannot deadlock; a 404 affects only its own order. */
export async function lockPedidos(tx: Tx, actor: Actor, ids: readonly string[]): Promise<Outcomes> {
  const rows = await tx
    .selectFrom('pedidos')
    .select(PLAIN)
    .where('id', '=', sql<string>`ANY (${ids}::uuid[])`)
    .where(visibleSql(actor))
    .orderBy('id')
    .forUpdate()
    .execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  const outcomes: Outcomes = new Map();
  for (const id of ids) outcomes.set(id, found.get(id) ?? (await refusalOf(tx, actor, id)));
  return outcomes;
}

async function unreadable(db: Db | Tx, actor: Actor, id: string): Promise<never> {
  throw await refusalOf(db, actor, id);
}

async function refusalOf(db: Db | Tx, actor: Actor, id: string): Promise<DomainError> {
  const withdrawal = await withdrawalMessage(db, actor, id);
  return withdrawal === undefined ? notFound() : new DomainError(404, withdrawal, { code: WITHDRAWN });
}

const readable = (db: Db | Tx, actor: Actor, id: string, columns = PLAIN) =>
  db.selectFrom('pedidos').select(columns).where('id', '=', id).where(visibleSql(actor));

/** Compiles `columns` to SQL once: Kysely takes longer than PostgreSQL to read an order. Throws if a column has a parameter. */
function precompile<const C extends readonly SelectExpression<Tables, keyof Tables>[]>(columns: C): C {
  const list = sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)));
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(list.toOperationNode() as RootOperationNode, createQueryId());
  if (parameters.length) throw new Error(`A precompiled column has a parameter: ${text}`);
  // Kysely accepts raw SQL as a selection; the types stay those of the columns.
  return [sql.raw(text)] as unknown as C;
}
