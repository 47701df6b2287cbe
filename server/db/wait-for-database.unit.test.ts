import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from './schema.ts';
import { isInClear, onceReady, whyNot, withCheckedTls } from './wait-for-database.ts';

test.each([
  ['postgres://u:p@db.tienda.es/enruta', true],
  ['postgres://u:p@203.0.113.9/enruta', true],
  ['postgres://u:p@[2001:db8::1]/enruta', true],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=disable', true],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=prefer&uselibpqcompat=true', true],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=prefer', false],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=require', false],
  ['postgres://u:p@db.tienda.es/enruta?sslmode=verify-full', false],
  ['postgres://u:p@db.tienda.es/enruta?ssl=true', false],
  ['postgres://u:p@localhost/enruta', false],
  ['postgres://u:p@127.0.0.1:5433/enruta', false],
  ['postgres://u:p@[::1]/enruta', false],
  ['postgres://u:p@192.168.1.20/enruta', false],
  ['postgres://u:p@db/enruta', false],
  ['postgres:///enruta?host=/run/postgresql', false],
])('%s is unencrypted over a network: %s', (url, inClear) => expect(isInClear(url)).toBe(inClear));

test.each([
  ['?sslmode=require', '?sslmode=verify-full'],
  ['?a=1&sslmode=prefer&b=2', '?a=1&sslmode=verify-full&b=2'],
  ['?sslmode=verify-ca', '?sslmode=verify-full'],
  ['?sslmode=no-verify', '?sslmode=no-verify'],
  ['?sslmode=disable', '?sslmode=disable'],
  ['?sslmode=require&uselibpqcompat=true', '?sslmode=require&uselibpqcompat=true'],
  ['', ''],
])('an address with %s connects as with %s', (fields, meant) =>
  expect(withCheckedTls(`postgres://u:p%40@db/enruta${fields}`)).toBe(`postgres://u:p%40@db/enruta${meant}`),
);

test('the reason for a failed TLS connection is given in Spanish', () => {
  const why = (code: string) => whyNot(Object.assign(new Error('no'), { code }));
  expect(why('DEPTH_ZERO_SELF_SIGNED_CERT')).toContain('&sslrootcert=RUTA');
  expect(why('UNABLE_TO_GET_ISSUER_CERT_LOCALLY')).toContain('también con sslmode=require');
  expect(why('ERR_TLS_CERT_ALTNAME_INVALID')).toContain('es de otro nombre');
  expect(whyNot(new Error('The server does not support SSL connections'))).toContain('sslmode=disable');
  expect(whyNot(new Error('otra cosa'))).toBeUndefined();
});

test('a start waits again for a PostgreSQL that begins to recover after its first answer', async () => {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const recovering = Object.assign(new Error('the database system is in recovery mode'), { code: '57P03' });
  const answers = [recovering, new Error('migration', { cause: recovering })];
  const work = async () => {
    const error = answers.shift();
    if (error) throw error;
    return 'started';
  };
  expect(await onceReady(db, () => {}, work, { whole: 10, look: 1 })).toBe('started');
  await expect(
    onceReady(
      db,
      () => {},
      () => Promise.reject(new Error('own')),
      { whole: 10, look: 1 },
    ),
  ).rejects.toThrow('own');
});

test('a pooler that shares connections is named, with what to do', () => {
  expect(whyNot(Object.assign(new Error('prepared statement "q1" already exists'), { code: '42P05' }))).toContain('pool_mode = session');
});
