import type { AliasedRawBuilder, Selectable } from 'kysely';
import type { Actor } from '../../contract/policy.ts';
import type { Db, Tx } from '../db/open.ts';
import type { PedidosTable } from '../db/schema.ts';
import { notFound } from '../kit/errors.ts';
import { visible } from './scope.ts';
import { trackingTemplate } from './tracking.ts';

/** Every column but the search text, which nobody reads, and the tracking page of the order's company. */
export const COLUMNS = [
  'id',
  'numero_orden',
  'revendedor_id',
  'revendedor_nombre',
  'transportista_id',
  'transportista_nombre',
  'cliente_nombre',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_ciudad',
  'cliente_provincia',
  'cliente_codigo_postal',
  'cliente_pais',
  'cliente_telefono',
  'instrucciones',
  'product_id',
  'pack_id',
  'producto',
  'cantidad',
  'precio_unitario_cents',
  'precio_total_cents',
  'unidades_retenidas',
  'estado',
  'fecha_pedido',
  'fecha_estimada',
  'fecha_completado',
  'fecha_pago',
  'metodo_entrega',
  'numero_seguimiento',
  'empresa_transporte',
  'motivo',
  'pago_token',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  trackingTemplate,
] as const satisfies readonly (keyof PedidosTable | AliasedRawBuilder<unknown, string>)[];

export type PedidoRow = Pick<Selectable<PedidosTable>, Extract<(typeof COLUMNS)[number], string>> & {
  seguimiento_plantilla: string | null;
};

/** The order `id` if `actor` may read it. Throws 404 otherwise. */
export async function findPedido(db: Db | Tx, actor: Actor, id: string): Promise<PedidoRow> {
  const row = await db.selectFrom('pedidos').select(COLUMNS).where('id', '=', id).where(visible(actor)).executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

/** The same, locked until the transaction ends: whoever changes an order starts here. */
export async function lockPedido(tx: Tx, actor: Actor, id: string): Promise<PedidoRow> {
  const row = await tx.selectFrom('pedidos').select(COLUMNS).where('id', '=', id).where(visible(actor)).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
