import { FIELDS, pedidoField } from '../../contract/pedidos.fields.ts';
import type { Tables } from '../db/schema.ts';

type Why = 'persona' | 'negocio' | 'codigo' | 'derivado' | 'retirado' | 'cifrado';
const OF_FIELDS: Record<string, Why> = Object.fromEntries(
  FIELDS.flatMap((name) => {
    const { erased } = pedidoField(name);
    return typeof erased === 'string' ? [[name, erased]] : [];
  }),
);

/** Columns without customer data. `persona`: accounts; `derivado`: recomputed; `retirado`: deleted with every block; `cifrado`. */
export const WITHOUT: Readonly<Partial<Record<keyof Tables, Readonly<Record<string, Why>>>>> = {
  api_keys: { nombre: 'negocio', key_hash: 'codigo', inicio: 'codigo', acciones: 'codigo', creada_por: 'persona' },
  audit_logs: {
    type: 'codigo',
    action: 'codigo',
    entity_type: 'codigo',
    entity_id: 'codigo',
    actor_role: 'codigo',
    actor_nombre: 'persona',
    ip: 'persona',
  },
  backups: {
    nombre: 'codigo',
    origen: 'codigo',
    estado: 'codigo',
    checksum: 'codigo',
    error: 'negocio',
    fase: 'codigo',
    verificacion: 'codigo',
  },
  cambios: { tipo: 'codigo', xid: 'codigo' },
  // Copied from the latest order and deleted with the last.
  clientes: {
    clave: 'derivado',
    nombre: 'derivado',
    telefono: 'derivado',
    codigo_postal: 'derivado',
    ciudad: 'derivado',
    busqueda: 'derivado',
  },
  cajas: { transportista_nombre: 'persona', confirmada_por_nombre: 'persona' },
  // Order numbers, product names and account names.
  cuadres: { diferencias: 'negocio' },
  comentarios: { autor_nombre: 'persona', autor_role: 'codigo' },
  datos_bloqueados: { datos: 'cifrado', motivo: 'negocio' },
  devoluciones: { motivo: 'codigo', actor_nombre: 'persona' },
  devoluciones_lineas: { destino: 'codigo' },
  entregas: { forma_entrega: 'codigo', receptor_relacion: 'codigo', anunciadas: 'codigo' },
  events: { tipo: 'codigo', xid: 'codigo' },
  exports: { name: 'codigo', formato: 'codigo', estado: 'codigo', content: 'retirado', error: 'negocio' },
  ganancias: { numero_orden: 'codigo', zona: 'codigo', concepto: 'codigo', margen_tipo: 'codigo', detalle: 'negocio' },
  idempotency_keys: { key: 'codigo', body_hash: 'codigo', respuesta: 'retirado' },
  intentos: { transportista_nombre: 'persona', llamado: 'codigo' },
  job_failures: { name: 'codigo', reason: 'negocio' },
  liquidaciones: {
    numero: 'codigo',
    persona_nombre: 'persona',
    role: 'codigo',
    cerrada_por_nombre: 'persona',
    pago_referencia: 'negocio',
  },
  login_attempts: { key: 'persona' },
  margenes: { tipo: 'codigo' },
  notifications: { tipo: 'codigo', enlace: 'codigo', role: 'codigo' },
  one_time_tokens: { purpose: 'codigo', token_hash: 'codigo' },
  outbox: { channel: 'codigo', recipient: 'persona', host: 'negocio', error: 'negocio' },
  pagos: { proveedor: 'codigo', estado: 'codigo', externo_id: 'codigo' },
  payment_events: {
    proveedor: 'codigo',
    evento_id: 'codigo',
    externo_id: 'codigo',
    moneda: 'codigo',
    resultado: 'codigo',
    resolucion: 'codigo',
  },
  pedidos: { ...OF_FIELDS, pago_token: 'codigo' },
  pedidos_busqueda: { texto: 'derivado' },
  pedidos_historial: {
    actor_role: 'codigo',
    actor_nombre: 'persona',
    accion: 'codigo',
    estado_anterior: 'codigo',
    estado_nuevo: 'codigo',
  },
  pedidos_totales_cambios: { estado: 'codigo' },
  pedidos_totales_dia: { ambito: 'codigo', estado: 'codigo' },
  product_packs: { name: 'negocio', alias: 'negocio' },
  product_pictures: { content: 'negocio', digest: 'codigo' },
  products: { name: 'negocio', description: 'negocio', metadata: 'negocio' },
  // Deleted files leave their checksum, which reveals nothing of them.
  pruebas: { tipo: 'codigo', sha256: 'codigo', anterior: 'codigo', sello: 'codigo', fichero: 'codigo', problema: 'codigo' },
  push_subscriptions: { endpoint: 'persona', p256dh: 'codigo', auth: 'codigo', session_hash: 'codigo', user_agent: 'persona' },
  recovery_codes: { code_hash: 'codigo' },
  secret_keys: { fingerprint: 'codigo' },
  sessions: { token_hash: 'codigo', ip: 'persona', user_agent: 'persona', device: 'persona' },
  settings: { data: 'negocio' },
  stock_movements: { motivo: 'codigo', actor_nombre: 'persona' },
  tarifas: { zona: 'codigo' },
  users: {
    full_name: 'persona',
    email: 'persona',
    username: 'persona',
    password_hash: 'codigo',
    role: 'codigo',
    totp_secret: 'cifrado',
    totp_pending: 'cifrado',
    iban: 'persona',
    zonas: 'negocio',
  },
  vistas: { lista: 'codigo', columnas: 'codigo' },
  vistas_preferidas: { lista: 'codigo' },
  webhooks: { url: 'negocio', descripcion: 'negocio', secreto: 'cifrado', eventos: 'codigo' },
};
