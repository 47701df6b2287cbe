import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

type Feature =
  | typeof import('../account/account.ts')
  | typeof import('../api-keys/api-keys.ts')
  | typeof import('../audit/audit.ts')
  | typeof import('../backups/backups.ts')
  | typeof import('../banco/banco.ts')
  | typeof import('../caja/caja.ts')
  | typeof import('../envios/envios.ts')
  | typeof import('../clientes/clientes.ts')
  | typeof import('../cuadre/cuadre.ts')
  | typeof import('../pruebas/pruebas.ts')
  | typeof import('../exports/exports.ts')
  | typeof import('../facturables/facturables.ts')
  | typeof import('../failures/failures.ts')
  | typeof import('../liquidaciones/liquidaciones.ts')
  | typeof import('../notifications/notifications.ts')
  | typeof import('../payments/payments.ts')
  | typeof import('../pedidos/pedidos.ts')
  | typeof import('../privacidad/privacidad.ts')
  | typeof import('../products/products.ts')
  | typeof import('../push/push.ts')
  | typeof import('../ruta/ruta.ts')
  | typeof import('../settings/settings.ts')
  | typeof import('../stats/stats.ts')
  | typeof import('../tienda/tienda.ts')
  | typeof import('../transportista/transportista.ts')
  | typeof import('../users/users.ts')
  | typeof import('../vistas/vistas.ts')
  | typeof import('../webhooks/webhooks.ts');

// Distributes over the modules: keyof a union keeps only the names common to all.
type Reads<F> = F extends unknown ? { [K in keyof F]: F[K] extends { method: 'GET'; path: infer P } ? P : never }[keyof F] : never;

type Beginnings<P, Before extends string = ''> = P extends `${infer Head}/${infer Rest}`
  ? `${Before}${Head}` | Beginnings<Rest, `${Before}${Head}/`>
  : `${Before}${P & string}`;

/** Topics of live changes, with the URL prefixes whose data each one makes stale. */
export const TOPICS = {
  // Completing, failing or deleting an order changes a person's earnings.
  pedidos: [
    '/api/pedidos',
    '/api/pagos',
    '/api/transportista',
    '/api/stats',
    '/api/clientes',
    '/api/liquidaciones',
    '/api/caja',
    '/api/banco',
    '/api/facturables',
    '/api/privacidad/bloqueos',
    '/api/privacidad/plazo',
  ],
  sinEnviar: ['/api/transportista/sin-enviar'],
  products: ['/api/products', '/api/product-packs', '/api/packs', '/api/stats/atencion'],
  users: ['/api/users', '/api/stats/admin'],
  audit: ['/api/audit-logs', '/api/logs'],
  notifications: ['/api/notifications'],
  settings: ['/api/settings', '/api/push', '/api/privacidad/plazo'],
  exports: ['/api/exports'],
  backups: ['/api/copias'],
  apikeys: ['/api/claves'],
  vistas: ['/api/vistas'],
  webhooks: ['/api/webhooks-salientes'],
  liquidaciones: ['/api/liquidaciones'],
  caja: ['/api/caja', '/api/stats/atencion'],
  tienda: ['/api/tienda', '/api/tiendas', '/api/productos-tienda', '/api/formas-tienda', '/api/mensajes-tienda', '/api/stats/atencion'],
  envios: ['/api/envios', '/api/plantillas-envio'],
  failures: ['/api/tareas', '/api/stats/atencion'],
  cuadre: ['/api/cuadre', '/api/stats/atencion'],
} as const satisfies Record<string, readonly Exclude<Beginnings<Reads<Feature>>, '' | '/api'>[]>;

export type Topic = keyof typeof TOPICS;

/** Progress of a long request, identified in the browser by its idempotency key. */
export type Progress = { clave: string; hechos: number; de: number };

/**
 * Server-sent events: `change` with a topic, `progress` as JSON, `resync` after possible loss. No business data: the browser refetches.
 * `edad` is the page's age in milliseconds: changes since the page began are repeated, because it reads its data before its stream opens.
 */
export const live = endpoint<typeof schemas.live>()('GET', '/api/live', 'session');

/** True if a change of `topic` makes data from `path` stale. */
export const topicConcerns = (topic: Topic, path: string): boolean =>
  TOPICS[topic].some((begins) => path === begins || path.startsWith(`${begins}/`));
