import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIST } from './build-web.ts';

/** Reads the built web app: `has` knows the paths of screens, `make` returns the page, which preloads its first API calls. */
export function readPages() {
  const read = (name: string) => readFileSync(join(WEB_DIST, name), 'utf8');
  const html = read('index.html');
  const { paths }: { paths: string[] } = JSON.parse(read('shell.json'));
  const screens = paths.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`));
  return {
    has: (path: string): boolean => screens.some((pattern) => pattern.test(path)),
    make: (asks: readonly string[] = []): string => html.replace('</head>', () => `  ${asks.map(ask).join('\n    ')}\n  </head>`),
  };
}

/** Maximum milliseconds that a page waits for the data of its preload hints. */
const HINT_MS = 2_000;

/** Resolves to `instead` if the hint fails or is late, so that the page loads even without a database. */
export async function hint<T>(given: Promise<T>, instead: T): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(() => resolve(instead), HINT_MS).unref());
  return Promise.race([given.catch(() => instead), late]);
}

const ask = (address: string) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${escaped(address)}">`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text = '') => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
