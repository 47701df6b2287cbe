import type { ComponentType } from 'react';

const PAGES = import.meta.glob<{ default: ComponentType }>('./**/*.page.tsx');

/** Loads the module of a screen by its name in the sitemap (routes.ts). Throws if there is no such module. */
export function loadPage(page: string): Promise<{ default: ComponentType }> {
  const load = PAGES[`./${page}.page.tsx`];
  if (!load) throw new Error(`The sitemap names ${page}.page.tsx, which is not there`);
  return load();
}
