export const PER_PAGE_OPTIONS = [20, 50, 100] as const;
