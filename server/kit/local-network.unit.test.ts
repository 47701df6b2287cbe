import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { linesOfNetwork } from './local-network.ts';

const at = (address: string, more: object = {}) => ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo;

it('prints the addresses of the network, and a QR code of the first', async () => {
  const [said, picture] = await linesOfNetwork(3000, {
    lo: [at('127.0.0.1', { internal: true })],
    wifi: [at('192.168.1.20'), at('fe80::1', { family: 'IPv6' })],
    cable: [at('10.0.0.5')],
  });
  expect(said).toBe('Desde un teléfono de la misma red: http://192.168.1.20:3000 o http://10.0.0.5:3000');
  expect(picture?.split('\n').length).toBeGreaterThan(10);
});

it('says that there is no network', async () => {
  expect(await linesOfNetwork(3000, { lo: [at('127.0.0.1', { internal: true })] })).toEqual([expect.stringContaining('en ninguna red')]);
});
