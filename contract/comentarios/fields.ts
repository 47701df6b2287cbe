export const MAX_COMENTARIO = 1000;
