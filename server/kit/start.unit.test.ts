import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { listenProblem } from './start.ts';

it('names the variable to change when it cannot listen', async () => {
  const listen = async (port: number, host: string) => {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    return server;
  };
  const taken = await listen(0, '127.0.0.1');
  const { port } = taken.address() as { port: number };
  const problem = (host: string) =>
    listen(port, host).then(
      () => '',
      (error) => String(listenProblem(error, { port, host })),
    );
  expect(await problem('127.0.0.1')).toContain(`PORT: el puerto ${port} de 127.0.0.1 ya lo usa otro programa`);
  expect(await problem('192.0.2.1')).toContain('HOST: «192.0.2.1» no es una dirección de esta máquina');
  taken.close();
});
