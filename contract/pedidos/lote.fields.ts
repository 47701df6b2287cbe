export const MAX_LOTE = 500;
