import { sql } from 'kysely';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import { type Actor, can, personIdOf, rolesOf } from '../../contract/policy/policy.ts';
import type { createPack as createEndpoint, Pack, updatePack as updateEndpoint } from '../../contract/products/products.ts';
import { audit, changes } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { invalid, notFound } from '../kit/errors.ts';
import { toCents, toEuros } from '../kit/money.ts';
import { nextVersion, refuseStale } from '../kit/version.ts';
import { type Change, emit } from '../live/emit.ts';
import { priceFor } from './prices.ts';
import { pictureAddress } from './products.ts';

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

const CHANGED: Change = { topic: 'products', roles: rolesOf('pack:read') };

const readPack = async (tx: Tx, id: string): Promise<Pack> =>
  toPack(await selectPacks(tx).where('k.id', '=', id).executeTakeFirstOrThrow());

/** Lists packs by product and name, prices in euros. Actors who cannot manage products get only packs on sale, at their own prices. */
export async function listPacks(db: Db, actor: Actor): Promise<Pack[]> {
  const manages = can(actor, 'product:manage');
  let packs = selectPacks(db, manages ? null : personIdOf(actor));
  if (!manages) packs = packs.where('k.is_active', '=', true).where('p.is_active', '=', true);
  const rows = await packs.orderBy(sql`normaliza(p.name)`).orderBy('p.id').orderBy(sql`normaliza(k.name)`).orderBy('k.id').execute();
  return rows.map(toPack);
}

/** Creates a pack, `pack_price` in euros. Throws 422 for an unknown product. */
export const createPack = async (db: Db, actor: Actor, { pack_price, ...fields }: BodyOut<typeof createEndpoint>): Promise<Pack> =>
  transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', fields.product_id).executeTakeFirst();
    if (!product) throw invalid('product_id', 'El producto no existe');
    const values = { ...fields, pack_price_cents: toCents(pack_price) };
    const { id } = await tx.insertInto('product_packs').values(values).returning('id').executeTakeFirstOrThrow();
    await audit(tx, actor, {
      type: 'configuracion',
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
  { id, version, pack_price, ...fields }: BodyOut<typeof updateEndpoint> & { id: string },
): Promise<Pack> =>
  transact(db, async (tx) => {
    const before = await tx.selectFrom('product_packs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!before) throw notFound();
    refuseStale(before, version, 'este pack');
    const values = { ...fields, ...(pack_price !== undefined && { pack_price_cents: toCents(pack_price) }) };
    const { antes, despues } = changes(before, values);
    await tx
      .updateTable('product_packs')
      .set({ ...values, ...nextVersion(before, despues) })
      .where('id', '=', id)
      .execute();
    const pack = await readPack(tx, id);
    await audit(tx, actor, {
      type: 'configuracion',
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
