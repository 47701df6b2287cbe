import type { Selectable, SqlBool } from 'kysely';
import { FIELDS, PEDIDO_FIELDS, type PedidoFieldName } from '../../contract/pedidos.fields.ts';
import { WITHDRAWN } from '../../contract/pedidos.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import { precompile } from '../db/precompile.ts';
import type { PedidosTable } from '../db/schema.ts';
import { DomainError, notFound } from '../kit/errors.ts';
import { itsCustomer, type Said } from './cliente.ts';
import { contactHidden } from './contact.ts';
import { itsLines, type Line } from './lineas.ts';
import { visible } from './scope.ts';
import { trackingTemplate } from './tracking.ts';
import { withdrawalOf } from './withdrawn.ts';

type Fields = typeof PEDIDO_FIELDS;
/** The column that stores a field; money is stored in cents. */
type ColumnOf<N extends PedidoFieldName> = Fields[N]['kind'] extends 'money' ? `${N}_cents` : N;
type FieldColumn = { [N in PedidoFieldName]: ColumnOf<N> }[PedidoFieldName];
export const columnOf = (name: PedidoFieldName) => (PEDIDO_FIELDS[name].kind === 'money' ? `${name}_cents` : name) as FieldColumn;

/** Columns that are not fields; true for those read with each order, though never sent to a client. */
const INTERNAL = {
  fecha_pago: true,
  fecha_estimada_fijada: true,
  pago_token: true,
  envio_fijado: true,
  devuelto_cents: false,
  transferencia_avisada_at: false,
  transferencia_recordada_at: false,
  recordatorio_at: false,
  cliente_id: false,
} as const satisfies Record<Exclude<keyof PedidosTable, FieldColumn>, boolean>;
type Internal = { [C in keyof typeof INTERNAL]: (typeof INTERNAL)[C] extends true ? C : never }[keyof typeof INTERNAL];
const INTERNAL_COLUMNS = Object.entries(INTERNAL).flatMap(([column, read]) => (read ? [column as Internal] : []));

/** The columns read of an order: its fields, the internal ones, and what the settings say of it. */
export const COLUMNS = precompile([...FIELDS.map(columnOf), ...INTERNAL_COLUMNS, trackingTemplate, contactHidden.as('contacto_oculto')]);
const LINES = precompile([itsLines.as('lineas')]);
const CUSTOMER = precompile([itsCustomer.as('cliente')]);

/** What the database computes of an order. */
type Computed = 'pendiente_cents';
/** What is stored of an order. */
export type StoredPedido = Pick<Selectable<PedidosTable>, Exclude<FieldColumn | Internal, Computed>>;
/** What is read of an order, and beside it only where asked for. */
export type PedidoRow = StoredPedido &
  Pick<Selectable<PedidosTable>, Computed> & { seguimiento_plantilla: string | null; contacto_oculto: SqlBool } & Partial<Beside>;
/** The lines of an order, and what is said about its customer. */
type Beside = { lineas: Line[]; cliente: Said | null };

/** The columns read of an order, with those beside it that are asked for; one query, as a round trip costs more than they do. */
export const columnsWith = (beside: { [K in keyof Beside]?: boolean }) => [
  ...COLUMNS,
  ...(beside.lineas ? LINES : []),
  ...(beside.cliente ? CUSTOMER : []),
];
const PLAIN = columnsWith({});
const WHOLE = columnsWith({ lineas: true, cliente: true });

/** The order `id`. Throws 404 unless `actor` may read it; a carrier who had it is told who took it. */
export async function findPedido(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(db, actor, id).executeTakeFirst()) ?? unreadable(db, actor, id);
}

/** The same with its lines and what is said about its customer. */
export async function findWhole(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(db, actor, id, WHOLE).executeTakeFirst()) ?? unreadable(db, actor, id);
}

/** The same, locked until the transaction ends; every change of an order starts here. */
export async function lockPedido(tx: Tx, actor: Actor, id: string): Promise<PedidoRow> {
  return (await readable(tx, actor, id).forUpdate().executeTakeFirst()) ?? unreadable(tx, actor, id);
}

async function unreadable(db: Db | Tx, actor: Actor, id: string): Promise<never> {
  const withdrawal = await withdrawalOf(db, actor, id);
  throw withdrawal === undefined ? notFound() : new DomainError(404, withdrawal, { code: WITHDRAWN });
}

const readable = (db: Db | Tx, actor: Actor, id: string, columns = PLAIN) =>
  db.selectFrom('pedidos').select(columns).where('id', '=', id).where(visible(actor));
