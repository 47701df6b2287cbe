import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { isOnlyHere, setShared, sharedLink } from './shared-link.ts';

afterEach(() => vi.unstubAllGlobals());
const PATH = '/pagar/abc?x=1';

test.each([
  ['http://127.0.0.1:3000', undefined, undefined],
  ['http://localhost:3000', undefined, undefined],
  ['http://[::1]:3000', undefined, undefined],
  ['http://127.0.0.1:3000', 'http://192.168.1.5:3000', 'http://192.168.1.5:3000/pagar/abc?x=1'],
  ['http://127.0.0.1:3000', 'https://pedidos.tienda.es', 'https://pedidos.tienda.es/pagar/abc?x=1'],
  ['http://192.168.1.5:3000', 'http://10.0.0.9:3000', 'http://192.168.1.5:3000/pagar/abc?x=1'],
  ['https://localhost.tienda.es', undefined, 'https://localhost.tienda.es/pagar/abc?x=1'],
])('opened at %s, with %s for others, the link of an order is %s', (origin, address, expected) => {
  vi.stubGlobal('location', { origin });
  setShared(address, true);
  expect(sharedLink(PATH)).toBe(expected);
  expect(isOnlyHere(PATH)).toBe(/localhost:|127|::1/.test(origin));
});

test('a link that the server made of its own name for this machine is no link for others', () => {
  vi.stubGlobal('location', { origin: 'http://192.168.1.5:3000' });
  setShared(undefined, false);
  expect(sharedLink('http://localhost:3000/pagar/abc')).toBeUndefined();
  expect(sharedLink('https://pedidos.tienda.es/pagar/abc')).toBe('https://pedidos.tienda.es/pagar/abc');
});

test('no other file makes an address of a path and this machine', () => {
  // Both only read an address that is opened here.
  const readers = ['web/access.ts', 'web/cuadre/cuadre-tab.tsx', 'web/session/shared-link.ts'];
  const makers = globSync('web/**/*.{ts,tsx}').filter(
    (path) => !/\.test\.tsx?$/.test(path) && /location\.(origin|host)\b/.test(readFileSync(path, 'utf8')) && !readers.includes(path),
  );
  expect(makers).toEqual([]);
});
