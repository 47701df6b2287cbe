import type { Pedido, PedidoDisponible, PedidoTransportista } from '../../contract/pedidos.ts';
import { type Actor, can } from '../../contract/policy.ts';
import { toEuros } from '../kit/money.ts';
import type { PedidoRow } from './row.ts';
import { trackingUrl } from './tracking.ts';

/** The order as `actor` may see it (design, section 4.13). `origin` is where its payment link leads. */
export function present(actor: Actor, row: PedidoRow, origin: string): Pedido | PedidoTransportista | PedidoDisponible {
  if (can(actor, 'pedido:prices')) return presentFull(row, origin);
  return can(actor, 'pedido:contact', row) ? presentCarried(row) : presentOpen(row);
}

/** Everything, amounts in euros. */
export function presentFull(row: PedidoRow, origin: string): Pedido {
  return {
    ...presentCarried(row),
    revendedor_id: row.revendedor_id,
    revendedor_nombre: row.revendedor_nombre,
    pack_id: row.pack_id,
    precio_unitario: toEuros(row.precio_unitario_cents),
    precio_total: toEuros(row.precio_total_cents),
    payment_link: row.pago_token && `${origin}/pagar/${row.pago_token}`,
    deleted_at: row.deleted_at,
  };
}

/** What its carrier sees: no price, no payment link. */
export function presentCarried(row: PedidoRow): PedidoTransportista {
  return {
    ...presentOpen(row),
    cliente_direccion2: row.cliente_direccion2,
    cliente_telefono: row.cliente_telefono,
    instrucciones: row.instrucciones,
    transportista_nombre: row.transportista_nombre,
    fecha_completado: row.fecha_completado,
    numero_seguimiento: row.numero_seguimiento,
    seguimiento_url: trackingUrl(row.seguimiento_plantilla, row.numero_seguimiento),
    metodo_entrega: row.metodo_entrega,
    empresa_transporte: row.empresa_transporte,
    motivo: row.motivo,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** What any carrier sees before somebody takes it. */
export function presentOpen(row: PedidoRow): PedidoDisponible {
  return {
    id: row.id,
    numero_orden: row.numero_orden,
    cliente_nombre: row.cliente_nombre,
    cliente_direccion: row.cliente_direccion,
    cliente_ciudad: row.cliente_ciudad,
    cliente_provincia: row.cliente_provincia,
    cliente_codigo_postal: row.cliente_codigo_postal,
    cliente_pais: row.cliente_pais,
    producto: row.producto,
    cantidad: row.cantidad,
    estado: row.estado,
    fecha_pedido: row.fecha_pedido,
    fecha_estimada: row.fecha_estimada,
    transportista_id: row.transportista_id,
    version: row.version,
  };
}
