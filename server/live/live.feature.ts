import type { FastifyInstance } from 'fastify';
import { live } from '../../contract/live/live.ts';
import { DomainError } from '../kit/errors.ts';
import type { Deps, Feature } from '../kit/feature.ts';
import { route } from '../kit/route.ts';
import { CHANNEL, type LiveChange, type ProgressOf } from './emit.ts';
import { createHub } from './hub.ts';

/** Live updates: browsers refetch when something changes. */
export const liveFeature: Feature = {
  name: 'live',
  routes,
};

const HEARTBEAT_MS = 20_000;
// Limit per person. A browser opens a single stream, so twelve are enough for every device.
const MAX_STREAMS = 12;

/** Serves the live stream: NOTIFY reaches every instance, and each notifies its own browsers. */
async function routes(app: FastifyInstance, { listen }: Deps): Promise<void> {
  const hub = createHub();
  const stop = await listen(CHANNEL, (payload) => hub.publish(JSON.parse(payload) as LiveChange | ProgressOf), hub.resync);
  app.metrics?.addGauge('enruta_streams', 'Live streams open', hub.count);
  let ending = false;
  app.addHook('preClose', async () => {
    ending = true;
    hub.closeAll();
  });
  app.addHook('onClose', () => stop());

  route(app, live, async ({ actor, query, request, reply }) => {
    const user = { id: actor.id, role: actor.role };
    if (hub.countOf(user.id) >= MAX_STREAMS)
      throw new DomainError(429, 'Hay demasiadas ventanas abiertas con tu cuenta', { headers: { 'retry-after': '60' } });
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 2000\n\n');

    // An ended response stays open until its browser has read the rest; writing to such a response would crash the process.
    let closed = false;
    const close = () => {
      if (closed) return;
      closed = true;
      clearInterval(beat);
      leave();
      unfollow();
      if (!raw.destroyed && !raw.writableEnded) raw.end();
    };
    const leave = hub.add({ user, send: (event, data) => raw.write(`event: ${event}\ndata: ${data}\n\n`), close }, query.edad);
    const unfollow = app.followSession(request, close);
    // A session that expires sends no event, so each heartbeat checks the session.
    const beat = setInterval(() => {
      app.authorize(request, live).then(() => {
        if (!raw.writableEnded) raw.write(': \n\n');
      }, close);
    }, HEARTBEAT_MS);
    raw.on('close', close);
    if (ending) close();
    return undefined;
  });
}
