import type { Feature } from '../kit/feature.ts';
import { productsRoutes } from './products.routes.ts';

/** Products, packs and stock. */
export const productsFeature: Feature = {
  name: 'products',
  tables: { products: 'kept', product_packs: 'kept', product_pictures: 'kept', stock_movements: 'kept', precios_revendedor: 'kept' },
  routes: productsRoutes,
};
