import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './precios.schemas.ts';

export type Precio = z.infer<typeof schemas.precio>;

export const listPrecios = endpoint<typeof schemas.listPrecios>()('GET', '/api/product-packs/:id/precios', 'price:manage');

export const setPrecio = endpoint<typeof schemas.setPrecio>()('PUT', '/api/product-packs/:id/precios', 'price:manage');

export const deletePrecio = endpoint<typeof schemas.deletePrecio>()('DELETE', '/api/precios/:id', 'price:manage');
