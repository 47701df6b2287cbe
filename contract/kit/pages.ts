export const MAX_PER_PAGE = 100;

export const PER_PAGE = 20;
