import type { ComponentType } from 'react';

const PAGES = import.meta.glob<{ default: ComponentType }>('./**/*.page.tsx');

/** Loads the module of a screen, named as in the sitemap (routes.ts). Throws for a module that is not there. */
export function loadPage(page: string): Promise<{ default: ComponentType }> {
  const load = PAGES[`./${page}.page.tsx`];
  if (!load) throw new Error(`The sitemap names ${page}.page.tsx, which is not there`);
  return load();
}
