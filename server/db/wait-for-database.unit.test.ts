import { expect, test } from 'vitest';
import { isInClear } from './wait-for-database.ts';

test.each([
  ['postgres://u:p@db.tienda.es/enruta', true],
  ['postgres://u:p@203.0.113.9/enruta', true],
  ['postgres://u:p@[2001:db8::1]/enruta', true],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=prefer', true],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=verify-full', false],
  ['postgres://u:p@db.tienda.es/enruta?ssl=true', false],
  ['postgres://u:p@localhost/enruta', false],
  ['postgres://u:p@127.0.0.1:5433/enruta', false],
  ['postgres://u:p@[::1]/enruta', false],
  ['postgres://u:p@192.168.1.20/enruta', false],
  ['postgres://u:p@db/enruta', false],
  ['postgres:///enruta?host=/run/postgresql', false],
])('%s is unencrypted over a network: %s', (url, inClear) => expect(isInClear(url)).toBe(inClear));
