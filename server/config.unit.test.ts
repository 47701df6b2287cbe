import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

const KEY = { SECRET_KEY: 'x'.repeat(32) };
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const PUBLIC = { PUBLIC_URL: 'https://pedidos.test' };
const REDSYS = { REDSYS_MERCHANT_CODE: '999008881', REDSYS_SECRET_KEY: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7' };

it('no payment provider is offered by default', () => {
  expect(readConfig(KEY)).toMatchObject({ stripe: undefined, redsys: undefined });
});

it('backups are kept beside the data, or in BACKUP_DIR', () => {
  expect(readConfig({ ...KEY, DATA_DIR: '/srv/enruta' }).backupDir).toBe('/srv/enruta/copias');
  expect(readConfig({ ...KEY, DATA_DIR: '/srv/enruta', BACKUP_DIR: '/mnt/copias' }).backupDir).toBe('/mnt/copias');
});

it('trusted proxies, host and public address come from the environment', () => {
  expect(readConfig({ ...KEY, TRUST_PROXY: '10.0.0.0/8, ::1,loopback' }).trustProxy).toEqual(['10.0.0.0/8', '::1', 'loopback']);
  expect(readConfig(KEY).trustProxy).toBe(false);
  for (const HOST of ['0.0.0.0', '::', 'localhost', 'mi-servidor.local']) expect(readConfig({ ...KEY, HOST }).host).toBe(HOST);
  expect(readConfig({ ...KEY, PUBLIC_URL: 'https://tienda.es:8443/' }).publicUrl).toBe('https://tienda.es:8443');
});

it('the settings of both payment providers come from the environment', () => {
  const config = readConfig({ ...KEY, ...PUBLIC, ...STRIPE, ...REDSYS, REDSYS_TERMINAL: '2', REDSYS_URL: 'test' });
  expect(config.stripe).toEqual({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: undefined });
  expect(config.redsys).toEqual({
    merchantCode: '999008881',
    terminal: '2',
    secretKey: REDSYS.REDSYS_SECRET_KEY,
    url: 'https://sis-t.redsys.es:25443/sis/realizarPago',
  });
  expect(readConfig({ ...KEY, ...PUBLIC, ...REDSYS }).redsys?.url).toBe('https://sis.redsys.es/sis/realizarPago');
});

it.each(Object.entries({ ...STRIPE, ...REDSYS }))('%s alone is refused, with the name of the missing variable', (name, value) => {
  const pair = name in STRIPE ? STRIPE : REDSYS;
  const missing = Object.keys(pair).find((other) => other !== name);
  expect(() => readConfig({ ...KEY, [name]: value })).toThrow(`van juntos: falta ${missing}.`);
});

it.each([
  [{ PORT: 'abc' }, 'PORT debe ser un número'],
  [{ SUPERADMIN_EMAIL: 'ana@tienda.es', SUPERADMIN_PASSWORD: '' }, 'van juntos: falta SUPERADMIN_PASSWORD'],
  [{ SUPERADMIN_EMAIL: 'ana@tienda.es', SUPERADMIN_PASSWORD: 'Qwerty123' }, 'SUPERADMIN_PASSWORD es una contraseña demasiado común'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL debe empezar por postgres'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT: 3000 ya es PORT'],
  [{ PORT: '9464', METRICS_PORT: '9464' }, 'METRICS_PORT: 9464 ya es PORT'],
  [{ LOG_LEVEL: 'foo' }, 'LOG_LEVEL debe ser fatal, error'],
  [{ SECRET_KEY: 'corta' }, 'SECRET_KEY debe tener al menos 32'],
  [{ PUBLIC_URL: 'tienda' }, 'PUBLIC_URL debe ser una dirección'],
  [{ PUBLIC_URL: 'https://tienda.es/pedidos' }, 'PUBLIC_URL debe ser solo el origen'],
  [{ PUBLIC_URL: 'https://tienda.es/?a=1' }, 'PUBLIC_URL debe ser solo el origen'],
  [{ HOST: 'http://0.0.0.0' }, 'HOST debe ser una dirección IP o un nombre'],
  [{ HOST: '127.0.0.1:3000' }, 'HOST debe ser una dirección IP o un nombre'],
  [{ HOST: '300.1.1.1' }, 'HOST debe ser una dirección IP o un nombre'],
  [{ WEBHOOKS_PRIVATE: 'sí' }, 'WEBHOOKS_PRIVATE debe ser 1 o 0'],
  [{ TRUST_PROXY: 'nginx' }, 'TRUST_PROXY debe ser una lista'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY debe ser una lista'],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY debe ser una lista'],
  [{ TRUST_PROXY: '10.0.0.1,' }, 'TRUST_PROXY debe ser una lista'],
  [{ DATABASE_URL: 'postgres://x/y?sslmode=required' }, 'sslmode debe ser disable, allow, prefer, require'],
  [{ DATABASE_URL: 'postgres://u:a b@[x/y' }, 'DATABASE_URL no se entiende'],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY debe empezar por sk_ o rk_'],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET debe empezar por whsec_'],
  [{ ...REDSYS, REDSYS_MERCHANT_CODE: '123' }, 'REDSYS_MERCHANT_CODE debe tener nueve cifras'],
  [{ ...REDSYS, REDSYS_URL: 'https://banco.test' }, 'REDSYS_URL debe ser live o test'],
])('the program refuses the environment %o', (env, sentence) => {
  expect(() => readConfig({ ...KEY, ...env })).toThrow(sentence);
});

