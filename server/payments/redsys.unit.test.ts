import { describe, expect, test } from 'vitest';
import { REDSYS } from '../../test/paying.ts';
import type { DomainError } from '../kit/errors.ts';
import type { Unpaid } from './find.ts';
import { redsysProvider } from './redsys.ts';
import { isGenuine, signRedsys } from './redsys-signature.ts';

const SECRET = REDSYS.REDSYS_SECRET_KEY;
const bank = await redsysProvider.open({
  merchantCode: REDSYS.REDSYS_MERCHANT_CODE,
  terminal: '1',
  secretKey: SECRET,
  url: 'https://b.es',
});

const FORM = 'application/x-www-form-urlencoded';
const FIELDS = {
  Ds_Order: '0001ABCDEFGH',
  Ds_MerchantCode: REDSYS.REDSYS_MERCHANT_CODE,
  Ds_Terminal: '001',
  Ds_Amount: '4321',
  Ds_Currency: '978',
  Ds_Response: '0000',
  Ds_TransactionType: '0',
};
const VERSION = 'HMAC_SHA512_V2';
/** What the bank's notification says, or the status of its refusal and the fields that it names. */
function outcome(sent: Record<string, string>, type: string | undefined = FORM): unknown {
  try {
    return bank.notified(Buffer.from(new URLSearchParams(sent).toString()), { 'content-type': type });
  } catch (error) {
    const { status, body } = error as DomainError;
    return [status, Object.keys(body.errors ?? {}).join() || body.code];
  }
}
function signed(fields: Partial<typeof FIELDS>, secret = SECRET) {
  const all = { ...FIELDS, ...fields };
  const parameters = Buffer.from(JSON.stringify(all)).toString('base64url');
  return {
    Ds_SignatureVersion: VERSION,
    Ds_MerchantParameters: parameters,
    Ds_Signature: signRedsys(secret, all.Ds_Order, parameters),
  };
}

describe('a notification of the bank', () => {
  const PAID = { evento_id: expect.stringMatching(/^[\da-f]{64}$/), externo_id: '0001ABCDEFGH', importe_cents: 4321, moneda: 'EUR' };
  const REFUSED = [400, 'signature_invalid'];
  test.each<[string, Partial<typeof FIELDS>, unknown]>([
    ['pays', {}, { ...PAID, paid: true }],
    ['pays with the last code of success', { Ds_Response: '0099' }, { ...PAID, paid: true }],
    ['declines with the first code beyond', { Ds_Response: '0100' }, { ...PAID, paid: false }],
    ['pays nothing by an authorisation', { Ds_TransactionType: '1' }, { ...PAID, paid: false }],
    ['pays in another currency', { Ds_Currency: '840' }, { ...PAID, moneda: '840', paid: true }],
    ['refunds', { Ds_TransactionType: '3', Ds_Response: '0900' }, { ...PAID, back: 'reembolso', total: false }],
    ['declines a refund', { Ds_TransactionType: '3', Ds_Response: '0899' }, { ...PAID, paid: false }],
    ['declines another refund', { Ds_TransactionType: '3', Ds_Response: '0901' }, { ...PAID, paid: false }],
    ['declines a payment with the code of refunds', { Ds_Response: '0900' }, { ...PAID, paid: false }],
    ['is of the same terminal, however written', { Ds_Terminal: '1' }, { ...PAID, paid: true }],
    ['is of another terminal', { Ds_Terminal: '002' }, REFUSED],
    ['is of another shop', { Ds_MerchantCode: '123456789' }, REFUSED],
    ['has an amount that is no number', { Ds_Amount: '-1' }, REFUSED],
  ])('%s', (_, fields, wanted) => expect(outcome(signed(fields))).toEqual(wanted));

  test('is refused if signed with another secret', () => expect(outcome(signed({}, `x${SECRET}`))).toEqual(REFUSED));

  test.each<[string, Record<string, string>, unknown]>([
    ['the longest version', { Ds_SignatureVersion: 'x'.repeat(40) }, REFUSED],
    ['a longer version', { Ds_SignatureVersion: 'x'.repeat(41) }, [422, 'Ds_SignatureVersion']],
    ['the longest parameters', { Ds_MerchantParameters: 'x'.repeat(10_000) }, REFUSED],
    ['longer parameters', { Ds_MerchantParameters: 'x'.repeat(10_001) }, [422, 'Ds_MerchantParameters']],
    ['the longest signature', { Ds_Signature: 'x'.repeat(200) }, REFUSED],
    ['a longer signature', { Ds_Signature: 'x'.repeat(201) }, [422, 'Ds_Signature']],
    ['no version', { Ds_SignatureVersion: '' }, [422, 'Ds_SignatureVersion']],
  ])('is refused with %s', (_, fields, wanted) => expect(outcome({ ...signed({}), ...fields })).toEqual(wanted));

  test.each([
    [`${FORM.toUpperCase()}; charset=utf-8`, { ...PAID, paid: true }],
    ['application/json', [415, 'unsupported_media_type']],
    [`text/plain, ${FORM}`, [415, 'unsupported_media_type']],
  ])('of the type %s', (type, wanted) => expect(outcome(signed({}), type)).toEqual(wanted));
});

describe('the form for the bank', () => {
  const begin = async () => ({ pendiente_cents: 4321, numero_orden: 'ORD-1' }) as Unpaid;
  const start = async (metodo: string) => {
    const orders: (string | undefined)[] = [];
    const note = (order?: string) => begin().finally(() => orders.push(order));
    const { fields = {} } = await bank.start({ begin: note, opened: async () => {}, token: 't', metodo, origin: 'https://x.es' });
    const { Ds_SignatureVersion = '', Ds_MerchantParameters = '', Ds_Signature = '' } = fields;
    const inside = JSON.parse(Buffer.from(Ds_MerchantParameters, 'base64url').toString());
    expect(isGenuine(SECRET, Ds_SignatureVersion, orders[0] ?? '', Ds_MerchantParameters, Ds_Signature)).toBe(true);
    expect(inside.DS_MERCHANT_ORDER).toBe(orders[0]);
    return inside;
  };

  test('says the way to pay', async () => {
    expect((await start('bizum')).DS_MERCHANT_PAYMETHODS).toBe('z');
    expect((await start('tarjeta')).DS_MERCHANT_PAYMETHODS).toBe('C');
  });

  test('has an order number of four digits and eight letters or digits', async () => {
    const orders = await Promise.all(Array.from({ length: 200 }, () => start('tarjeta')));
    for (const { DS_MERCHANT_ORDER } of orders) expect(DS_MERCHANT_ORDER).toMatch(/^\d{4}[0-9A-Z]{8}$/);
  });
});

test('a secret key has at least sixteen letters', () => {
  const problems = (length: number) => {
    const found: string[] = [];
    redsysProvider.config({ ...REDSYS, REDSYS_SECRET_KEY: 'x'.repeat(length) }, found);
    return found.length;
  };
  expect([problems(15), problems(16)]).toEqual([1, 0]);
});
