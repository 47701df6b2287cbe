import type { MantineColorSchemeManager } from '@mantine/core';
import { createShared } from './shared.ts';
import { readStored, storeLocally } from './stored.ts';

/*
 * Appearance in this browser: `appConfig` in local storage (specification, section 7; design, section 4.26). `public/appearance.js` reads
 * it before the first paint.
 */

const KEY = 'appConfig';
export type Appearance = { theme: 'light' | 'dark' | 'auto'; primaryColor: string; compactMode: boolean; language: 'es' };
export const DEFAULT_APPEARANCE: Appearance = { theme: 'light', primaryColor: '#3b82f6', compactMode: false, language: 'es' };

function stored(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Invalid JSON or blocked storage: use the defaults.
    return {};
  }
}

function read(): Appearance {
  const { theme, primaryColor, compactMode } = stored();
  return {
    ...DEFAULT_APPEARANCE,
    // Payment pages follow the customer's system theme.
    ...((theme === 'light' || theme === 'dark' || theme === 'auto') && { theme }),
    ...(typeof primaryColor === 'string' && /^#[0-9a-f]{6}$/i.test(primaryColor) && { primaryColor }),
    ...(typeof compactMode === 'boolean' && { compactMode }),
  };
}

const current = createShared(read());
// Follows changes made in another tab.
addEventListener('storage', ({ key }) => key === KEY && current.set(read()));

export const useAppearance = current.use;

export const setAppearance = (patch: Partial<Appearance>) => storeOwn({ ...patch, adopted: undefined });

/** Applies the business's appearance, unless this browser has its own. */
export function adoptAppearance({ theme, primaryColor, compactMode }: Omit<Appearance, 'language'>) {
  const own = stored();
  if (own.adopted || !('theme' in own)) storeOwn({ theme, primaryColor, compactMode, adopted: true });
}

function storeOwn(patch: Partial<Appearance> & { adopted: true | undefined }) {
  const next = JSON.stringify({ ...stored(), ...current.get(), ...patch });
  // A new value draws everything again.
  if (next === readStored(KEY)) return;
  storeLocally(KEY, next);
  current.set({ ...current.get(), ...patch });
}

/** Makes Mantine store the colour scheme in `appConfig`, with the other choices. */
export function colorSchemeManager(): MantineColorSchemeManager {
  let stop = () => {};
  return {
    get: () => current.get().theme,
    // Mantine repeats what a listener reports; the check breaks the loop.
    set: (theme) => theme !== current.get().theme && setAppearance({ theme }),
    subscribe: (onUpdate) => {
      stop = current.subscribe(() => onUpdate(current.get().theme));
    },
    unsubscribe: () => stop(),
    clear: () => setAppearance({ theme: DEFAULT_APPEARANCE.theme }),
  };
}
