import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { freePort } from '../test/free-port.ts';

/* Proxy between a van and the server, which forwards everything or simulates a bad network. */

export const FAULTS = ['dead', 'json500', 'html502', 'html503', 'hang', 'portal', 'cut'] as const;
/** `release`: a faulty version answers 500 to steps and files, and serves everything else. `slow`: everything arrives late. */
export type Fault = (typeof FAULTS)[number] | 'release' | 'slow';

const SLOW_MS = 2000;

const PAGE = '<!doctype html><title>Wi-Fi</title><form><button>Entrar</button></form>';
const BUG = [500, 'application/json', JSON.stringify({ message: 'Error interno. Inténtalo de nuevo.', code: 'internal' })] as const;
const ANSWERS = {
  json500: BUG,
  release: BUG,
  html502: [502, 'text/html', '<h1>502 Bad Gateway</h1><hr>nginx'],
  html503: [503, 'text/html', '<h1>503 Service Unavailable</h1>'],
  portal: [200, 'text/html', PAGE],
} as const;

const isStep = ({ method, url = '' }: IncomingMessage) => method === 'POST' && /\/(?:estado|pruebas)$/.test(url);

/** Opens a proxy in front of the server at `url`. `posts` counts the writes that a phone has tried since the last `set`. */
export async function openRoad(url: string) {
  const to = new URL(url);
  const port = await freePort();
  let fault: Fault | undefined;
  let posts = 0;
  const open = new Set<ServerResponse>();

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const headers = { ...asked.headers, host: to.host, ...(asked.headers.origin && { origin: to.origin }) };
    const isLost = fault === 'cut' && asked.method !== 'GET';
    const far = request({ host: to.hostname, port: to.port, method: asked.method, path: asked.url, headers }, (reply) => {
      if (isLost) {
        reply.resume().once('end', () => answer.destroy());
        return;
      }
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    far.on('error', () => answer.destroy());
    answer.on('close', () => far.destroy());
    asked.pipe(far);
  }

  const server = createServer((asked, answer) => {
    open.add(answer);
    answer.on('close', () => open.delete(answer)).on('error', () => undefined);
    if (asked.method === 'POST') posts += 1;
    if (fault === 'slow') return void setTimeout(pass, SLOW_MS, asked, answer);
    if (fault === undefined || fault === 'cut' || (fault === 'release' && !isStep(asked))) return pass(asked, answer);
    if (fault === 'dead') return void answer.destroy();
    if (fault === 'hang') return;
    const [status, type, body] = ANSWERS[fault];
    answer.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const end = () => {
    for (const answer of open) answer.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    posts: () => posts,
    fault: () => fault,
    /** Switches to this fault; ends open requests. */
    set: (next: Fault | undefined) => {
      fault = next;
      posts = 0;
      end();
    },
    close: () =>
      new Promise<void>((resolve) => {
        end();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
