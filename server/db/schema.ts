import type { Generated, GeneratedAlways } from 'kysely';
import type { AuditType } from '../../contract/audit.ts';
import type { EstadoPago, ProveedorPago } from '../../contract/payments.ts';
import type { Estado, MetodoEntrega } from '../../contract/pedidos.flow.ts';
import type { Role } from '../../contract/policy.ts';

/** Instants are ISO strings in UTC and bigints are numbers on both engines (see open.ts). */
type Instant = string;

export interface Tables {
  settings: { id: Generated<number>; data: Generated<Record<string, unknown>>; version: Generated<number> };
  users: UsersTable;
  sessions: {
    token_hash: string;
    user_id: string;
    ip: string | null;
    user_agent: string | null;
    created_at: Generated<Instant>;
    last_seen_at: Generated<Instant>;
  };
  login_attempts: { key: string; failures: number; blocked_until: Instant | null; last_at: Generated<Instant> };
  one_time_tokens: { purpose: string; token_hash: string; created_at: Generated<Instant> };
  audit_logs: {
    id: Generated<string>;
    created_at: Generated<Instant>;
    type: AuditType;
    action: string;
    entity_type: string;
    entity_id: string | null;
    description: string;
    actor_user_id: string | null;
    actor_role: string;
    actor_nombre: string;
    ip: string | null;
    antes: Json;
    despues: Json;
    hidden_at: Instant | null;
  };
  products: {
    id: Generated<string>;
    name: string;
    description: string | null;
    stock: Generated<number>;
    min_stock: number;
    is_active: boolean;
    created_at: Generated<Instant>;
  };
  product_packs: {
    id: Generated<string>;
    product_id: string;
    name: string;
    alias: string;
    pack_quantity: number;
    pack_price_cents: number;
    is_active: boolean;
    created_at: Generated<Instant>;
  };
  pedidos: PedidosTable;
  order_numbers: { year: number; last: number };
  pedidos_historial: {
    id: Generated<string>;
    pedido_id: string;
    created_at: Generated<Instant>;
    actor_user_id: string | null;
    actor_role: string;
    actor_nombre: string;
    accion: string;
    estado_anterior: Estado | null;
    estado_nuevo: Estado | null;
    nota: string | null;
    cambios: Json;
  };
  stock_movements: {
    id: Generated<string>;
    product_id: string;
    unidades: number;
    motivo: string;
    pedido_id: string | null;
    nota: string | null;
    actor_user_id: string | null;
    actor_nombre: string;
    created_at: Generated<Instant>;
  };
  pagos: {
    id: Generated<string>;
    pedido_id: string;
    proveedor: ProveedorPago;
    referencia: string;
    importe_cents: number;
    estado: Generated<EstadoPago>;
    externo_id: Generated<string | null>;
    nota: Generated<string | null>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
  };
  payment_events: {
    proveedor: ProveedorPago;
    evento_id: string;
    externo_id: string | null;
    pedido_id: string | null;
    importe_cents: number | null;
    moneda: string | null;
    resultado: string;
    received_at: Generated<Instant>;
  };
  idempotency_keys: { actor_id: string; key: string; body_hash: string; pedido_id: string; created_at: Generated<Instant> };
  notifications: {
    id: Generated<string>;
    user_id: string;
    tipo: string;
    texto: string;
    enlace: string;
    created_at: Generated<Instant>;
    read_at: Instant | null;
  };
  mails: {
    id: Generated<string>;
    para: string;
    asunto: string;
    texto: string;
    html: string;
    digest: Generated<boolean>;
    due_at: Generated<Instant>;
    attempts: Generated<number>;
    locked_until: Instant | null;
    sent_at: Instant | null;
    failed_at: Instant | null;
    error: string | null;
    created_at: Generated<Instant>;
  };
  exports: {
    id: Generated<string>;
    user_id: string;
    name: string;
    formato: 'xlsx' | 'csv';
    peticion: Json;
    estado: Generated<'en_curso' | 'listo' | 'error' | 'cancelado'>;
    hechas: Generated<number>;
    total: Generated<number>;
    size: Generated<number | null>;
    content: Generated<Uint8Array | null>;
    created_at: Generated<Instant>;
    finished_at: Generated<Instant | null>;
  };
  recovery_codes: { user_id: string; code_hash: string; used_at: Instant | null };
  backups: {
    id: Generated<string>;
    nombre: string;
    origen: 'manual' | 'programada';
    estado: Generated<'en_curso' | 'verificada' | 'error'>;
    size: Generated<number | null>;
    filas: Generated<number | null>;
    checksum: Generated<string | null>;
    error: Generated<string | null>;
    created_at: Generated<Instant>;
    verified_at: Generated<Instant | null>;
  };
  push_subscriptions: { endpoint: string; user_id: string; p256dh: string; auth: string; created_at: Generated<Instant> };
  pushes: {
    notification_id: string;
    endpoint: string;
    due_at: Generated<Instant>;
    attempts: Generated<number>;
    error: Generated<string | null>;
  };
  pedidos_totales: {
    ambito: 'todo' | 'revendedor' | 'transportista';
    ambito_id: string;
    dia: string;
    estado: Estado;
    pedidos: number;
    total_cents: number;
  };
}

/** JSON columns take text (JSON.stringify) so that both drivers store the same bytes. */
type Json = import('kysely').ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;

export interface UsersTable {
  id: Generated<string>;
  full_name: string;
  email: string;
  username: string | null;
  password_hash: string;
  role: Role;
  is_active: boolean;
  password_changed_at: Generated<Instant>;
  /** Sealed by kit/secrets.ts; the pending one waits for its first code. */
  totp_secret: Generated<string | null>;
  totp_pending: Generated<string | null>;
  totp_last_step: Generated<number | null>;
  created_at: Generated<Instant>;
  deleted_at: Instant | null;
}

export interface PedidosTable {
  id: Generated<string>;
  numero_orden: string;
  revendedor_id: string | null;
  revendedor_nombre: string | null;
  transportista_id: string | null;
  transportista_nombre: string | null;
  cliente_nombre: string;
  cliente_direccion: string;
  cliente_direccion2: string | null;
  cliente_ciudad: string | null;
  cliente_provincia: string | null;
  cliente_codigo_postal: string | null;
  cliente_pais: string | null;
  cliente_telefono: string | null;
  instrucciones: string | null;
  product_id: string | null;
  pack_id: string | null;
  producto: string;
  cantidad: number;
  precio_unitario_cents: number;
  precio_total_cents: number;
  /** Units of the product this order holds; 0 once they went back, or when it never took any. */
  unidades_retenidas: Generated<number>;
  estado: Estado;
  fecha_pedido: Generated<Instant>;
  fecha_estimada: Instant | null;
  fecha_completado: Instant | null;
  fecha_pago: Instant | null;
  metodo_entrega: MetodoEntrega | null;
  numero_seguimiento: string | null;
  empresa_transporte: Generated<string>;
  motivo: string | null;
  pago_token: string | null;
  /** When the reseller was reminded that it is unpaid. */
  recordatorio_at: Generated<Instant | null>;
  /** When the customer said that the transfer is made. */
  transferencia_avisada_at: Generated<Instant | null>;
  version: Generated<number>;
  created_at: Generated<Instant>;
  updated_at: Generated<Instant>;
  deleted_at: Instant | null;
  busqueda: GeneratedAlways<string>;
}
