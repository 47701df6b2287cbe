import { endpoint } from './kit.ts';

type Feature =
  | typeof import('./account.ts')
  | typeof import('./audit.ts')
  | typeof import('./backups.ts')
  | typeof import('./clientes.ts')
  | typeof import('./exports.ts')
  | typeof import('./notifications.ts')
  | typeof import('./payments.ts')
  | typeof import('./pedidos.ts')
  | typeof import('./products.ts')
  | typeof import('./push.ts')
  | typeof import('./settings.ts')
  | typeof import('./stats.ts')
  | typeof import('./transportista.ts')
  | typeof import('./users.ts');
// Of each module in turn: the names of a union are only those that all of its members have.
type Reads<F> = F extends unknown ? { [K in keyof F]: F[K] extends { method: 'GET'; path: infer P } ? P : never }[keyof F] : never;
type Beginnings<P, Before extends string = ''> = P extends `${infer Head}/${infer Rest}`
  ? `${Before}${Head}` | Beginnings<Rest, `${Before}${Head}/`>
  : `${Before}${P & string}`;

/**
 * What may change under somebody's eyes, and the addresses that it makes stale, with all beneath them: the browser
 * asks again for what it shows of them.
 */
export const TOPICS = {
  pedidos: ['/api/pedidos', '/api/transportista', '/api/stats'],
  products: ['/api/products', '/api/product-packs', '/api/packs', '/api/stats/atencion'],
  users: ['/api/users', '/api/stats/admin'],
  audit: ['/api/audit-logs', '/api/logs'],
  notifications: ['/api/notifications'],
  settings: ['/api/settings', '/api/push'],
  exports: ['/api/exports'],
  backups: ['/api/copias'],
} as const satisfies Record<string, readonly Exclude<Beginnings<Reads<Feature>>, '' | '/api'>[]>;
export type Topic = keyof typeof TOPICS;

/**
 * One server-sent stream a browser. Events: `change` with a topic as data, `resync` when changes may have
 * been missed. They carry no data of the business: the wake-up is the message.
 */
export const live = endpoint({
  method: 'GET',
  path: '/api/live',
  action: 'session',
  summary: 'Server-sent events: which topics changed for the caller',
  response: { file: 'text/event-stream' },
});
