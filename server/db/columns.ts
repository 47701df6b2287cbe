import type { ColumnType, Generated } from 'kysely';

/** ISO text in UTC. */
type Instant = string;
type Json = Record<string, unknown>;

/** The tables as the migrations leave them; written by `npm run columns`, never by hand. */
export interface Columns {
  api_keys: {
    id: Generated<string>;
    nombre: string;
    key_hash: string;
    inicio: string;
    acciones: string[];
    created_at: Generated<Instant>;
    creada_por: string;
    usada_at: Instant | null;
    caduca_at: Instant | null;
    revocada_at: Instant | null;
    creada_por_id: string | null;
  };
  audit_logs: {
    id: Generated<string>;
    created_at: Generated<Instant>;
    type: string;
    action: string;
    entity_type: string;
    entity_id: string | null;
    description: string;
    actor_user_id: string | null;
    actor_role: string;
    actor_nombre: string;
    ip: string | null;
    antes: ColumnType<Json | null, string | null, string | null>;
    despues: ColumnType<Json | null, string | null, string | null>;
    hidden_at: Instant | null;
  };
  backups: {
    id: Generated<string>;
    nombre: string;
    origen: string;
    estado: Generated<string>;
    size: number | null;
    filas: number | null;
    checksum: string | null;
    error: string | null;
    created_at: Generated<Instant>;
    verified_at: Instant | null;
    fase: string | null;
    hechas: Generated<number>;
    total: Generated<number>;
    verificacion: string | null;
    fuera_at: Instant | null;
    fuera_error: string | null;
  };
  cajas: {
    id: Generated<string>;
    transportista_id: string;
    transportista_nombre: string;
    dia: string;
    esperado_cents: number;
    contado_cents: number;
    motivo: string | null;
    entregada_at: Generated<Instant>;
    recibido_cents: number | null;
    confirmada_motivo: string | null;
    confirmada_at: Instant | null;
    confirmada_por: string | null;
    confirmada_por_nombre: string | null;
    version: Generated<number>;
  };
  cambios: {
    tipo: string;
    entidad_id: string;
    xid: string;
  };
  clientes: {
    id: Generated<string>;
    revendedor_id: string | null;
    clave: string;
    unido_a: string | null;
    principal: ColumnType<string, never, never>;
    nombre: string;
    telefono: string | null;
    codigo_postal: string | null;
    ciudad: string | null;
    busqueda: string;
    pedidos: Generated<number>;
    total_cents: Generated<number>;
    ultimo_pedido: Instant | null;
    nota: string | null;
    avisar_antes: Generated<boolean>;
    bloqueado_motivo: string | null;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
    es_principal: ColumnType<boolean, never, never>;
    unido_a_principal: ColumnType<boolean | null, never, never>;
    metadata: ColumnType<Json | null, string | null, string | null>;
  };
  comentarios: {
    id: Generated<string>;
    pedido_id: string;
    autor_id: string | null;
    autor_nombre: string;
    autor_role: string;
    texto: string;
    created_at: Generated<Instant>;
  };
  cuadres: {
    id: Generated<string>;
    started_at: Generated<Instant>;
    ended_at: Instant | null;
    hechas: Generated<number>;
    partes: Generated<number>;
    pedidos: Generated<number>;
    diferencias: ColumnType<Json, string | undefined, string>;
    num_diferencias: Generated<number>;
  };
  datos_bloqueados: {
    pedido_id: string;
    datos: string;
    motivo: string;
    bloqueado_por: string | null;
    created_at: Generated<Instant>;
  };
  devoluciones: {
    id: Generated<string>;
    pedido_id: string;
    motivo: string;
    nota: string | null;
    reembolso_cents: Generated<number>;
    referencia: string | null;
    actor_user_id: string | null;
    actor_nombre: string;
    created_at: Generated<Instant>;
    anulada_at: Instant | null;
    anulada_motivo: string | null;
    resto_pedido_id: string | null;
  };
  devoluciones_lineas: {
    devolucion_id: string;
    numero: number;
    destino: string;
    producto: string;
    product_id: string | null;
    cantidad: number;
    unidades: Generated<number>;
    motivo: Generated<string>;
  };
  entregas: {
    pedido_id: string;
    forma_entrega: string | null;
    receptor_nombre: string | null;
    receptor_relacion: string | null;
    pin_correcto: boolean | null;
    pin_fallos: Generated<number>;
    anunciadas: ColumnType<Json, string | undefined, string>;
    entregada_at: Instant | null;
    sin_comprobar: Generated<string[]>;
  };
  envios: {
    id: Generated<string>;
    plantilla_id: string;
    empresa: string;
    creado_por: string | null;
    creado_por_nombre: string;
    created_at: Generated<Instant>;
    respondido_at: Instant | null;
    sin_pareja: ColumnType<Json, string | undefined, string>;
  };
  envios_pedidos: {
    envio_id: string;
    pedido_id: string;
    resultado: string | null;
    seguimiento: string | null;
    huella: string | null;
    sacado_at: Instant | null;
  };
  events: {
    id: string;
    tipo: string;
    content: ColumnType<Json | null, string | null, string | null>;
    created_at: Instant;
    xid: Generated<string>;
    n: number;
  };
  exports: {
    id: Generated<string>;
    user_id: string;
    name: string;
    formato: string;
    peticion: ColumnType<Json, string, string>;
    estado: Generated<string>;
    hechas: Generated<number>;
    total: Generated<number>;
    size: number | null;
    content: Uint8Array | null;
    created_at: Generated<Instant>;
    finished_at: Instant | null;
    attempts: Generated<number>;
    error: string | null;
  };
  ganancias: {
    id: Generated<string>;
    user_id: string;
    pedido_id: string | null;
    numero_orden: string | null;
    ciudad: string | null;
    zona: string | null;
    concepto: string;
    cents: number;
    detalle: string | null;
    nota: string | null;
    dia: Generated<string>;
    created_at: Generated<Instant>;
    liquidacion_id: string | null;
    margen_tipo: string | null;
    margen_valor: number | null;
    margen_base: number | null;
  };
  idempotency_keys: {
    actor_id: string;
    key: string;
    body_hash: string;
    created_at: Generated<Instant>;
    respuesta: string | null;
  };
  intentos: {
    id: Generated<string>;
    pedido_id: string;
    transportista_id: string | null;
    transportista_nombre: string;
    motivo: string;
    llamado: string | null;
    created_at: Generated<Instant>;
    anunciadas: ColumnType<Json, string | undefined, string>;
  };
  job_failures: {
    name: string;
    reason: string;
    failures: Generated<number>;
    since: Generated<Instant>;
    last_at: Generated<Instant>;
  };
  liquidaciones: {
    id: Generated<string>;
    numero: string;
    user_id: string;
    persona_nombre: string;
    role: string;
    mes: string;
    total_cents: number;
    num_lineas: number;
    cerrada_por: string | null;
    cerrada_por_nombre: string;
    created_at: Generated<Instant>;
    pagada_el: string | null;
    pago_referencia: string | null;
    version: Generated<number>;
  };
  liquidaciones_numeros: {
    anio: number;
    ultimo: number;
  };
  login_attempts: {
    key: string;
    failures: number;
    blocked_until: Instant | null;
    last_at: Generated<Instant>;
  };
  logo_empresa: {
    id: Generated<boolean>;
    content: Uint8Array;
    digest: ColumnType<string, never, never>;
  };
  margenes: {
    user_id: string;
    tipo: string;
    valor: number;
  };
  notification_readers: {
    user_id: string;
    read_until: Instant;
  };
  notification_reads: {
    user_id: string;
    notification_id: string;
    read_at: Generated<Instant>;
  };
  notifications: {
    id: Generated<string>;
    user_id: string | null;
    tipo: string;
    texto: string;
    enlace: string;
    created_at: Generated<Instant>;
    role: string | null;
    except_id: string | null;
    pedido_id: string | null;
  };
  one_time_tokens: {
    purpose: string;
    token_hash: string;
    created_at: Generated<Instant>;
  };
  outbox: {
    id: Generated<string>;
    channel: string;
    recipient: string;
    payload: ColumnType<Json, string, string>;
    digest: Generated<boolean>;
    due_at: Generated<Instant>;
    attempts: Generated<number>;
    error: string | null;
    created_at: Generated<Instant>;
    sent_at: Instant | null;
    failed_at: Instant | null;
    host: string | null;
  };
  pagos: {
    id: Generated<string>;
    pedido_id: string;
    proveedor: string;
    referencia: string;
    importe_cents: number;
    created_at: Generated<Instant>;
    estado: Generated<string>;
    externo_id: string | null;
    nota: string | null;
    updated_at: Generated<Instant>;
    fecha: Generated<string>;
    vence_at: Instant | null;
    transportista_id: string | null;
    caja_dia: string | null;
    devolucion_id: string | null;
    devuelto_cents: Generated<number>;
    comprobado_at: Instant | null;
    comprobado_por: string | null;
  };
  payment_events: {
    proveedor: string;
    evento_id: string;
    externo_id: string | null;
    pedido_id: string | null;
    importe_cents: number | null;
    moneda: string | null;
    resultado: string;
    received_at: Generated<Instant>;
    id: Generated<string>;
    resolucion: string | null;
    motivo: string | null;
    resuelto_at: Instant | null;
  };
  pedidos: {
    id: Generated<string>;
    fecha_pedido: Generated<Instant>;
    deleted_at: Instant | null;
    estado: string;
    revendedor_id: string | null;
    transportista_id: string | null;
    empresa_transporte: Generated<string>;
    numero_orden: string;
    revendedor_nombre: string | null;
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
    pack_id: string | null;
    producto: string;
    cantidad: number;
    precio_unitario_cents: number;
    precio_total_cents: number;
    unidades_retenidas: Generated<number>;
    fecha_estimada: Instant | null;
    fecha_completado: Instant | null;
    fecha_pago: Instant | null;
    metodo_entrega: string | null;
    numero_seguimiento: string | null;
    motivo: string | null;
    pago_token: string | null;
    version: Generated<number>;
    created_at: Generated<Instant>;
    updated_at: Generated<Instant>;
    recordatorio_at: Instant | null;
    transferencia_avisada_at: Instant | null;
    franja_horaria: string | null;
    pagado_cents: Generated<number>;
    fecha_estimada_fijada: Generated<boolean>;
    num_lineas: Generated<number>;
    envio_cents: Generated<number>;
    descuento_cents: Generated<number>;
    cliente_id: string | null;
    cantidad_devuelta: Generated<number>;
    reembolsado_cents: Generated<number>;
    anonimizado_at: Instant | null;
    bloqueado_at: Instant | null;
    devuelto_cents: Generated<number>;
    envio_fijado: Generated<boolean>;
    transferencia_recordada_at: Instant | null;
    pendiente_cents: ColumnType<number, never, never>;
    referencia_externa: string | null;
    incidencia_at: Instant | null;
    aviso_cliente: string | null;
    metadata: ColumnType<Json | null, string | null, string | null>;
    contra_reembolso: Generated<boolean>;
    por_cobrar_cents: ColumnType<number, never, never>;
    vecino_at: Instant | null;
    cargado_at: Instant | null;
    entrega_parcial: Generated<boolean>;
    sin_entregar_cents: Generated<number>;
    en_empresa: string | null;
    en_empresa_at: Instant | null;
    sobra_at: Instant | null;
    por_reembolsar_cents: ColumnType<number, never, never>;
    venta_aparte: Generated<boolean>;
  };
  pedidos_busqueda: {
    pedido_id: string;
    texto: string;
  };
  pedidos_contados: {
    revendedor_id: string | null;
    transportista_id: string | null;
    dia: string | null;
    estado: string | null;
    pedidos: number | null;
    total_cents: number | null;
  };
  pedidos_historial: {
    id: Generated<string>;
    pedido_id: string;
    created_at: Generated<Instant>;
    actor_user_id: string | null;
    actor_role: string;
    actor_nombre: string;
    accion: string;
    estado_anterior: string | null;
    estado_nuevo: string | null;
    nota: string | null;
    cambios: ColumnType<Json, string | undefined, string>;
    retirado_a: string | null;
    ocurrido_at: Instant | null;
    ocurrido_dicho: Instant | null;
    anunciadas: ColumnType<Json | null, string | null, string | null>;
    cobrado_cents: number | null;
    cobrado_metodo: string | null;
    registrado_at: Instant | null;
  };
  pedidos_lineas: {
    pedido_id: string;
    numero: number;
    product_id: string | null;
    pack_id: string | null;
    producto: string;
    cantidad: number;
    precio_unitario_cents: number;
    precio_total_cents: number;
    unidades: Generated<number>;
  };
  pedidos_totales: {
    ambito: string | null;
    ambito_id: string | null;
    dia: string | null;
    estado: string | null;
    pedidos: number | null;
    total_cents: number | null;
  };
  pedidos_totales_cambios: {
    revendedor_id: string | null;
    transportista_id: string | null;
    dia: string;
    estado: string;
    pedidos: number;
    total_cents: number;
  };
  pedidos_totales_dia: {
    ambito: string;
    ambito_id: string;
    dia: string;
    estado: string;
    pedidos: number;
    total_cents: number;
  };
  plantillas_envio: {
    id: string;
    nombre: string;
    metodo_entrega: string;
    columnas: ColumnType<Json, string, string>;
    separador: Generated<string>;
    codificacion: string;
    coma_decimal: Generated<boolean>;
    con_titulos: Generated<boolean>;
    verificada: Generated<boolean>;
    version: Generated<number>;
  };
  precios_revendedor: {
    id: Generated<string>;
    pack_id: string;
    revendedor_id: string;
    desde: string;
    precio_cents: number;
    created_at: Generated<Instant>;
  };
  product_packs: {
    id: Generated<string>;
    product_id: string;
    name: string;
    alias: string;
    pack_quantity: number;
    pack_price_cents: number;
    is_active: Generated<boolean>;
    created_at: Generated<Instant>;
    version: Generated<number>;
  };
  product_pictures: {
    product_id: string;
    content: Uint8Array;
    digest: ColumnType<string, never, never>;
  };
  products: {
    id: Generated<string>;
    name: string;
    description: string | null;
    stock: Generated<number>;
    min_stock: Generated<number>;
    is_active: Generated<boolean>;
    created_at: Generated<Instant>;
    version: Generated<number>;
    metadata: ColumnType<Json | null, string | null, string | null>;
  };
  pruebas: {
    id: Generated<string>;
    n: Generated<number>;
    pedido_id: string;
    tipo: string;
    sha256: string;
    bytes: number;
    created_at: Generated<Instant>;
    anterior: Generated<string>;
    sello: Generated<string>;
    fichero: string | null;
    retirada_at: Instant | null;
    comprobada_at: Instant | null;
    problema: string | null;
  };
  push_subscriptions: {
    endpoint: string;
    user_id: string;
    p256dh: string;
    auth: string;
    created_at: Generated<Instant>;
    session_hash: string | null;
    user_agent: string | null;
  };
  recovery_codes: {
    user_id: string;
    code_hash: string;
    used_at: Instant | null;
  };
  rutas: {
    transportista_id: string;
    dia: string;
    pedidos: string[];
    primera: string | null;
    ultima: string | null;
    ordenada_at: Instant;
  };
  secret_keys: {
    id: Generated<boolean>;
    fingerprint: string;
  };
  sessions: {
    token_hash: string;
    user_id: string;
    ip: string | null;
    user_agent: string | null;
    created_at: Generated<Instant>;
    last_seen_at: Generated<Instant>;
    device: string | null;
    proven_at: Instant | null;
    remembered: Generated<boolean>;
  };
  settings: {
    id: Generated<number>;
    data: ColumnType<Json, string | undefined, string>;
    version: Generated<number>;
  };
  sin_enviar: {
    user_id: string;
    pedidos: number;
    desde: Instant;
    visto_at: Generated<Instant>;
    avisado_dia: string | null;
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
  tarifas: {
    user_id: string;
    zona: string;
    entrega_cents: number | null;
    intento_cents: number | null;
  };
  tienda_pedidos: {
    id: Generated<string>;
    externo_id: string;
    numero: string;
    modificado_at: Instant;
    contenido: string | null;
    estado: Generated<string>;
    motivo: string | null;
    aviso: string | null;
    pedido_id: string | null;
    marcas: ColumnType<Json | null, string | null, string | null>;
    dicho: string | null;
    recibido_at: Generated<Instant>;
    updated_at: Generated<Instant>;
  };
  tienda_productos: {
    clave: string;
    pack_id: string;
    created_at: Generated<Instant>;
  };
  topes: {
    clase: string;
    clave: string;
    desde: Generated<Instant>;
    veces: number;
  };
  unknown_logins: {
    id: Generated<boolean>;
    untold: Generated<number>;
    told_at: Instant | null;
  };
  users: {
    id: Generated<string>;
    full_name: string;
    email: string;
    username: string | null;
    password_hash: string;
    role: string;
    is_active: Generated<boolean>;
    password_changed_at: Generated<Instant>;
    created_at: Generated<Instant>;
    deleted_at: Instant | null;
    totp_secret: string | null;
    totp_pending: string | null;
    totp_last_step: number | null;
    version: Generated<number>;
    invited_at: Instant | null;
    iban: string | null;
    contra_reembolso: Generated<boolean>;
    zonas: string | null;
  };
  vistas: {
    id: Generated<string>;
    user_id: string;
    lista: string;
    nombre: string;
    consulta: ColumnType<Json, string, string>;
    columnas: string[] | null;
    compartida: Generated<boolean>;
    created_at: Generated<Instant>;
    version: Generated<number>;
  };
  vistas_preferidas: {
    user_id: string;
    lista: string;
    vista_id: string;
  };
  webhooks: {
    id: Generated<string>;
    url: string;
    descripcion: string | null;
    secreto: string | null;
    eventos: string[];
    con_precios: Generated<boolean>;
    is_active: Generated<boolean>;
    created_at: Generated<Instant>;
    version: Generated<number>;
    api_key_id: string | null;
  };
}
