import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIST } from './build-web.ts';

export type Head = { title?: string; description?: string; site?: string; preview?: string };

type Files = { files: string[]; wide: string[] };
type Web = { html: string; screens: [path: RegExp, of: Files][] };

function readWeb(): Web {
  const read = (name: string) => readFileSync(join(WEB_DIST, name), 'utf8');
  const screens: Record<string, Files> = JSON.parse(read('screens.json'));
  return {
    html: read('index.html'),
    screens: Object.entries(screens)
      // Literal paths win over parameters, as in the router.
      .sort(([a], [b]) => Number(a.includes('$')) - Number(b.includes('$')))
      .map(([path, of]) => [new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`), of]),
  };
}

/** Reads the built web app. `make` returns the page of a screen, which preloads the screen's chunks and its first API calls (`asks`). */
export function readPages() {
  const { html, screens } = readWeb();
  const screenOf = (path: string) => screens.find(([pattern]) => pattern.test(path))?.[1];
  return {
    has: (path: string): boolean => screenOf(path) !== undefined,
    make: (path: string, asks: readonly string[] = [], head: Head = {}): string => {
      const { files, wide } = screenOf(path) ?? { files: [], wide: [] };
      const links = [...asks.map(ask), ...files.map(link), ...wide.map(wideLink), ...described(head)].join('\n    ');
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

const link = (file: string) =>
  file.endsWith('.css') ? `<link rel="stylesheet" crossorigin href="/${file}">` : `<link rel="modulepreload" crossorigin href="/${file}">`;
/** Must use the width of web/lazy.ts. Only preloads style sheets, because browsers fetch a linked style sheet whatever its `media`. */
const wideLink = (file: string) =>
  `<link rel="${file.endsWith('.css') ? 'preload" as="style' : 'modulepreload'}" crossorigin href="/${file}" media="(min-width: 48em)">`;
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
