import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WEB_DIST } from './build-web.ts';
import { endpoints } from './endpoints.ts';
import { errorHandler, methodNotAllowed, notFound } from './errors.ts';
import { dataBlock, firstAnswers } from './first-answers.ts';

/** Returns the first API calls of a page, and the target of a redirect if any. */
type About = (request: FastifyRequest) => Promise<{ asks?: readonly string[]; redirect?: string }>;

/** Headers that only make sense for documents, or that would force revalidation. */
const NOT_OF_ASSETS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'permissions-policy',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  'referrer-policy',
  'accept-ranges',
  'etag',
  'last-modified',
];

/** Serves the built web app: its files, and the page for other paths, with status 404 for unknown screens. */
export async function serveWeb(app: FastifyInstance, about: About): Promise<void> {
  const built = existsSync(join(WEB_DIST, 'shell.json'));
  if (built) {
    await app.register(fastifyStatic, {
      root: WEB_DIST,
      wildcard: false,
      globIgnore: ['index.html*'],
      preCompressed: true,
      setHeaders: (reply, path) => {
        // Files with hashed names never change; all others must be revalidated.
        if (!/[\\/]assets[\\/]/.test(path)) return void reply.header('cache-control', 'no-cache');
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        for (const name of NOT_OF_ASSETS) reply.removeHeader(name);
      },
    });
  }
  const pages = built ? readPages() : undefined;
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)\//.test(request.url);
    if (pages && isPage) {
      const { redirect, asks = [] } = await hint<Awaited<ReturnType<About>>>(about(request), {});
      const isScreen = pages.has(pathOf(request));
      if (redirect && isScreen) return reply.redirect(redirect);
      const { answers, cookies } = await firstAnswers(app, request, asks);
      if (cookies.length) reply.header('set-cookie', cookies);
      return reply
        .code(isScreen ? 200 : 404)
        .header('cache-control', answers.size ? 'no-store' : 'no-cache')
        .type('text/html; charset=utf-8')
        .send(pages.make(asks, answers));
    }
    const allowed = methodsOf(pathOf(request));
    return errorHandler(allowed.length ? methodNotAllowed(allowed) : notFound(), request, reply);
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

const PATTERNS = endpoints.map(({ endpoint: { method, path } }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
}));

/** Returns the methods of an API path, for `Allow`; empty for an unknown path. */
function methodsOf(pathname: string): string[] {
  const found = new Set<string>(PATTERNS.flatMap(({ method, pattern }) => (pattern.test(pathname) ? [method] : [])));
  if (found.has('GET')) found.add('HEAD');
  return [...found].sort();
}

/** Reads the built web app: `has` knows the paths of screens, `make` returns the page with its first answers; calls without one are preloaded. */
function readPages() {
  const read = (name: string) => readFileSync(join(WEB_DIST, name), 'utf8');
  const html = read('index.html');
  const { paths }: { paths: string[] } = JSON.parse(read('shell.json'));
  const screens = paths.map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}/?$`));
  return {
    has: (path: string): boolean => screens.some((pattern) => pattern.test(path)),
    make: (asks: readonly string[], answers: ReadonlyMap<string, string>): string => {
      const named = asks.filter((address) => !answers.has(address)).map(ask);
      const page = html.replace('</head>', () => `  ${named.join('\n    ')}\n  </head>`);
      return page.replace('</body>', () => `  ${dataBlock(answers)}\n  </body>`);
    },
  };
}

/** Maximum milliseconds that a page waits for the data of its preload hints. */
const HINT_MS = 2_000;

/** Resolves to `instead` if the hint fails or is late, so that the page loads even without a database. */
async function hint<T>(work: Promise<T>, instead: T): Promise<T> {
  const late = new Promise<T>((resolve) => setTimeout(() => resolve(instead), HINT_MS).unref());
  return Promise.race([work.catch(() => instead), late]);
}

const ask = (address: string) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${escaped(address)}">`;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text = '') => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