it.each([
  ['SECRET_KEI', 'SECRET_KEY'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['log_level', 'LOG_LEVEL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URL_FIL', 'DATABASE_URL_FILE'],
  ['BACKUPDIR', 'BACKUP_DIR'],
  ['BAKUP_KEY', 'BACKUP_KEY'],
  ['port', 'PORT'],
  ['PROT', 'PORT'],
  ['SUPERADMIN_MAIL', 'SUPERADMIN_EMAIL'],
  ['STRIPE_KEY', 'STRIPE_SECRET_KEY'],
  ['REDSYS_MERCHANT', 'REDSYS_MERCHANT_CODE'],
])('a warning about the unknown variable %s suggests %s', (name, meant) => {
  const { misspelt } = readConfig({ ...KEY, [name]: 'x' });
  expect(misspelt).toEqual([`${name} no es ninguna variable de Enruta, y no se usa: ¿querías decir ${meant}?`]);
});

it('the error about a missing variable mentions a variable with a similar name', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://x/y', SECRETKEY: KEY.SECRET_KEY })).toThrow('¿querías decir SECRET_KEY?');
  expect(() => readConfig({ ...KEY, SUPERADMIN_EMAIL: 'ana@tienda.es', SUPERADMIN_PASWORD: 'x' })).toThrow(
    '¿querías decir SUPERADMIN_PASSWORD?',
  );
});

it('common environment variables do not count as misspelt', () => {
  const machine =
    'HOME HOSTNAME HOSTTYPE LANG LOGNAME PATH PWD SHELL TERM TMPDIR USER NODE_ENV PGHOST npm_config_cache INIT_CWD NOTIFY_SOCKET LISTEN_FDS';
  const env = Object.fromEntries(`${machine} SYSTEMD_EXEC_PID NODE_EXTRA_CA_CERTS COST SSL_DIR`.split(' ').map((name) => [name, 'x']));
  expect(readConfig({ ...KEY, ...env }).misspelt).toEqual([]);
});

it('a secret can be read from the file in NAME_FILE, and an unreadable file is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'enruta-config-'));
  const path = join(folder, 'key');
  writeFileSync(path, `${KEY.SECRET_KEY}\n`);
  try {
    expect(readConfig({ SECRET_KEY_FILE: path }).secretKey).toBe(KEY.SECRET_KEY);
    expect(() => readConfig({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow('SECRET_KEY_FILE: no se puede leer');
    expect(() => readConfig({ ...KEY, SECRET_KEY_FILE: path })).toThrow('SECRET_KEY y SECRET_KEY_FILE no pueden darse a la vez');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a secret key is created only once, and an empty or truncated key file is refused', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'enruta-config-'));
  const path = join(DATA_DIR, 'secret.key');
  try {
    const { secretKey } = readConfig({ DATA_DIR });
    expect(secretKey).toMatch(/^[0-9a-f]{64}$/);
    expect([readConfig({ DATA_DIR }).secretKey, readFileSync(path, 'utf8')]).toEqual([secretKey, secretKey]);
    for (const broken of ['', '\n', secretKey.slice(0, 31)]) {
      writeFileSync(path, broken);
      expect(() => readConfig({ DATA_DIR })).toThrow(`${path} está vacío o incompleto`);
      expect(readFileSync(path, 'utf8')).toBe(broken);
    }
  } finally {
    rmSync(DATA_DIR, { recursive: true });
  }
});

it.each([
  ['Stripe', STRIPE],
  ['Redsys', REDSYS],
])('payments by %s need a public address, since the host of a request can be forged', (name, env) => {
  expect(() => readConfig({ ...KEY, ...env })).toThrow(`PUBLIC_URL: hace falta para cobrar con ${name}`);
  expect(readConfig({ ...KEY, ...PUBLIC, ...env })).toMatchObject({ publicUrl: 'https://pedidos.test' });
});
