import type { z } from 'zod';
import type * as schemas from './pedidos.lineas.schemas.ts';

/* The lines of an order: what is ordered, how many of each, and at what price, frozen. */

/** Fields of a line, of which the order's own are the summary (design, section 4.30). */
export const LINEA_FIELDS = ['pack_id', 'producto', 'cantidad', 'precio_unitario', 'precio_total'] as const;

/** The same, as a carrier sees them. */
export const LINEA_FIELDS_SEEN_BY_CARRIER = ['producto', 'cantidad'] as const;

/** Most lines of one order. */
export const MAX_LINEAS = 50;

export type Linea = z.infer<typeof schemas.linea>;

export type LineaTransportista = z.infer<typeof schemas.lineaTransportista>;

export type LineaInput = z.output<typeof schemas.lineaInput>;
