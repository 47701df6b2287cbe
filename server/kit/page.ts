import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEB_DIST } from './build-web.ts';

/** What the head of a page says of it; `preview` is the address of a picture for whoever is sent a link. */
export type Head = { title?: string; description?: string; site?: string; preview?: string };

/** Built files: what a screen needs, and what only a wide window needs with it. */
type Files = { files: string[]; wide: string[] };
type Web = { html: string; screens: [path: RegExp, of: Files][] };

/** Reads what the build has left: the page, and the files that each screen needs. */
function readWeb(): Web {
  const read = (name: string) => readFileSync(join(WEB_DIST, name), 'utf8');
  const screens: Record<string, Files> = JSON.parse(read('screens.json'));
  return {
    html: read('index.html'),
    screens: Object.entries(screens)
      // As in the router, a literal path wins over one with a parameter.
      .sort(([a], [b]) => Number(a.includes('$')) - Number(b.includes('$')))
      .map(([path, of]) => [new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`), of]),
  };
}

/**
 * The pages of the built web app. In the head of each stand the files that its screen needs and `asks`, the
 * addresses that it asks for first, so that they are on their way together with the program.
 */
export function readPages() {
  const { html, screens } = readWeb();
  const screenOf = (path: string) => screens.find(([pattern]) => pattern.test(path))?.[1];
  return {
    /** Whether the path is that of a screen. */
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

/** Milliseconds that a page waits for what is only a hint to the browser. */
const HINT_MS = 2_000;

/** Resolves to `instead` where a hint fails or is late: without a database there is the page all the same. */
export async function hint<T>(given: Promise<T>, instead: T): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(() => resolve(instead), HINT_MS).unref());
  return Promise.race([given.catch(() => instead), late]);
}

const link = (file: string) =>
  file.endsWith('.css') ? `<link rel="stylesheet" crossorigin href="/${file}">` : `<link rel="modulepreload" crossorigin href="/${file}">`;
/** The width as in web/lazy.ts. A sheet is only fetched: a narrow window would load it all the same. */
const wideLink = (file: string) =>
  `<link rel="${file.endsWith('.css') ? 'preload" as="style' : 'modulepreload'}" crossorigin href="/${file}" media="(min-width: 768px)">`;
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
