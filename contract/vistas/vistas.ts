import type { z } from 'zod';
import { endpoint } from '../kit/endpoint.ts';
import type * as schemas from './schemas.ts';

export type Consulta = z.infer<typeof schemas.consulta>;

export type Vista = z.infer<typeof schemas.vista>;

export const listVistas = endpoint<typeof schemas.listVistas>()('GET', '/api/vistas', 'vista:manage');

export const createVista = endpoint<typeof schemas.createVista>()('POST', '/api/vistas', 'vista:manage');

export const updateVista = endpoint<typeof schemas.updateVista>()('PUT', '/api/vistas/:id', 'vista:manage');

export const deleteVista = endpoint<typeof schemas.deleteVista>()('DELETE', '/api/vistas/:id', 'vista:manage');

export const preferVista = endpoint<typeof schemas.preferVista>()('PUT', '/api/vistas/preferida', 'vista:manage');
