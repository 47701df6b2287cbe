import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { TipoIva } from '../../contract/iva/fields.ts';
import { type Answer, asPage, type BodyOut, type QueryOut } from '../../contract/kit/endpoint.ts';
import { type Actor, rolesOf } from '../../contract/policy/policy.ts';
import type * as api from '../../contract/products/products.ts';
import { getPicture, type Movimiento, type Product } from '../../contract/products/products.ts';
import { withoutMetadata } from '../../contract/pruebas/jpeg.ts';
import { normalizeText } from '../../contract/text/normalize.ts';
import { audit, changedValues } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { nextVersion, notFound, refuseStale } from '../kit/errors.ts';
import { isSameMetadata, mergeMetadata } from '../kit/metadata.ts';
import { checkedPicture } from '../kit/picture.ts';
import { emit } from '../live/emit.ts';
import { settingSql } from '../settings/setting-sql.ts';
import { startOfDay } from '../settings/zone.ts';
import { moveStock } from './stock.ts';

/** URL of the picture `i`, as SQL; changes with the picture. */
export const pictureUrl = sql<string>`replace(${sql.lit(getPicture.path)}, ':id', i.product_id::text) || '?v=' || i.digest`;

/** URL of the picture of the product `p`, as SQL; null without one. */
export const pictureAddress = sql<string | null>`(SELECT ${pictureUrl} FROM product_pictures i WHERE i.product_id = p.id)`;

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

type Filters = Omit<QueryOut<typeof api.listProducts>, 'sort' | 'dir'>;
/** Conditions of the filters that products and packs share. `names`: text that the search looks in; `row`: alias of the table. */
export const productFilters = ({ search, activo, creado_desde, creado_hasta }: Filters, row: 'p' | 'k', names: RawBuilder<string>) => {
  const [active, created] = [sql.ref(`${row}.is_active`), sql.ref(`${row}.created_at`)];
  const words = normalizeText(search ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const wanted: (RawBuilder<SqlBool> | undefined)[] = [
    ...words.map((word) => sql<SqlBool>`strpos(normaliza(${names}), normaliza(${word})) > 0`),
    activo && sql`${active} = ${activo === 'si'}`,
    creado_desde ? sql`${created} >= ${startOfDay(creado_desde)}` : undefined,
    creado_hasta ? sql`${created} < ${startOfDay(creado_hasta, 1)}` : undefined,
  ];
  return sql.join<SqlBool>([sql`true`, ...wanted.filter((condition) => condition !== undefined)], sql` AND `);
};

/** Lists products, by name unless `sort` says otherwise. */
export const listProducts = async (db: Db, { sort, dir, ...filters }: QueryOut<typeof api.listProducts>): Promise<Product[]> => {
  const by = sort === 'name' ? sql`normaliza(p.name)` : sql.ref(`p.${sort}`);
  const found = selectProducts(db).where(productFilters(filters, 'p', sql.ref('p.name')));
  return (await found.orderBy(by, dir).orderBy('p.id', dir).execute()).map(toProduct);
};

export const productsAmong = async (db: Db, ids: string[]): Promise<Product[]> =>
  (await selectProducts(db).where('p.id', 'in', ids).execute()).map(toProduct);

/** Creates a product; the ledger records its initial stock, in units, as «inicial». */
export const createProduct = async (
  db: Db,
  actor: Actor,
  { stock, metadata, ...fields }: BodyOut<typeof api.createProduct>,
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
  { id, version, stock, stock_visto, metadata: metadataInput, ...fields }: BodyOut<typeof api.updateProduct> & { id: string },
): Promise<Product> =>
  transact(db, async (tx) => {
    const before = await tx.selectFrom('products').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!before) throw notFound();
    refuseStale(before, version, 'este producto');
    const { despues } = changedValues(before, fields);
    const metadata = mergeMetadata(before.metadata, metadataInput);
    const marked = isSameMetadata(before.metadata, metadata) ? {} : { metadata };
    await tx
      .updateTable('products')
      .set({ ...fields, ...marked, ...nextVersion(before, { ...despues, ...marked }) })
      .where('id', '=', id)
      .execute();
    const unidades = stock === undefined ? 0 : stock - (stock_visto ?? before.stock);
    const left = await moveStock(tx, { product_id: id, unidades, motivo: 'ajuste' }, actor);
    await audit(tx, actor, {
      action: 'update',
      entity_type: 'product',
      entity_id: id,
      description: `Producto actualizado: ${fields.name ?? before.name}`,
      ...changedValues(before, { ...fields, stock: left }),
    });
    return readProduct(tx, id);
  });

