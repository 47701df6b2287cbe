import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export const WEB_DIST = join(import.meta.dirname, '../../dist/web');

/** Serves the built web app; any path that is neither API nor file is one of its routes. */
export async function serveWeb(app: FastifyInstance): Promise<void> {
  const built = existsSync(join(WEB_DIST, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: WEB_DIST,
      wildcard: false,
      preCompressed: true,
      // Files with hashed names never change; everything else must be revalidated.
      setHeaders: (reply, path) =>
        reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets)\//.test(request.url);
    if (built && isPage) return reply.sendFile('index.html');
    return reply.code(404).send({ message: 'No encontrado' });
  });
}
