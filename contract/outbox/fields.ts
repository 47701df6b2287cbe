export const MAX_PERDIDOS = 100;
