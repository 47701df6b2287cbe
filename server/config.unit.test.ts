import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

const KEY = { SECRET_KEY: 'x'.repeat(32) };
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const REDSYS = { REDSYS_MERCHANT_CODE: '999008881', REDSYS_SECRET_KEY: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7' };

it('offers no payment provider by default', () => {
  expect(readConfig(KEY)).toMatchObject({ stripe: undefined, redsys: undefined });
});

it('keeps the backups beside the data, or where it is told', () => {
  expect(readConfig({ ...KEY, DATA_DIR: '/srv/enruta' }).backupDir).toBe('/srv/enruta/copias');
  expect(readConfig({ ...KEY, DATA_DIR: '/srv/enruta', BACKUP_DIR: '/mnt/copias' }).backupDir).toBe('/mnt/copias');
});

it('reads both providers', () => {
  const config = readConfig({ ...KEY, ...STRIPE, ...REDSYS, REDSYS_TERMINAL: '2', REDSYS_URL: 'test' });
  expect(config.stripe).toEqual({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: undefined });
  expect(config.redsys).toEqual({
    merchantCode: '999008881',
    terminal: '2',
    secretKey: REDSYS.REDSYS_SECRET_KEY,
    url: 'https://sis-t.redsys.es:25443/sis/realizarPago',
  });
  expect(readConfig({ ...KEY, ...REDSYS }).redsys?.url).toBe('https://sis.redsys.es/sis/realizarPago');
});

it.each(Object.entries({ ...STRIPE, ...REDSYS }))('refuses %s alone, and says what is missing', (name, value) => {
  const pair = name in STRIPE ? STRIPE : REDSYS;
  const missing = Object.keys(pair).find((other) => other !== name);
  expect(() => readConfig({ ...KEY, [name]: value })).toThrow(`van juntos: falta ${missing}.`);
});

it.each([
  [{ PORT: 'abc' }, 'PORT: PORT debe ser un número'],
  [{ SUPERADMIN_EMAIL: 'ana@tienda.es', SUPERADMIN_PASSWORD: '' }, 'van juntos: falta SUPERADMIN_PASSWORD'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL debe empezar por postgres'],
  [{ SECRET_KEY: 'corta' }, 'SECRET_KEY debe tener al menos 32'],
  [{ PUBLIC_URL: 'tienda' }, 'PUBLIC_URL debe ser una dirección'],
  [{ ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY debe empezar por sk_ o rk_'],
  [{ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET debe empezar por whsec_'],
  [{ ...REDSYS, REDSYS_MERCHANT_CODE: '123' }, 'REDSYS_MERCHANT_CODE debe tener nueve cifras'],
  [{ ...REDSYS, REDSYS_URL: 'https://banco.test' }, 'REDSYS_URL debe ser live o test'],
])('refuses what cannot be right: %o', (env, sentence) => {
  expect(() => readConfig({ ...KEY, ...env })).toThrow(sentence);
});
