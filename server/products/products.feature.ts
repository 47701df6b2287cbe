import type { FastifyInstance } from 'fastify';
import { cambiosProductos } from '../../contract/cambios/cambios.ts';
import { asDone } from '../../contract/kit/endpoint.ts';
import * as prices from '../../contract/products/precios.ts';
import * as api from '../../contract/products/products.ts';
import { readChanges } from '../cambios/cambios.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { sendPicture } from '../kit/picture.ts';
import { doneAfter, route } from '../kit/route.ts';
import { createPack, deletePrice, listPacks, listPrices, setPrice, updatePack } from './packs.ts';
import {
  createProduct,
  editStock,
  listMovimientos,
  listProducts,
  productsAmong,
  readPicture,
  setPicture,
  updateProduct,
} from './products.ts';

/** Products, packs, own prices of resellers and the stock ledger. */
export const productsFeature: Feature = {
  name: 'products',
  tables: { products: 'kept', product_packs: 'kept', product_pictures: 'kept', stock_movements: 'kept', precios_revendedor: 'kept' },
  routes,
};

function routes(app: FastifyInstance, { db }: Deps): void {
  route(app, api.listProducts, async ({ query }) => ({ success: true, data: await listProducts(db, query) }));
  route(app, cambiosProductos, async ({ actor, query }) => readChanges(db, actor, 'producto', query, (ids) => productsAmong(db, ids)));
  route(app, api.createProduct, async ({ actor, body }) => asDone('Producto creado exitosamente', await createProduct(db, actor, body)));
  route(app, api.updateProduct, async ({ actor, params, body }) =>
    asDone('Producto actualizado', await updateProduct(db, actor, { ...body, ...params })),
  );

  route(app, api.listPacks, async ({ actor, query }) => ({ success: true, data: await listPacks(db, actor, query) }));
  route(app, prices.listPrecios, async ({ params }) => ({ success: true, data: await listPrices(db, params.id) }));
  route(app, prices.setPrecio, async ({ actor, params, body }) => asDone('Precio guardado', await setPrice(db, actor, params.id, body)));
  route(app, prices.deletePrecio, ({ actor, params }) => doneAfter(deletePrice(db, actor, params.id), 'Precio quitado'));
  route(app, api.listPacksAlias, async ({ actor, query }) => ({ success: true, data: await listPacks(db, actor, query) }));
  route(app, api.createPack, async ({ actor, body }) => asDone('Pack creado', await createPack(db, actor, body)));
  route(app, api.updatePack, async ({ actor, params, body }) =>
    asDone('Pack actualizado', await updatePack(db, actor, { ...body, ...params })),
  );

  route(app, api.setPicture, async ({ actor, params, body }) =>
    asDone('Imagen guardada', await setPicture(db, actor, params.id, body.picture)),
  );
  route(app, api.getPicture, async ({ params, query, reply }) => {
    const content = await readPicture(db, params.id, query.v);
    return sendPicture(reply, { content, type: 'image/jpeg', lasting: true });
  });

  route(app, api.listMovimientos, async ({ params, query }) => listMovimientos(db, params.id, query));
  route(app, api.ajustarStock, async ({ actor, params, body }) => asDone('Stock ajustado', await editStock(db, actor, params.id, body)));
}
