import { connect, createServer, type Socket } from 'node:net';

/** A proxy to PostgreSQL that can drop all data: connections stay open, and nothing passes. */
export async function startProxy(target: string): Promise<{ url: string; swallow: (yes: boolean) => void; close: () => void }> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let swallowing = false;
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      open.add(from);
      from.on('data', (chunk) => void to.write(chunk));
      from.on('end', () => void to.end());
      from.on('close', () => open.delete(from));
      from.on('error', () => to.destroy());
      if (swallowing) from.pause();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    swallow: (yes) => {
      swallowing = yes;
      for (const socket of open) yes ? socket.pause() : socket.resume();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
