import type { Selectable } from 'kysely';
import { FIELDS, PEDIDO_FIELDS, type PedidoFieldName } from '../../contract/pedidos.fields.ts';
import type { Actor } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import type { PedidosTable } from '../db/schema.ts';
import { notFound } from '../kit/errors.ts';
import { visible } from './scope.ts';
import { trackingTemplate } from './tracking.ts';

type Fields = typeof PEDIDO_FIELDS;
/** The column that stores a field; money is stored in cents. */
type ColumnOf<N extends PedidoFieldName> = Fields[N]['kind'] extends 'money' ? `${N}_cents` : N;
type FieldColumn = { [N in PedidoFieldName]: ColumnOf<N> }[PedidoFieldName];
export const columnOf = (name: PedidoFieldName) => (PEDIDO_FIELDS[name].kind === 'money' ? `${name}_cents` : name) as FieldColumn;

/** Columns that are not fields; true for those read with each order, though never sent to a client. */
const INTERNAL = {
  product_id: true,
  unidades_retenidas: true,
  fecha_pago: true,
  pago_token: true,
  busqueda: false,
  transferencia_avisada_at: false,
  recordatorio_at: false,
} as const satisfies Record<Exclude<keyof PedidosTable, FieldColumn>, boolean>;
type Internal = { [C in keyof typeof INTERNAL]: (typeof INTERNAL)[C] extends true ? C : never }[keyof typeof INTERNAL];
const INTERNAL_COLUMNS = Object.entries(INTERNAL).flatMap(([column, read]) => (read ? [column as Internal] : []));

/** The columns read of an order: its fields, the internal ones, and its company's tracking page. */
export const COLUMNS = [...FIELDS.map(columnOf), ...INTERNAL_COLUMNS, trackingTemplate] as const;

export type PedidoRow = Pick<Selectable<PedidosTable>, FieldColumn | Internal> & { seguimiento_plantilla: string | null };

/** The order `id`. Throws 404 unless `actor` may read it. */
export async function findPedido(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  const row = await db.selectFrom('pedidos').select(COLUMNS).where('id', '=', id).where(visible(actor)).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the transaction ends; every change of an order starts here. */
export async function lockPedido(tx: Tx, actor: Actor, id: string): Promise<PedidoRow> {
  const row = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', id).where(visible(actor)).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
