import type { IncomingHttpHeaders } from 'node:http';
import { sql } from 'kysely';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { decrypt } from '../kit/secrets.ts';
import { emit } from '../live/emit.ts';
import { notify } from '../notifications/notify.ts';
import { readSecretSettings, type SecretSettings } from '../settings/settings.ts';
import type { Connector, ShopApi } from './connector.ts';

/* Connected shops. The first WooCommerce shop uses the secret and keys of the settings; others have their own. */

const OPEN = ['id', 'conector', 'origen', 'nombre', 'estado', 'created_at', 'oido_at', 'rescatados'] as const;
const COLUMNS = [...OPEN, 'secreto', 'url', 'clave', 'clave_secreta'] as const;
export type WebShop = {
  id: string;
  conector: string;
  origen: string | null;
  nombre: string;
  estado: string;
  secreto: string | null;
  url: string | null;
  clave: string | null;
  clave_secreta: string | null;
  created_at: string;
  oido_at: string | null;
  rescatados: number;
};

export const listSources = (db: Db | Tx): Promise<WebShop[]> =>
  db.selectFrom('tiendas').select(COLUMNS).orderBy('created_at').orderBy('id').execute() as Promise<WebShop[]>;

/** Returns the address that a message names, without scheme, trailing slash and letter case; null without one. */
export function originOf({ headers: { source } }: Connector, headers: IncomingHttpHeaders): string | null {
  const text = String(headers[source] ?? '').trim();
  return text ? bare(text).slice(0, 200) : null;
}
const bare = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');

type Sealed = { connector: Connector; raw: Buffer; headers: IncomingHttpHeaders; secretKey: string };

/** Returns the shops whose secret signed the message, `null` for the secret of the settings; [] for a wrong signature. */
export function signersOf(
  sources: readonly WebShop[],
  { connector, raw, headers, secretKey }: Sealed,
  { storeSecret }: SecretSettings,
): (WebShop | null)[] {
  const signature = String(headers[connector.headers.signature] ?? '');
  const isBy = (secret: string) => connector.signed(raw, secret, signature);
  const own = sources.filter(({ conector, secreto }) => conector === connector.id && secreto && isBy(decrypt(secretKey, secreto)));
  return [...own, ...(storeSecret && isBy(storeSecret) ? [null] : [])];
}

type Message = { connector: Connector; origen: string | null; signed: readonly (WebShop | null)[] };

/**
 * Returns the shop of a signed message, one of `sources` if known. A new address belongs to the shop without an address, else to a new shop,
 * whose orders wait for a person if another shop has the same secret, because it may be a test copy.
 */
export async function sourceOf(tx: Tx, sources: readonly WebShop[], message: Message): Promise<WebShop> {
  const found = known(sources, message);
  if (found.source) return found.source;
  const { connector, origen } = message;
  // Serialises the first messages of a new address.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tiendas ${connector.id}`}, 0))`.execute(tx);
  const { source, allowed } = known(await listSources(tx), message);
  const unnamed = allowed.find((other) => other.origen === null);
  if (source) return source;
  return unnamed && origen !== null ? claim(tx, unnamed, origen) : create(tx, connector, origen, allowed.length > 0);
}

function known(all: readonly WebShop[], { connector, origen, signed }: Message) {
  const kind = all.filter(({ conector }) => conector === connector.id);
  const allowed = kind.filter((source) => (source.secreto === null ? signed.includes(null) : signed.some((own) => own?.id === source.id)));
  // Accepts the secret of any shop of the kind: shops with the same secret differ by their address.
  const source = origen === null ? allowed[0] : kind.find((other) => other.origen === origen);
  return { source, allowed };
}

async function claim(tx: Tx, source: WebShop, origen: string): Promise<WebShop> {
  await tx.updateTable('tiendas').set({ origen }).where('id', '=', source.id).execute();
  return { ...source, origen };
}

async function create(tx: Tx, connector: Connector, origen: string | null, isFurther: boolean): Promise<WebShop> {
  const nombre = origen ?? (connector.id === 'woo' ? 'Tu tienda' : connector.label);
  const source = (await tx
    .insertInto('tiendas')
    .values({ conector: connector.id, origen, nombre: nombre.slice(0, 80), estado: isFurther ? 'por_confirmar' : 'activa' })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()) as WebShop;
  emit(tx, { topic: 'tienda', roles: rolesOf('tienda:manage') });
  if (isFurther) await notifyOffice(tx, `Llegan pedidos de «${nombre}», que no es una tienda conocida: di si es tuya`);
  return source;
}

export const notifyOffice = (tx: Tx, texto: string): Promise<void> =>
  notify(tx, { tipo: 'tienda_por_revisar', texto, roles: [...rolesOf('tienda:manage')], enlace: '/tienda', mail: true });

export const auditShop = (tx: Tx, actor: Actor, description: string): Promise<void> =>
  audit(tx, actor, { type: 'configuracion', action: 'update', entity_type: 'tienda', description });

export type Apis = ReadonlyMap<string, ShopApi>;

/**
 * Returns the REST API of each active shop that has keys. The keys of the settings belong to the shop at their address, else to the oldest
 * WooCommerce shop, and to no other, for which they would fetch a stranger's orders.
 */
export async function apisOf(db: Db, { secretKey, webhooksPrivate }: { secretKey: string; webhooksPrivate: boolean }): Promise<Apis> {
  const { storeActive, storeUrl, storeKey, storeKeySecret } = await readSecretSettings(db, secretKey);
  const apis = new Map<string, ShopApi>();
  if (!storeActive) return apis;
  const sources = (await listSources(db)).filter(({ estado }) => estado === 'activa');
  const isAt = (source: WebShop) => source.origen !== null && bare(storeUrl).replace(/^www\./, '') === source.origen.replace(/^www\./, '');
  const kind = sources.filter(({ conector, url }) => conector === 'woo' && url === null);
  const main = kind.find(isAt) ?? kind[0];
  for (const source of sources) {
    const { id, url, clave, clave_secreta } = source;
    if (url && clave && clave_secreta)
      apis.set(id, { url, key: clave, secret: decrypt(secretKey, clave_secreta), anywhere: webhooksPrivate });
    else if (source === main && storeUrl && storeKey && storeKeySecret)
      apis.set(id, { url: storeUrl, key: storeKey, secret: storeKeySecret, anywhere: webhooksPrivate });
  }
  return apis;
}

/** Returns the REST API of one shop; undefined without keys. */
export const apiOf = async (db: Db, config: Parameters<typeof apisOf>[1], id: string): Promise<ShopApi | undefined> =>
  (await apisOf(db, config)).get(id);

/** Queues waiting orders again, of one shop or of all. */
export async function readAgain(tx: Tx, tienda_id?: string): Promise<void> {
  await transact(tx, (inner) =>
    inner
      .updateTable('tienda_pedidos')
      .set({ estado: 'recibido' })
      .where('estado', '=', 'por_revisar')
      .where('contenido', 'is not', null)
      .$if(tienda_id !== undefined, (query) => query.where('tienda_id', '=', tienda_id as string))
      .execute(),
  );
}
