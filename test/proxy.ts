import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** A proxy to the server at `url` that can be closed, reopened, and made to drop all data. */
export async function openProxy(url: string) {
  const to = new URL(url);
  const port = await freePort();
  const sockets = new Set<Socket>();
  let server: Server;
  let silent = false;
  const open = () =>
    new Promise<void>((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(to.port), to.hostname);
        for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
        if (!silent) near.pipe(far).pipe(near);
      }).listen(port, '127.0.0.1', resolve);
    });
  await open();
  const there = new URL(url);
  there.port = String(port);
  return {
    url: there.href,
    open,
    /** Drops all data: open connections fall silent, new ones get no answer. */
    silence: () => {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    speak: () => {
      silent = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        sockets.clear();
        server.close(() => resolve());
      }),
  };
}
