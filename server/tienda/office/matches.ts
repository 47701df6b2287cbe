import { sql } from 'kysely';
import { asPage, type BodyOut, type QueryOut } from '../../../contract/kit/endpoint.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import type * as api from '../../../contract/tienda/tienda.ts';
import { type Db, onPage, type Tx, transact } from '../../db/open.ts';
import { emitJob } from '../../jobs/wake.ts';
import type { Config } from '../../kit/config.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import { findConnector } from '../connectors.ts';
import type { WebLine } from '../reading/order.ts';
import { auditShop, findWebShop, readAgain, shopApi } from '../shop.ts';

/* People's lasting answers: the pack of a shop's product, and how a payment method pays. */

type Named = Pick<WebLine, 'clave' | 'sku' | 'nombre'>;

/** Suggests packs for lines: with the line's SKU as alias, else with the line's name. Lines without a match are not in the map. */
export async function suggestionsFor<T extends Named>(db: Db | Tx, lines: readonly T[]): Promise<Map<T, string>> {
  const found = new Map<T, string>();
  if (lines.length === 0) return found;
  const words = lines.map(({ sku, clave, nombre }) => [sku || clave, nombre] as const);
  const { rows } = await sql<{ i: number; id: string }>`
    SELECT w.i::int AS i, k.id FROM unnest(${words.map(([sku]) => sku)}::text[], ${words.map(([, name]) => name)}::text[])
      WITH ORDINALITY AS w (sku, nombre, i), LATERAL (
        SELECT k.id FROM product_packs k JOIN products p ON p.id = k.product_id
        WHERE k.is_active AND p.is_active AND (normaliza(k.alias) = normaliza(w.sku)
          OR normaliza(w.nombre) IN (normaliza(k.name), normaliza(p.name), normaliza(p.name || ' ' || k.name), normaliza(p.name || ' – ' || k.name)))
        ORDER BY normaliza(k.alias) = normaliza(w.sku) DESC NULLS LAST, k.id LIMIT 1) k`.execute(db);
  for (const { i, id } of rows) found.set(lines[i - 1] as T, id);
  return found;
}

/** Assigns a pack to a shop's product, or marks it as no merchandise, and queues waiting orders again. Throws 422. */
export async function nameProduct(db: Db, actor: Actor, input: BodyOut<typeof api.emparejarTienda>): Promise<void> {
  const { clave, pack_id = null, tienda_id = null, sin_mercancia = null } = input;
  if (!pack_id === !sin_mercancia) throw invalid('pack_id', 'Selecciona un pack válido, o di que no es mercancía');
  await transact(db, async (tx) => {
    const pack = pack_id ? await packNamed(tx, pack_id) : undefined;
    if (pack_id && !pack) throw invalid('pack_id', 'Selecciona un pack válido');
    const set = { pack_id, sin_mercancia: !!sin_mercancia };
    await tx
      .insertInto('tienda_productos')
      .values({ clave, tienda_id, ...set })
      .onConflict((on) => on.constraint('tienda_productos_clave').doUpdateSet(set))
      .execute()
      .catch((error: { code?: string }) => {
        throw error.code === '23503' ? invalid('tienda_id', 'Esa tienda no existe') : error;
      });
    await readAgain(tx);
    emitJob(tx, 'tienda');
    await auditShop(tx, actor, `Producto de la tienda «${clave}»: ${pack?.name ?? 'no es mercancía'}`);
  });
}

export const packNamed = (tx: Tx, id: string) =>
  tx.selectFrom('product_packs').select('name').where('id', '=', id).where('is_active', '=', true).executeTakeFirst();

