import { type RawBuilder, sql } from 'kysely';
import type { BodyOut, QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import type { Precio, setPrecio } from '../../contract/products/precios.ts';
import type * as api from '../../contract/products/products.ts';
import type { Pack } from '../../contract/products/products.ts';
import { audit, changedValues } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { invalid, nextVersion, notFound, refuseStale } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { emit, type LiveChange } from '../live/emit.ts';
import { pictureAddress, productFilters } from './products.ts';

const selectPacks = (db: Db | Tx, revendedor?: string | null) =>
  db
    .selectFrom('product_packs as k')
    .innerJoin('products as p', 'p.id', 'k.product_id')
    .select(['k.id', 'k.product_id', 'p.name as product_name', 'k.name', 'k.alias', 'k.pack_quantity'])
    .select(priceFor(revendedor).as('pack_price_cents'))
    .select(['k.is_active', 'p.is_active as product_is_active', 'p.stock', 'k.created_at', 'k.version'])
    .select(pictureAddress.as('picture'));

type Row = Awaited<ReturnType<ReturnType<typeof selectPacks>['executeTakeFirstOrThrow']>>;

const toPack = ({ pack_price_cents, product_is_active, stock, ...row }: Row): Pack => ({
  ...row,
  quedan: Math.floor(stock / row.pack_quantity),
  pack_price: toEuros(pack_price_cents),
  available: row.is_active && product_is_active,
});

const CHANGED: LiveChange = { topic: 'products', roles: rolesOf('pack:read') };

const readPack = async (tx: Tx, id: string): Promise<Pack> =>
  toPack(await selectPacks(tx).where('k.id', '=', id).executeTakeFirstOrThrow());

/**
 * Lists packs, by product and name unless `sort` says otherwise, prices in euros. Actors who cannot manage products get only packs on sale, at
 * their own prices.
 */
export async function listPacks(
  db: Db,
  actor: Actor,
  { sort, dir, product_id, ...filters }: QueryOut<typeof api.listPacks>,
): Promise<Pack[]> {
  const manages = can(actor, 'product:manage');
  const reseller = manages ? null : personIdOf(actor);
  let packs = selectPacks(db, reseller).where(productFilters(filters, 'k', sql`concat_ws(' ', p.name, k.name, k.alias)`));
  if (!manages) packs = packs.where('k.is_active', '=', true).where('p.is_active', '=', true);
  if (product_id) packs = packs.where('k.product_id', '=', product_id);
  if (sort !== 'name') packs = packs.orderBy(sort === 'pack_price' ? priceFor(reseller) : sql.ref(`k.${sort}`), dir);
  const rows = await packs
    .orderBy(sql`normaliza(p.name)`, dir)
    .orderBy('p.id', dir)
    .orderBy(sql`normaliza(k.name)`, dir)
    .orderBy('k.id', dir)
    .execute();
  return rows.map(toPack);
}

/** Creates a pack, `pack_price` in euros. Throws 422 for an unknown product. */
export const createPack = async (db: Db, actor: Actor, { pack_price, ...fields }: BodyOut<typeof api.createPack>): Promise<Pack> =>
  transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', fields.product_id).executeTakeFirst();
    if (!product) throw invalid('product_id', 'El producto no existe');
    const values = { ...fields, pack_price_cents: toCents(pack_price) };
    const { id } = await tx.insertInto('product_packs').values(values).returning('id').executeTakeFirstOrThrow();
    await audit(tx, actor, {
      action: 'create',
      entity_type: 'pack',
      entity_id: id,
      description: `Pack creado: ${product.name} – ${fields.name}`,
      despues: values,
    });
    emit(tx, CHANGED);
    return readPack(tx, id);
  });

