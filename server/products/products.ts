import { sql } from 'kysely';
import type { TipoIva } from '../../contract/iva/fields.ts';
import type { BodyOut } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import {
  type createProduct as createEndpoint,
  getPicture,
  type Product,
  type updateProduct as updateEndpoint,
} from '../../contract/products/products.ts';
import { audit, changes } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { isSameMetadata, mergeMetadata } from '../kit/metadata.ts';
import { nextVersion, refuseStale } from '../kit/version.ts';
import { settingSql } from '../settings/setting-sql.ts';
import { moveStock } from './stock.ts';

/** URL of the picture of the product `p`, as SQL; changes with the picture, null without one. */
export const pictureAddress = sql<string | null>`(
  SELECT replace(${getPicture.path}, ':id', i.product_id::text) || '?v=' || i.digest FROM product_pictures i WHERE i.product_id = p.id)`;

const selectProducts = (db: Db | Tx) =>
  db
    .selectFrom('products as p')
    .select(['p.id', 'p.name', 'p.description', 'p.stock', 'p.min_stock', 'p.is_active', 'p.created_at', 'p.version', 'p.metadata'])
    .select([pictureAddress.as('picture'), 'p.iva', settingSql('iva').as('con_iva')])
    .select((eb) =>
      eb
        .selectFrom('product_packs as k')
        .select((k) => k.fn.countAll<number>().as('packs'))
        .whereRef('k.product_id', '=', 'p.id')
        .where('k.is_active', '=', true)
        .$asScalar()
        .$notNull()
        .as('packs_activos'),
    );

type Row = Awaited<ReturnType<ReturnType<typeof selectProducts>['executeTakeFirstOrThrow']>>;
const toProduct = ({ iva, con_iva, ...row }: Row): Product => ({ ...row, ...(con_iva && { iva: iva as TipoIva | null }) });

export const readProduct = async (tx: Tx, id: string): Promise<Product> =>
  toProduct(await selectProducts(tx).where('p.id', '=', id).executeTakeFirstOrThrow());

export const listProducts = async (db: Db): Promise<Product[]> =>
  (await selectProducts(db).orderBy(sql`normaliza(p.name)`).orderBy('p.id').execute()).map(toProduct);

export const productsAmong = async (db: Db, ids: string[]): Promise<Product[]> =>
  (await selectProducts(db).where('p.id', 'in', ids).execute()).map(toProduct);

/** Creates a product; the ledger records its initial stock, in units, as «inicial». */
export const createProduct = async (
  db: Db,
  actor: Actor,
  { stock, metadata, ...fields }: BodyOut<typeof createEndpoint>,
): Promise<Product> =>
  transact(db, async (tx) => {
    const kept = mergeMetadata(null, metadata);
    const { id } = await tx
      .insertInto('products')
      .values({ ...fields, metadata: kept })
      .returning('id')
      .executeTakeFirstOrThrow();
    await moveStock(tx, { product_id: id, unidades: stock, motivo: 'inicial' }, actor);
    await audit(tx, actor, {
      type: 'configuracion',
      action: 'create',
      entity_type: 'product',
      entity_id: id,
      description: `Producto creado: ${fields.name}`,
      despues: { ...fields, stock },
    });
    return readProduct(tx, id);
  });

/** Edits a product. Books the difference between `stock` and `stock_visto`, the units that the form showed. Throws 404, 409 if stale, 422 for negative stock. */
export const updateProduct = async (
  db: Db,
  actor: Actor,
  { id, version, stock, stock_visto, metadata: given, ...fields }: BodyOut<typeof updateEndpoint> & { id: string },
): Promise<Product> =>
  transact(db, async (tx) => {
    const before = await tx.selectFrom('products').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!before) throw notFound();
    refuseStale(before, version, 'este producto');
    const { despues } = changes(before, fields);
    const metadata = mergeMetadata(before.metadata, given);
    const marked = isSameMetadata(before.metadata, metadata) ? {} : { metadata };
    await tx
      .updateTable('products')
      .set({ ...fields, ...marked, ...nextVersion(before, { ...despues, ...marked }) })
      .where('id', '=', id)
      .execute();
    const unidades = stock === undefined ? 0 : stock - (stock_visto ?? before.stock);
    const left = await moveStock(tx, { product_id: id, unidades, motivo: 'ajuste' }, actor);
    await audit(tx, actor, {
      type: 'configuracion',
      action: 'update',
      entity_type: 'product',
      entity_id: id,
      description: `Producto actualizado: ${fields.name ?? before.name}`,
      ...changes(before, { ...fields, stock: left }),
    });
    return readProduct(tx, id);
  });
