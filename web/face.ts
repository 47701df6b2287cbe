import url from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2';
import { readStored, storeLocally } from './stored.ts';

const KEY = 'face';
const AGAIN_MS = 500;

async function load(): Promise<void> {
  const face = new FontFace('Figtree', `url(${url})`, { weight: '300 900' });
  document.fonts.add(face);
  await face.load();
  storeLocally(KEY, url);
}

/** Loads the typeface once the first screen stands, or at once if an earlier visit has brought it into the cache. */
export function loadFace(): void {
  if (readStored(KEY) !== url && !document.querySelector('h1')) return void setTimeout(loadFace, AGAIN_MS);
  // Without the file the stand-in stays.
  load().catch(() => undefined);
}