/** Edits a pack, `pack_price` in euros; existing orders keep their price. Throws 404, 409 for a stale version. */
export const updatePack = async (
  db: Db,
  actor: Actor,
  { id, version, pack_price, ...fields }: BodyOut<typeof api.updatePack> & { id: string },
): Promise<Pack> =>
  transact(db, async (tx) => {
    const before = await tx.selectFrom('product_packs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!before) throw notFound();
    refuseStale(before, version, 'este pack');
    const values = { ...fields, ...(pack_price !== undefined && { pack_price_cents: toCents(pack_price) }) };
    const { antes, despues } = changedValues(before, values);
    await tx
      .updateTable('product_packs')
      .set({ ...values, ...nextVersion(before, despues) })
      .where('id', '=', id)
      .execute();
    const pack = await readPack(tx, id);
    await audit(tx, actor, {
      action: 'update',
      entity_type: 'pack',
      entity_id: id,
      description: `Pack actualizado: ${pack.product_name} – ${pack.name}`,
      antes,
      despues,
    });
    emit(tx, CHANGED);
    return pack;
  });

const TODAY = sql`dia_negocio(now())`;

/** SQL for today's price of the pack `k` in cents: the reseller's own price in force, else the pack's price. */
export const priceFor = (revendedor_id: string | null | undefined): RawBuilder<number> =>
  revendedor_id
    ? sql`coalesce((SELECT r.precio_cents FROM precios_revendedor r
        WHERE r.pack_id = k.id AND r.revendedor_id = ${revendedor_id} AND r.desde <= ${TODAY} ORDER BY r.desde DESC LIMIT 1), k.pack_price_cents)`
    : sql`k.pack_price_cents`;

const selectPrices = (db: Db | Tx) =>
  db
    .selectFrom('precios_revendedor as r')
    .innerJoin('users as u', 'u.id', 'r.revendedor_id')
    .innerJoin('product_packs as k', 'k.id', 'r.pack_id')
    .select(['r.id', 'r.pack_id', 'r.revendedor_id', 'u.full_name as revendedor_nombre', 'r.precio_cents', 'k.name as pack'])
    .select(sql<string>`r.desde::text`.as('desde'))
    .select(
      sql<boolean>`r.desde = (SELECT max(o.desde) FROM precios_revendedor o
        WHERE o.pack_id = r.pack_id AND o.revendedor_id = r.revendedor_id AND o.desde <= ${TODAY})`.as('vigente'),
    );
type PrecioRow = Awaited<ReturnType<ReturnType<typeof selectPrices>['executeTakeFirstOrThrow']>>;

const toPrecio = ({ precio_cents, id, revendedor_id, revendedor_nombre, desde, vigente }: PrecioRow): Precio => ({
  id,
  revendedor_id,
  revendedor_nombre,
  desde,
  precio: toEuros(precio_cents),
  vigente: vigente ?? false,
});

/** Returns resellers' prices for a pack, by reseller, latest first. Throws 404 for an unknown pack. */
export async function listPrices(db: Db, pack: string): Promise<Precio[]> {
  await db
    .selectFrom('product_packs')
    .select('id')
    .where('id', '=', pack)
    .executeTakeFirstOrThrow(() => notFound());
  const rows = await selectPrices(db)
    .where('r.pack_id', '=', pack)
    .where('u.deleted_at', 'is', null)
    .orderBy(sql`normaliza(u.full_name)`)
    .orderBy('u.id')
    .orderBy('r.desde', 'desc')
    .execute();
  return rows.map(toPrecio);
}

/** Sets a reseller's price for a pack from a day on, in euros. Throws 404 for an unknown pack, 422 unless the person is a reseller. */
export async function setPrice(db: Db, actor: Actor, pack_id: string, input: BodyOut<typeof setPrecio>): Promise<Precio> {
  const { revendedor_id, desde } = input;
  return transact(db, async (tx) => {
    const pack = await tx.selectFrom('product_packs').select('name').where('id', '=', pack_id).executeTakeFirst();
    if (!pack) throw notFound();
    const reseller = await tx
      .selectFrom('users')
      .select('full_name')
      .where('id', '=', revendedor_id)
      .where('role', '=', 'revendedor')
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!reseller) throw invalid('revendedor_id', 'Ese revendedor no existe');
    const precio_cents = toCents(input.precio);
    const { id } = await tx
      .insertInto('precios_revendedor')
      .values({ pack_id, revendedor_id, desde, precio_cents })
      .onConflict((conflict) => conflict.columns(['pack_id', 'revendedor_id', 'desde']).doUpdateSet({ precio_cents }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const what = `Precio de ${pack.name} para ${reseller.full_name} desde el ${desde}`;
    await record(tx, actor, what, { revendedor_id, id, despues: { pack_price_cents: precio_cents } });
    return toPrecio(await selectPrices(tx).where('r.id', '=', id).executeTakeFirstOrThrow());
  });
}

/** Deletes a price; existing orders keep their prices. Throws 404. */
export async function deletePrice(db: Db, actor: Actor, id: string): Promise<void> {
  await transact(db, async (tx) => {
    const row = await selectPrices(tx).where('r.id', '=', id).executeTakeFirst();
    if (!row) throw notFound();
    await tx.deleteFrom('precios_revendedor').where('id', '=', id).execute();
    const what = `Precio de ${row.pack} para ${row.revendedor_nombre} desde el ${row.desde} quitado`;
    await record(tx, actor, what, { revendedor_id: row.revendedor_id, id, antes: { pack_price_cents: row.precio_cents } });
  });
}

type Recorded = { revendedor_id: string; id: string; antes?: Record<string, unknown>; despues?: Record<string, unknown> };

async function record(tx: Tx, actor: Actor, description: string, { revendedor_id, id, ...sides }: Recorded) {
  await audit(tx, actor, { action: 'update', entity_type: 'pack', entity_id: id, description, ...sides });
  emit(tx, { topic: 'products', roles: rolesOf('price:manage'), users: [revendedor_id] });
}
