import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it, test } from 'vitest';
import { linesOfNetwork, listenProblem, socketOfSystemd } from './start.ts';

it('an error of listening names the variable to change', async () => {
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

const at = (address: string, more: object = {}) => ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo;

it('the addresses in the network are printed, with a QR code of the first address', async () => {
  const [addresses, picture] = await linesOfNetwork(3000, {
    lo: [at('127.0.0.1', { internal: true })],
    wifi: [at('192.168.1.20'), at('fe80::1', { family: 'IPv6' })],
    cable: [at('10.0.0.5')],
  });
  expect(addresses).toBe('Desde un teléfono de la misma red: http://192.168.1.20:3000 o http://10.0.0.5:3000');
  expect(picture?.split('\n').length).toBeGreaterThan(10);
});

it('a machine without a network gets a sentence instead of addresses', async () => {
  expect(await linesOfNetwork(3000, { lo: [at('127.0.0.1', { internal: true })] })).toEqual([expect.stringContaining('en ninguna red')]);
});

test('the socket of systemd is used only by the process it was passed to, and its variables are deleted', () => {
  const env = { LISTEN_FDS: '1', LISTEN_PID: '42', LISTEN_FDNAMES: 'enruta.socket', PATH: '/bin' };
  expect(socketOfSystemd(env, 42)).toEqual({ fd: 3 });
  expect(env).toEqual({ PATH: '/bin' });
  expect(socketOfSystemd({ LISTEN_FDS: '1', LISTEN_PID: '42' }, 43)).toBeUndefined();
  expect(socketOfSystemd({}, 42)).toBeUndefined();
  expect(() => socketOfSystemd({ LISTEN_FDS: '2', LISTEN_PID: '42' }, 42)).toThrow('un solo ListenStream');
});
