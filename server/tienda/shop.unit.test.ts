import { describe, expect, test } from 'vitest';
import { encrypt } from '../kit/secrets.ts';
import { connectorFor, findConnector } from './connectors.ts';
import { hasKeys, shopApi, type WebShop } from './shop.ts';

const SECRET = 'only for the tests: thirty-two characters';
const SHOP = { estado: 'activa', url: 'https://a.es', clave: 'ck', clave_secreta: encrypt(SECRET, 'cs') } as WebShop;

test.each<[string, Partial<WebShop>, boolean]>([
  ['an address and both keys', {}, true],
  ['no address', { url: null }, false],
  ['an empty address', { url: '' }, false],
  ['no key', { clave: null }, false],
  ['no secret key', { clave_secreta: null }, false],
  ['a person who has not confirmed it', { estado: 'por_confirmar' }, false],
])('a shop can be asked with %s: %s', (_, fields, can) => {
  const shop = { ...SHOP, ...fields };
  expect(hasKeys(shop)).toBe(can);
  for (const webhooksPrivate of [true, false])
    expect(shopApi(shop, { secretKey: SECRET, webhooksPrivate })).toEqual(
      can ? { url: 'https://a.es', key: 'ck', secret: 'cs', anywhere: webhooksPrivate } : undefined,
    );
});

describe('the kind of a shop', () => {
  test('is found by its name', () => {
    expect([findConnector('woo')?.id, findConnector('plano')?.id, findConnector('x')]).toEqual(['woo', 'plano', undefined]);
  });
  test('is that of the signature, an empty one too', () => {
    const kind = (headers: Record<string, string>) => connectorFor(headers)?.id;
    expect([kind({ 'x-wc-webhook-signature': '' }), kind({ 'x-enruta-signature': 'a' }), kind({ 'x-enruta-source': 'a' })]).toEqual([
      'woo',
      'plano',
      undefined,
    ]);
  });
  test('without words about it signs with base64, and with nothing after it', () => {
    const plain = findConnector('plano');
    const right = 'qnR8UCqJggD55PohusaBNviGoOJ67HC6Btry4qXLVZc=';
    const signed = (signature: string) => plain?.signed(Buffer.from('Message'), 'secret', signature);
    expect([right, `${right}AAAA`, right.slice(1), '', right.replace('q', 'Q')].map(signed)).toEqual([true, false, false, false, false]);
  });
});
