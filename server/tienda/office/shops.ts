import { sql } from 'kysely';
import { asPage, type BodyOut, type QueryOut } from '../../../contract/kit/endpoint.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type * as api from '../../../contract/tienda/tienda.ts';
import { type Db, onPage, type Tx, transact } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import type { Config } from '../../kit/config.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import { decrypt, encrypt } from '../../kit/secrets.ts';
import { renameShop } from '../../pedidos/escritura/agreed.ts';
import { SHOP_PROBLEM } from '../../pedidos/lectura/shop-problem.ts';
import { readSecretSettings, readSettings } from '../../settings/settings.ts';
import { findConnector } from '../connectors.ts';
import { auditShop, emitShops, findWebShop, HAS_KEYS, listWebShops, lockNames, readAgain, shopApi, type WebShop } from '../shop.ts';

/* Connected shops as the office sees and changes them, and their messages that could not be read. */

const OFF = 'no puede enviar nada: enciende las tiendas en línea en Configuración';

/** Lists the shops, each with the path of its door. */
export async function listShops(db: Db): Promise<api.Fuente[]> {
  const rows = await db
    .selectFrom('tiendas as s')
    .select(['s.id', 's.conector', 's.nombre', 's.origen', 's.estado', 's.url', 's.clave as clave_api', 's.secreto', 's.oido_at'])
    .select([SHOP_PROBLEM.as('problema'), HAS_KEYS.as('con_api'), sql<boolean>`s.comun IS TRUE`.as('comun')])
    .select(['s.sondeo_at', 's.sondeo_error', 's.rescatados', 's.webhook_apagado'])
    .select(sql<number>`(SELECT count(*)::int FROM tienda_pedidos t WHERE t.tienda_id = s.id)`.as('pedidos'))
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute();
  const { storeActive } = await readSettings(db);
  return rows.map(({ secreto, problema, ...row }) => {
    const off = !storeActive && row.estado !== 'ignorada' && OFF;
    return { ...row, problema: off || problema, puerta: `/api/tienda/${row.id}`, secreto_propio: secreto !== null } as api.Fuente;
  });
}

type Access = Pick<BodyOut<typeof api.updateFuente>, 'secreto' | 'url' | 'clave_api' | 'clave_secreta'>;
function accessOf(secretKey: string, { secreto, url, clave_api, clave_secreta }: Access) {
  return {
    ...(secreto && { secreto: encrypt(secretKey, secreto) }),
    ...(url !== undefined && { url: url || null }),
    ...(clave_api !== undefined && { clave: clave_api || null }),
    ...(clave_secreta && { clave_secreta: encrypt(secretKey, clave_secreta) }),
  };
}

/** Throws 422 for a secret of another shop, or of the common address: the secret alone says whose a message is. */
async function refuseSharedSecret(tx: Tx, secretKey: string, secreto: string | null | undefined, own?: string): Promise<void> {
  if (!secreto) return;
  const others = (await listWebShops(tx)).filter(
    ({ id, secreto: sealed }) => id !== own && sealed && decrypt(secretKey, sealed) === secreto,
  );
  const { storeSecret } = await readSecretSettings(tx, secretKey);
  const whose = others[0]?.nombre ?? (storeSecret === secreto ? 'la dirección común' : undefined);
  if (whose) throw invalid('secreto', `Ese secreto ya es de «${whose}»: cada tienda necesita el suyo`);
}

/** Connects another shop. Throws 422 without its own secret, which identifies its messages. */
export async function createShop(
  db: Db,
  actor: Actor,
  secretKey: string,
  { nombre, conector, ...access }: BodyOut<typeof api.createFuente>,
): Promise<void> {
  if (!access.secreto) throw invalid('secreto', 'Otra tienda necesita su propio secreto, de 16 caracteres o más');
  await transact(db, async (tx) => {
    await refuseSharedSecret(tx, secretKey, access.secreto);
    await tx
      .insertInto('tiendas')
      .values({ nombre, conector, ...accessOf(secretKey, access) })
      .execute();
    await changed(tx, actor, `Tienda «${nombre}» añadida`);
  });
}

/** Changes, confirms or ignores a shop, or gives what waits under another name to the shop that sent it. Throws 404, 409, 422. */
export async function updateShop(
  db: Db,
  actor: Actor,
  secretKey: string,
  { id, nombre, estado, misma_que, ...access }: BodyOut<typeof api.updateFuente> & { id: string },
): Promise<void> {
  await transact(db, async (tx) => {
    if (misma_que) await lockNames(tx);
    const row = await tx.selectFrom('tiendas').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw notFound();
    if (misma_que) return joinShops(tx, actor, row, misma_que);
    await refuseSharedSecret(tx, secretKey, access.secreto, id);
    const set = { ...(nombre && { nombre }), ...(estado && { estado }), ...accessOf(secretKey, access) };
    if (Object.keys(set).length === 0) return;
    // A new address drops the secret key, which belongs to the old one.
    const isMoved = access.url !== undefined && (access.url || null) !== row.url && !access.clave_secreta;
    await tx
      .updateTable('tiendas')
      .set({ ...set, ...(isMoved && { clave_secreta: null }) })
      .where('id', '=', id)
      .execute();
    if (estado && estado !== row.estado) await readAgain(tx, id);
    if (nombre && nombre !== row.nombre) await renameShop(tx, id, nombre);
    await changed(tx, actor, `Tienda «${nombre ?? row.nombre}» cambiada`);
  });
}

