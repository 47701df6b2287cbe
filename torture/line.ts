import { connect, createServer, type Socket } from 'node:net';

/** Point at which a line is cut: before or during a request or its answer. */
const CUTS = ['before', 'within', 'unanswered', 'answering'] as const;
export type Cut = (typeof CUTS)[number];

/**
 * A phone's connection to the server at `target`, cut at random after `bad(true)`. `cuts` counts the cuts by point.
 */
export async function startLine(
  target: string,
): Promise<{ url: string; bad: (yes: boolean) => void; cuts: Record<Cut, number>; close: () => void }> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const cuts = Object.fromEntries(CUTS.map((cut) => [cut, 0])) as Record<Cut, number>;
  let isBad = false;
  const server = createServer((telephone) => {
    const far = connect(Number(port), hostname);
    const hangUp = () => {
      telephone.destroy();
      far.destroy();
    };
    const pass = (from: Socket, to: Socket, [none, half]: [Cut, Cut]) => {
      open.add(from);
      from.on('data', (chunk: Buffer) => {
        const dice = isBad ? Math.random() : 1;
        if (dice > 2 * CHANCE) return void to.write(chunk);
        const cut = dice > CHANCE ? half : none;
        cuts[cut] += 1;
        if (cut === none) return hangUp();
        to.write(chunk.subarray(0, chunk.length / 2), hangUp);
      });
      from.on('end', () => to.end());
      from.on('close', () => open.delete(from));
      from.on('error', hangUp);
    };
    pass(telephone, far, ['before', 'within']);
    pass(far, telephone, ['unanswered', 'answering']);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = new URL(target);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.origin,
    bad: (yes) => {
      isBad = yes;
    },
    cuts,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

/** Probability of each kind of cut, at each chunk of a request or response. */
const CHANCE = 0.08;
