import { endpoint } from './kit.ts';
import type * as schemas from './live.schemas.ts';

type Feature =
  | typeof import('./account.ts')
  | typeof import('./api-keys.ts')
  | typeof import('./audit.ts')
  | typeof import('./backups.ts')
  | typeof import('./clientes.ts')
  | typeof import('./cuadre.ts')
  | typeof import('./exports.ts')
  | typeof import('./failures.ts')
  | typeof import('./liquidaciones.ts')
  | typeof import('./notifications.ts')
  | typeof import('./payments.ts')
  | typeof import('./pedidos.ts')
  | typeof import('./privacidad.ts')
  | typeof import('./products.ts')
  | typeof import('./push.ts')
  | typeof import('./settings.ts')
  | typeof import('./stats.ts')
  | typeof import('./transportista.ts')
  | typeof import('./users.ts')
  | typeof import('./vistas.ts')
  | typeof import('./webhooks.ts');

// Distributes over the modules: keyof a union would keep only the names they all share.
type Reads<F> = F extends unknown ? { [K in keyof F]: F[K] extends { method: 'GET'; path: infer P } ? P : never }[keyof F] : never;

type Beginnings<P, Before extends string = ''> = P extends `${infer Head}/${infer Rest}`
  ? `${Before}${Head}` | Beginnings<Rest, `${Before}${Head}/`>
  : `${Before}${P & string}`;

/**
 * Topics of live changes and the URL prefixes each one makes stale: the browser refetches whatever it shows
 * from them.
 */
export const TOPICS = {
  // An order completed, failed or deleted is a line of somebody's earnings.
  pedidos: [
    '/api/pedidos',
    '/api/pagos',
    '/api/transportista',
    '/api/stats',
    '/api/clientes',
    '/api/liquidaciones',
    '/api/privacidad/bloqueos',
    '/api/privacidad/plazo',
  ],
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
  failures: ['/api/tareas', '/api/stats/atencion'],
  cuadre: ['/api/cuadre', '/api/stats/atencion'],
} as const satisfies Record<string, readonly Exclude<Beginnings<Reads<Feature>>, '' | '/api'>[]>;

export type Topic = keyof typeof TOPICS;

/** How far a long request of the same person is, which its browser knows by the idempotency key. */
export type Progress = { clave: string; hechos: number; de: number };

/**
 * One server-sent event stream per browser. Events: `change` with a topic as data, `progress` as JSON, `resync` when changes
 * may have been missed. They carry no business data: the browser refetches what it shows.
 */
export const live = endpoint<typeof schemas.live>()('GET', '/api/live', { action: 'session' });