const PACE_DAYS = 30;

/** Returns a product's stock ledger, newest first, with the average daily sales of the last 30 days in units. Throws 404. */
export async function listMovimientos(
  db: Db,
  id: string,
  { page, per_page }: QueryOut<typeof api.listMovimientos>,
): Promise<Answer<typeof api.listMovimientos>> {
  const { rows: found } = await sql<{ stock: number; total: number; taken: number }>`
    SELECT stock, (SELECT count(*) FROM stock_movements WHERE product_id = p.id) AS total,
      (SELECT coalesce(-sum(unidades), 0)::bigint FROM stock_movements
        WHERE product_id = p.id AND motivo IN ('pedido', 'devolucion', 'restauracion') AND created_at > now() - make_interval(days => ${PACE_DAYS})) AS taken
    FROM products p WHERE id = ${id}`.execute(db);
  const [product] = found;
  if (!product) throw notFound();
  const { rows: data } = await sql<Movimiento>`
    SELECT m.id, m.created_at, m.unidades, m.motivo, m.nota, m.actor_nombre, m.pedido_id, o.numero_orden
    FROM stock_movements m LEFT JOIN pedidos o ON o.id = m.pedido_id
    WHERE m.product_id = ${id} ORDER BY m.created_at DESC, m.id DESC LIMIT ${per_page} OFFSET ${(page - 1) * per_page}`.execute(db);
  // Rounds before dividing, so that the days match the displayed rate. Two decimals keep one unit in 30 days above 0.
  const pace = Math.round((100 * Math.max(0, product.taken)) / PACE_DAYS) / 100;
  const days = pace > 0 ? product.stock / pace : null;
  return {
    ...asPage(data, product.total, { page, per_page }),
    stock: product.stock,
    ritmo_diario: pace,
    // Rounds down, to promise only whole days.
    dias_restantes: days && Math.floor(days),
  };
}

/** Books units in or out with a reason. Throws 404, 422 for insufficient stock. */
export const editStock = async (db: Db, actor: Actor, id: string, { unidades, nota }: BodyOut<typeof api.ajustarStock>): Promise<Product> =>
  transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', id).executeTakeFirst();
    if (!product) throw notFound();
    const stock = await moveStock(tx, { product_id: id, unidades, motivo: 'ajuste', nota }, actor);
    await audit(tx, actor, {
      action: 'update',
      entity_type: 'product',
      entity_id: id,
      description: `Stock ajustado: ${product.name} (${nota})`,
      antes: { stock: stock - unidades },
      despues: { stock },
    });
    return readProduct(tx, id);
  });

/** Returns a product's JPEG. Throws 404 unless `digest` is that of the picture. */
export async function readPicture(db: Db, id: string, digest: string): Promise<Uint8Array> {
  const query = db.selectFrom('product_pictures').select('content').where('product_id', '=', id).where('digest', '=', digest);
  const { content } = await query.executeTakeFirstOrThrow(() => notFound());
  return content;
}

/** Sets a product's picture (JPEG in base64), or removes it (null). Throws 404, 422 unless the picture is a small JPEG. */
export async function setPicture(db: Db, actor: Actor, id: string, picture: string | null): Promise<Product> {
  const content = picture === null ? null : Buffer.from(withoutMetadata(checkedPicture('picture', picture, ['jpg'])));
  return transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!product) throw notFound();
    await store(tx, id, content);
    await audit(tx, actor, {
      action: 'update',
      entity_type: 'product',
      entity_id: id,
      description: `${content ? 'Imagen cambiada' : 'Imagen quitada'}: ${product.name}`,
    });
    emit(tx, { topic: 'products', roles: rolesOf('pack:read') });
    return readProduct(tx, id);
  });
}

const store = (tx: Tx, product_id: string, content: Buffer | null) =>
  content
    ? tx
        .insertInto('product_pictures')
        .values({ product_id, content })
        .onConflict((at) => at.column('product_id').doUpdateSet({ content }))
        .execute()
    : tx.deleteFrom('product_pictures').where('product_id', '=', product_id).execute();
