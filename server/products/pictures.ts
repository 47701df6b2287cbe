import { type Actor, can, rolesOf } from '../../contract/policy/policy.ts';
import type { Product } from '../../contract/products/products.ts';
import { audit } from '../audit/audit.ts';
import { type Db, type Tx, transact } from '../db/open.ts';
import { notFound } from '../kit/errors.ts';
import { checkedPicture } from '../kit/picture.ts';
import { emit } from '../live/emit.ts';
import { readProduct } from './products.ts';

/** Returns a product's JPEG. Throws 404 without a picture, and for a product not on sale unless the actor manages products. */
export async function readPicture(db: Db, actor: Actor, id: string): Promise<Uint8Array> {
  let query = db
    .selectFrom('product_pictures as i')
    .innerJoin('products as p', 'p.id', 'i.product_id')
    .select('i.content')
    .where('p.id', '=', id);
  if (!can(actor, 'product:manage')) query = query.where('p.is_active', '=', true);
  const { content } = await query.executeTakeFirstOrThrow(() => notFound());
  return content;
}

/** Sets a product's picture (JPEG in base64), or removes it (null). Throws 404, 422 unless the picture is a small JPEG. */
export async function setPicture(db: Db, actor: Actor, id: string, picture: string | null): Promise<Product> {
  const content = picture === null ? null : checkedPicture('picture', picture, ['jpg']);
  return transact(db, async (tx) => {
    const product = await tx.selectFrom('products').select('name').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!product) throw notFound();
    await store(tx, id, content);
    await audit(tx, actor, {
      type: 'configuracion',
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
