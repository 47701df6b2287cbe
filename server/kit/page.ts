import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIST } from './build-web.ts';

export type Head = { title?: string; description?: string; site?: string; preview?: string };

/** Reads the built web app: `has` knows the paths of screens, `make` returns the page, which preloads its first API calls. */
export function readPages() {
  const read = (name: string) => readFileSync(join(WEB_DIST, name), 'utf8');
  const html = read('index.html');
  const { paths }: { paths: string[] } = JSON.parse(read('shell.json'));
  const screens = paths.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`));
  return {
    has: (path: string): boolean => screens.some((pattern) => pattern.test(path)),
    make: (asks: readonly string[] = [], head: Head = {}): string => {
      const links = [...asks.map(ask), ...described(head)].join('\n    ');
      const named = head.title ? html.replace(/<title>.*<\/title>/, () => `<title>${escaped(head.title)}</title>`) : html;
      const told = head.description
        ? named.replace(/<meta name="description"[^>]*>/, () => meta('name', 'description', head.description))
        : named;
      return told.replace('</head>', () => `  ${links}\n  </head>`);
    },
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

function described({ title, description, site, preview }: Head): string[] {
  if (!title) return [];
  const tags = [
    ['og:type', 'website'],
    ['og:locale', 'es_ES'],
    ['og:site_name', site],
    ['og:title', title],
    ['og:description', description],
    ['og:image', preview],
  ] as const;
  return tags.flatMap(([name, content]) => (content ? [meta('property', name, content)] : []));
}

const meta = (kind: 'name' | 'property', name: string, content = '') => `<meta ${kind}="${name}" content="${escaped(content)}">`;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text = '') => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