async function joinShops(tx: Tx, actor: Actor, { id, nombre, conector, origen }: WebShop, target: string): Promise<void> {
  const main = await tx.selectFrom('tiendas').select(['conector', 'nombre']).where('id', '=', target).forNoKeyUpdate().executeTakeFirst();
  if (!main || target === id || main.conector !== conector) throw invalid('misma_que', 'Elige la tienda que ha cambiado de dirección');
  // Orders of the shop that join keep its name.
  await renameShop(tx, id, main.nombre);
  // A newer message of the same order replaces what the old address sent; an older one is dropped.
  await sql`UPDATE tienda_pedidos t SET modificado_at = n.modificado_at, situacion = n.situacion, contenido = n.contenido, estado = 'recibido'
    FROM tienda_pedidos n WHERE n.tienda_id = ${id} AND t.tienda_id = ${target} AND t.externo_id = n.externo_id
      AND n.contenido IS NOT NULL AND n.modificado_at >= t.modificado_at`.execute(tx);
  await sql`DELETE FROM tienda_pedidos n WHERE n.tienda_id = ${id} AND n.pedido_id IS NULL
    AND EXISTS (SELECT FROM tienda_pedidos t WHERE t.tienda_id = ${target} AND t.externo_id = n.externo_id)`.execute(tx);
  const orders = tx.selectFrom('tienda_pedidos').select('id').where('tienda_id', '=', id).where('pedido_id', 'is not', null);
  if (await orders.limit(1).executeTakeFirst()) throw conflict('Esa tienda ya tiene pedidos propios: no puede ser la misma');
  await tx.updateTable('tienda_pedidos').set({ tienda_id: target, estado: 'recibido' }).where('tienda_id', '=', id).execute();
  await tx.updateTable('tienda_mensajes').set({ tienda_id: target }).where('tienda_id', '=', id).execute();
  await tx.deleteFrom('tiendas').where('id', '=', id).execute();
  await tx.updateTable('tiendas').set({ origen }).where('id', '=', target).execute();
  await changed(tx, actor, `«${nombre}» es la nueva dirección de la tienda «${main.nombre}»`);
}

async function changed(tx: Tx, actor: Actor, description: string): Promise<void> {
  emitJob(tx, 'tienda');
  emitShops(tx);
  await auditShop(tx, actor, description);
}

/** Switches a shop's webhooks on again; returns how many were off. Throws 404, 409 without keys or answer. */
export async function switchWebhooksOn(db: Db, actor: Actor, config: Config, id: string): Promise<number> {
  const source = await findWebShop(db, id);
  if (!source) throw notFound();
  const [connector, rest] = [findConnector(source.conector), shopApi(source, config)];
  if (!connector?.switchOn || !rest) throw conflict('Faltan las claves de la API REST de esta tienda: enciende el webhook en WooCommerce');
  const n = await connector.switchOn(rest).catch((error: Error) => {
    throw conflict(`La tienda no ha respondido: ${error.message}`);
  });
  await transact(db, async (tx) => {
    await tx.updateTable('tiendas').set({ webhook_apagado: false }).where('id', '=', id).execute();
    await changed(tx, actor, `Webhooks de «${source.nombre}» encendidos: ${n}`);
  });
  return n;
}

/** Lists signed messages that could not be read, whole, oldest first. */
export async function listUnreadable(db: Db, { ids, ...page }: QueryOut<typeof api.listIlegibles>) {
  const all = db
    .selectFrom('tienda_mensajes as m')
    .leftJoin('tiendas as s', 's.id', 'm.tienda_id')
    .where('m.resultado', '=', 'ilegible')
    .where('m.visto_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('m.id', '=', sql<string>`ANY (${ids}::uuid[])`));
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .select(['m.id', 's.nombre as tienda', 'm.tema', 'm.motivo', 'm.contenido', 'm.recibido_at'])
    .orderBy('m.recibido_at')
    .orderBy('m.id')
    .$call(onPage(page))
    .execute();
  const data = rows.map(({ contenido, ...row }) => ({ ...row, contenido: (contenido ?? '').slice(0, 20_000) }));
  return asPage(data, Number(total), page);
}

/** Notes that an unreadable message has been seen, and deletes its content. Throws 404. */
export async function seeUnreadable(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx
      .updateTable('tienda_mensajes')
      .set({ visto_at: sql`now()`, contenido: null })
      .where('id', '=', id)
      .where('resultado', '=', 'ilegible')
      .returning('id')
      .executeTakeFirst();
    if (!row) throw notFound();
    await auditShop(tx, actor, 'Mensaje ilegible de la tienda visto');
  });
}

/** Returns for metrics: seconds since the last message, refused messages of a day, and orders that wait. */
export async function shopFigures(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number | null>>`SELECT
    (SELECT extract(epoch FROM now() - max(oido_at))::int FROM tiendas) AS ultimo_mensaje_segundos,
    (SELECT extract(epoch FROM now() - max(recibido_at))::int FROM tienda_pedidos) AS ultimo_pedido_segundos,
    (SELECT coalesce(sum(veces), 0)::int FROM topes WHERE clase = 'tienda_rechazados' AND desde > now() - interval '1 day') AS rechazados,
    (SELECT count(*)::int FROM tienda_mensajes WHERE resultado = 'ilegible' AND visto_at IS NULL) AS ilegibles,
    (SELECT count(*)::int FROM tienda_pedidos WHERE estado = 'por_revisar' OR aviso IS NOT NULL) AS por_revisar,
    (SELECT count(*)::int FROM tiendas WHERE webhook_apagado) AS webhooks_apagados`.execute(db);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter((entry): entry is [string, number] => entry[1] !== null));
}

/** Returns the problem of each shop, in Spanish; null without one. */
export const shopChecks = (db: Db): Promise<{ nombre: string; problema: string | null }[]> =>
  db
    .selectFrom('tiendas as s')
    .select(['s.nombre', SHOP_PROBLEM.as('problema')])
    .where('s.estado', '<>', 'ignorada')
    .orderBy('s.created_at')
    .execute();
