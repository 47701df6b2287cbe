import { type Selectable, sql } from 'kysely';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Tables } from '../db/schema.ts';
import type { Config } from '../kit/config.ts';
import { decrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { type Bound, countUse } from '../repeats/bounds.ts';
import type { ShopApi } from './connector.ts';

/** A connected shop. `secreto` null: the common address's secret signs. `comun`: it may use the common
 * address; null once it has moved. `origen`: name in its messages, a hint for sentences only. */
export type WebShop = Selectable<Tables['tiendas']>;

const shopsIn = (db: Db | Tx) => db.selectFrom('tiendas').selectAll();
export const listWebShops = (db: Db | Tx): Promise<WebShop[]> => shopsIn(db).orderBy('created_at').orderBy('id').execute();
export const findWebShop = (db: Db | Tx, id: string): Promise<WebShop | undefined> => shopsIn(db).where('id', '=', id).executeTakeFirst();

/** SQL: the shop `s` has keys, so that it can be asked. */
export const HAS_KEYS = sql<boolean>`(s.estado = 'activa' AND s.url IS NOT NULL AND s.clave IS NOT NULL AND s.clave_secreta IS NOT NULL)`;

/** SQL: cents of the refunds that the shop of the order `t` knows. */
export const TOLD = sql<number>`(SELECT coalesce(sum(importe_cents), 0) FROM reembolsos r WHERE r.tienda_pedido_id = t.id)::bigint`;

type WithKeys = WebShop & { url: string; clave: string; clave_secreta: string };
export const hasKeys = (shop: WebShop): shop is WithKeys => shop.estado === 'activa' && !!shop.url && !!shop.clave && !!shop.clave_secreta;

/** Returns the REST API of an active shop; undefined without keys. */
export function shopApi(shop: WebShop, { secretKey, webhooksPrivate }: Pick<Config, 'secretKey' | 'webhooksPrivate'>): ShopApi | undefined {
  if (!hasKeys(shop)) return undefined;
  return { url: shop.url, key: shop.clave, secret: decrypt(secretKey, shop.clave_secreta), anywhere: webhooksPrivate };
}

export const notifyOffice = (tx: Tx, texto: string, pedido_id?: string | null): Promise<void> =>
  notify(tx, {
    ...{ tipo: 'tienda_por_revisar', texto, roles: [...rolesOf('tienda:manage')], enlace: '/tienda', mail: true },
    ...(pedido_id && { pedido_id }),
  });

/** Notifies the office, once in the minutes of the bound for each `id`. */
export async function notifyOnce(tx: Tx, bound: Omit<Bound, 'most'>, id: string, texto: string): Promise<void> {
  if ((await countUse(tx, bound, id)) === 1) await notifyOffice(tx, texto);
}

/** Serialises messages under other names at the common address, and a person who says whose they are. */
export const lockNames = (tx: Tx) => sql`SELECT pg_advisory_xact_lock(hashtextextended('tiendas', 0))`.execute(tx);

export const emitShops = (tx: Tx): void => emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });

export const auditShop = (tx: Tx, actor: Actor, description: string): Promise<void> =>
  audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'tienda', description });

/** Queues waiting orders again, of one shop or of all. */
export async function readAgain(tx: Tx, tienda_id: string | null = null): Promise<void> {
  await sql`UPDATE tienda_pedidos SET estado = 'recibido' WHERE estado = 'por_revisar' AND contenido IS NOT NULL
    AND tienda_id = coalesce(${tienda_id}::uuid, tienda_id)`.execute(tx);
}
