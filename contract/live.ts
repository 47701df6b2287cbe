import { endpoint } from './kit.ts';
import type * as schemas from './live.schemas.ts';

type Feature =
  | typeof import('./account.ts')
  | typeof import('./api-keys.ts')
  | typeof import('./audit.ts')
  | typeof import('./backups.ts')
  | typeof import('./caja.ts')
  | typeof import('./envios.ts')
  | typeof import('./clientes.ts')
  | typeof import('./cuadre.ts')
  | typeof import('./entrega.ts')
  | typeof import('./exports.ts')
  | typeof import('./failures.ts')
  | typeof import('./liquidaciones.ts')
  | typeof import('./notifications.ts')
  | typeof import('./payments.ts')
  | typeof import('./pedidos.ts')
  | typeof import('./privacidad.ts')
  | typeof import('./products.ts')
  | typeof import('./push.ts')
  | typeof import('./ruta.ts')
  | typeof import('./settings.ts')
  | typeof import('./stats.ts')
  | typeof import('./transportista.ts')
  | typeof import('./users.ts')
  | typeof import('./vistas.ts')
  | typeof import('./webhooks.ts');

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
  caja: ['/api/caja'],
  envios: ['/api/envios', '/api/plantillas-envio'],
  failures: ['/api/tareas', '/api/stats/atencion'],
  cuadre: ['/api/cuadre', '/api/stats/atencion'],
} as const satisfies Record<string, readonly Exclude<Beginnings<Reads<Feature>>, '' | '/api'>[]>;

export type Topic = keyof typeof TOPICS;

/** Progress of a long request, identified in the browser by its idempotency key. */
export type Progress = { clave: string; hechos: number; de: number };

/** Server-sent events: `change` with a topic, `progress` as JSON, `resync` after possible loss. No business data: the browser refetches. */
export const live = endpoint<typeof schemas.live>()('GET', '/api/live', { action: 'session' });
