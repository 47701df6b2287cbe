import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['::ffff:203.0.113.77', '::ffff:203.0.113.0'],
  ['2001:db8:1234:5678::9', '2001:db8:1234::'],
  ['2001:db8::9', '2001:db8::'],
  ['::1', '::1'],
])('a request from %s is logged with its network, and without address or query', (ip, network) => {
  let line = '';
  const log = createLog('info', { write: (text) => void (line += text) });
  log.info({ req: { method: 'GET', url: '/api/pedidos?search=Rigoberta', routeOptions: { url: '/api/pedidos' }, ip } }, 'incoming request');
  expect(JSON.parse(line)).toMatchObject({ req: { method: 'GET', route: '/api/pedidos', network } });
  expect(line).not.toMatch(/Rigoberta|\.77|:5678|:9"/);
});
