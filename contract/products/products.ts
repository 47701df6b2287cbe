import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Product = z.infer<typeof schemas.product>;

export const listProducts = endpoint<typeof schemas.listProducts>()('GET', '/api/products', 'product:manage');

export const createProduct = endpoint<typeof schemas.createProduct>()('POST', '/api/products', 'product:manage');

export const updateProduct = endpoint<typeof schemas.updateProduct>()('PUT', '/api/products/:id', 'product:manage');

export const setPicture = endpoint<typeof schemas.setPicture>()('PUT', '/api/products/:id/picture', 'product:manage');

/** Public, for customers' pages and printed lists: its address has the digest of the picture, which only those learn who see the goods. */
export const getPicture = endpoint<typeof schemas.getPicture>()('GET', '/api/products/:id/picture', 'public');

export type Pack = z.infer<typeof schemas.pack>;

export const listPacks = endpoint<typeof schemas.listPacks>()('GET', '/api/product-packs', 'pack:read');

/** Older path of `listPacks` (specification, section 7). */
export const listPacksAlias = endpoint<typeof schemas.listPacksAlias>()('GET', '/api/packs', { action: listPacks.action });

export const createPack = endpoint<typeof schemas.createPack>()('POST', '/api/product-packs', 'product:manage');

export const updatePack = endpoint<typeof schemas.updatePack>()('PUT', '/api/product-packs/:id', 'product:manage');

export type Movimiento = z.infer<typeof schemas.movimiento>;

export const listMovimientos = endpoint<typeof schemas.listMovimientos>()('GET', '/api/products/:id/movimientos', 'product:manage');

export const ajustarStock = endpoint<typeof schemas.ajustarStock>()('POST', '/api/products/:id/ajuste', 'product:manage');
