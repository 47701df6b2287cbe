import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WEB_DIST } from './build-web.ts';
import { endpoints } from './endpoints.ts';
import { errorHandler, methodNotAllowed, notFound } from './errors.ts';
import { hint, readPages } from './page.ts';

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
      const { redirect, asks } = await hint<Awaited<ReturnType<About>>>(about(request), {});
      const isScreen = pages.has(pathOf(request));
      if (redirect && isScreen) return reply.redirect(redirect);
      return reply
        .code(isScreen ? 200 : 404)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(pages.make(asks));
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