/** Lists the shops' products, those without an answer first. */
export async function listMatches(db: Db, { ids, ...page }: QueryOut<typeof api.listParejas>) {
  const all = db
    .selectFrom('tienda_productos as m')
    .leftJoin('tiendas as s', 's.id', 'm.tienda_id')
    .leftJoin('product_packs as k', 'k.id', 'm.pack_id')
    .leftJoin('products as p', 'p.id', 'k.product_id')
    .$if(ids !== undefined, (query) => query.where('m.id', '=', sql<string>`ANY (${ids}::uuid[])`));
  const { total } = await all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await all
    .select(['m.id', 'm.tienda_id', 's.nombre as tienda', 'm.clave', 'm.nombre', 'm.pack_id', 'm.sin_mercancia'])
    .select(sql<string | null>`p.name || ' – ' || k.name`.as('pack'))
    .orderBy(sql`m.pack_id IS NOT NULL OR m.sin_mercancia`)
    .orderBy(sql`normaliza(coalesce(m.nombre, m.clave))`)
    .orderBy('m.id')
    .$call(onPage(page))
    .execute();
  const open = rows
    .filter(({ pack_id, sin_mercancia }) => !pack_id && !sin_mercancia)
    .map((row) => ({ ...row, nombre: row.nombre ?? row.clave }));
  const suggested = new Map([...(await suggestionsFor(db, open))].map(([{ id }, pack]) => [id, pack]));
  const data = rows.map((row) => ({ ...row, sugerido_id: suggested.get(row.id) ?? null }));
  return asPage(data, Number(total), page);
}

/** Deletes the answer about a product, so that a person is asked again. Throws 404. */
export async function deleteMatch(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx.deleteFrom('tienda_productos').where('id', '=', id).returning('clave').executeTakeFirst();
    if (!row) throw notFound();
    await auditShop(tx, actor, `Producto de la tienda «${row.clave}»: se preguntará otra vez`);
  });
}

/** Fetches the products of a shop by its REST API, for people to match; returns how many are new. Throws 404, 409 without keys or answer. */
export async function fetchProducts(db: Db, actor: Actor, config: Config, id: string): Promise<number> {
  const source = await findWebShop(db, id);
  if (!source) throw notFound();
  const [connector, rest] = [findConnector(source.conector), shopApi(source, config)];
  if (!connector?.products || !rest) throw conflict('Faltan las claves de la API REST de esta tienda');
  const found = await connector.products(rest).catch((error: Error) => {
    throw conflict(`La tienda no ha respondido: ${error.message}`);
  });
  return transact(db, async (tx) => {
    const rows = found.map(({ clave, nombre }) => ({ clave: clave.slice(0, 200), nombre: nombre.slice(0, 200), tienda_id: id }));
    const unique = [...new Map(rows.map((row) => [row.clave, row])).values()];
    const added = unique.length
      ? await tx
          .insertInto('tienda_productos')
          .values(unique)
          .onConflict((on) => on.constraint('tienda_productos_clave').doNothing())
          .returning('id')
          .execute()
      : [];
    await auditShop(tx, actor, `Productos de «${source.nombre}» traídos: ${added.length} nuevos`);
    return added.length;
  });
}

export async function listMethods(db: Db) {
  return db
    .selectFrom('tienda_formas as f')
    .innerJoin('tiendas as s', 's.id', 'f.tienda_id')
    .select(['f.id', 'f.tienda_id', 's.nombre as tienda', 'f.clave', 'f.titulo', 'f.trato'])
    .orderBy('f.titulo')
    .orderBy('f.id')
    .execute();
}

/** Stores how a payment method pays, and queues waiting orders again. Throws 422 for an unknown shop. */
export async function setMethod(db: Db, actor: Actor, { tienda_id, clave, titulo, trato }: BodyOut<typeof api.setForma>): Promise<void> {
  await transact(db, async (tx) => {
    const source = await tx.selectFrom('tiendas').select('nombre').where('id', '=', tienda_id).executeTakeFirst();
    if (!source) throw invalid('tienda_id', 'Esa tienda no existe');
    await tx
      .insertInto('tienda_formas')
      .values({ tienda_id, clave, titulo, trato })
      .onConflict((on) => on.columns(['tienda_id', 'clave']).doUpdateSet({ titulo, trato }))
      .execute();
    await readAgain(tx, tienda_id);
    emitJob(tx, 'tienda');
    await auditShop(tx, actor, `Forma de pago «${titulo || clave}» de «${source.nombre}»: ${trato}`);
  });
}

/** Deletes the answer about a payment method, so that a person is asked again. Throws 404. */
export async function deleteMethod(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await tx.deleteFrom('tienda_formas').where('id', '=', id).returning('titulo').executeTakeFirst();
    if (!row) throw notFound();
    await auditShop(tx, actor, `Forma de pago «${row.titulo}» de la tienda: se preguntará otra vez`);
  });
}
