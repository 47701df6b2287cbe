import type { Feature } from '../kit/feature.ts';
import { productsRoutes } from './products.routes.ts';

/** Products, packs, own prices of resellers and the stock ledger. */
export const productsFeature: Feature = {
  name: 'products',
  tables: { products: 'kept', product_packs: 'kept', product_pictures: 'kept', stock_movements: 'kept', precios_revendedor: 'kept' },
  routes: productsRoutes,
};
