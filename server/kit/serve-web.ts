import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WEB_DIST } from './build-web.ts';
import { type Head, hint, readPages } from './page.ts';

type Page = { path?: string | undefined; asks?: readonly string[]; head?: Head };
/** What the page of a request asks for first, and the address whose screen it shows where that is another one. */
type About = (request: FastifyRequest) => Promise<Page>;

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers with the web app's page, or with 404 where it has not been built. */
    sendPage: (request: FastifyRequest, reply: FastifyReply, page: Page) => FastifyReply;
  }
}

/** What says how to treat a document, or asks again for a file that never changes. */
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

/** Serves the built web app: its files, and its page for any other path, with 404 where that is none of its screens. */
export async function serveWeb(app: FastifyInstance, about: About): Promise<void> {
  const built = existsSync(join(WEB_DIST, 'screens.json'));
  if (built) {
    await app.register(fastifyStatic, {
      root: WEB_DIST,
      wildcard: false,
      globIgnore: ['index.html*', 'screens.json*'],
      preCompressed: true,
      setHeaders: (reply, path) => {
        // Files with hashed names never change; everything else must be revalidated.
        if (!/[\\/]assets[\\/]/.test(path)) return void reply.header('cache-control', 'no-cache');
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        // They are half of a small script.
        for (const name of NOT_OF_ASSETS) reply.removeHeader(name);
      },
    });
  }
  const pages = built ? readPages() : undefined;
  app.decorate('sendPage', (request, reply, { path = pathOf(request), asks, head }) => {
    if (!pages) return reply.code(404).send({ message: 'No encontrado' });
    return reply
      .code(pages.has(pathOf(request)) ? reply.statusCode : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(pages.make(path, asks, head));
  });
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)\//.test(request.url);
    if (built && isPage) return app.sendPage(request, reply, await hint(about(request), {}));
    return reply.code(404).send({ message: 'No encontrado' });
  });
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';
