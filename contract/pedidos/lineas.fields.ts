/** Fields of a line; the order's own fields summarise them (design, section 4.30). */
export const LINEA_FIELDS = ['pack_id', 'producto', 'cantidad', 'precio_unitario', 'precio_total'] as const;

export const LINEA_FIELDS_SEEN_BY_CARRIER = ['producto', 'cantidad'] as const;

export const MAX_LINEAS = 50;
