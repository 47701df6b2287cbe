import type { Action } from '../policy/policy.ts';

/**
 * Permissions that a key can hold, with labels. Excludes people, settings, backups and keys, so that no program can extend its own
 * permissions.
 */
export const KEY_ACTIONS = {
  'pedido:list': 'Listar pedidos',
  'pedido:read': 'Leer un pedido',
  'pedido:contact': 'Ver teléfono, puerta e instrucciones',
  'pedido:prices': 'Ver importes',
  'pedido:history': 'Ver el historial de un pedido',
  'pedido:returns': 'Ver las devoluciones de un pedido',
  'pedido:comment': 'Leer y escribir comentarios',
  'pedido:prove': 'Enviar pruebas de entrega',
  'pedido:proofs': 'Ver firmas y fotos de entregas',
  'pedido:create': 'Crear pedidos',
  'pedido:create-free': 'Elegir revendedor, precio y número al crear',
  'pedido:create-paid': 'Crear pedidos ya pagados en otro sitio',
  'pedido:edit': 'Editar pedidos',
  'pedido:edit-lines': 'Cambiar las líneas de un pedido',
  'pedido:promise': 'Fijar la fecha prometida',
  'pedido:postpone': 'Aplazar entregas y responder a intentos fallidos',
  'pedido:assign': 'Asignar transportista',
  'pedido:transition': 'Cambiar el estado',
  'pedido:undo': 'Deshacer salidas, entregas y cancelaciones',
  'pedido:duplicate': 'Duplicar pedidos',
  'pedido:delete': 'Eliminar pedidos',
  'pedido:restore': 'Recuperar pedidos eliminados',
  'pago:read': 'Ver pagos y reembolsos',
  'pago:manage': 'Ver y anotar pagos',
  'caja:read': 'Ver la caja',
  'liquidacion:read': 'Ver las liquidaciones',
  'factura:read': 'Leer lo que hay que facturar',
  'factura:take': 'Marcar lo facturado',
  'devolucion:manage': 'Registrar y anular devoluciones',
  'pack:read': 'Ver packs y sus precios',
  'product:manage': 'Gestionar productos y packs',
  'price:manage': 'Gestionar precios por revendedor',
  'cliente:read': 'Ver clientes',
  'cliente:manage': 'Escribir notas de clientes, unirlos y separarlos',
  'cliente:block': 'Bloquear clientes',
  'evento:read': 'Leer los eventos de los webhooks',
  'webhook:manage': 'Gestionar sus propios webhooks',
  'stats:read': 'Ver las cifras del negocio',
  'audit:read': 'Leer el registro',
  'api:describe': 'Leer la descripción de la API',
} as const satisfies Partial<Record<Action, string>>;

export type KeyAction = keyof typeof KEY_ACTIONS;

export const KEY_ACTION_NAMES = Object.keys(KEY_ACTIONS) as KeyAction[];

const WHOLE = ['pedido:read', 'pedido:prices'] as const;

/** Permissions that each permission requires, because most changes of an order read and return the order with prices. */
export const KEY_NEEDS: Partial<Record<KeyAction, readonly KeyAction[]>> = {
  'evento:read': ['pedido:read'],
  'webhook:manage': ['pedido:read'],
  'pedido:history': WHOLE,
  'pedido:returns': WHOLE,
  'pedido:comment': WHOLE,
  'pedido:prove': ['pedido:read'],
  'pedido:proofs': ['pedido:read', 'pedido:contact'],
  'pedido:create': WHOLE,
  'pedido:create-free': ['pedido:create', ...WHOLE],
  'pedido:create-paid': ['pedido:create', ...WHOLE],
  'pedido:edit': WHOLE,
  'pedido:edit-lines': WHOLE,
  'pedido:promise': ['pedido:edit', ...WHOLE],
  'pedido:postpone': WHOLE,
  'pedido:assign': WHOLE,
  'pedido:transition': ['pedido:read'],
  'pedido:undo': WHOLE,
  'pedido:duplicate': WHOLE,
  'pedido:delete': WHOLE,
  'pedido:restore': WHOLE,
  'pago:read': WHOLE,
  'pago:manage': ['pago:read', ...WHOLE],
  'devolucion:manage': ['pedido:returns', ...WHOLE],
  'factura:read': WHOLE,
  'factura:take': ['factura:read', ...WHOLE],
  'cliente:manage': ['cliente:read'],
  'cliente:block': ['cliente:read'],
};

/** Usual purposes of a key, with the permissions that they need. */
export const KEY_PURPOSES = {
  tienda: {
    label: 'Tienda en línea',
    acciones: [
      'pedido:list',
      'pedido:read',
      'pedido:contact',
      'pedido:prices',
      'pedido:create',
      'pedido:create-paid',
      'pedido:edit',
      'pedido:transition',
      'pack:read',
      'evento:read',
      'webhook:manage',
    ],
  },
  contabilidad: {
    label: 'Contabilidad (solo lee)',
    acciones: [
      'pedido:list',
      'pedido:read',
      'pedido:prices',
      'pedido:history',
      'pedido:returns',
      'pago:read',
      'caja:read',
      'liquidacion:read',
      'factura:read',
      'pack:read',
      'cliente:read',
      'evento:read',
      'stats:read',
    ],
  },
} as const satisfies Record<string, { label: string; acciones: readonly KeyAction[] }>;

/** Permissions implied by another and never granted alone: the office's fields of an order, and the metadata of programs. */
const KEY_IMPLIES: Partial<Record<KeyAction, readonly Action[]>> = {
  'pedido:create': ['pedido:office'],
  'pedido:edit': ['pedido:office'],
  'pedido:prices': ['pedido:metadata'],
  'cliente:read': ['cliente:metadata'],
};

/** Permissions that a key can hold. Excludes people, settings, backups and keys: no program can extend its own permissions. */
export const isOfKeys = (action: Action): boolean =>
  action in KEY_ACTIONS || Object.values(KEY_IMPLIES).some((implied) => implied?.includes(action));

/** Permissions of a key with these names; unknown names are dropped. */
export const knownScopes = (acciones: readonly string[]): readonly Action[] =>
  KEY_ACTION_NAMES.filter((name) => acciones.includes(name)).flatMap((name) => [name, ...(KEY_IMPLIES[name] ?? [])]);

/** Maximum number of requests of a key per minute, on each instance. */
export const KEY_REQUESTS = 600;

export const MAX_KEYS = 50;

export const KEY_DAYS = 365;
