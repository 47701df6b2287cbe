import Stripe from 'stripe';
import { signRedsys } from '../server/payments/redsys-signature.ts';
import type { Client } from './client.ts';

/* Genuine and forged notifications of the payment providers. */

/** A payment provider requires a public address. */
const PUBLIC_URL = 'http://pedidos.test';
export const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_enruta', STRIPE_WEBHOOK_SECRET: 'whsec_enruta', PUBLIC_URL };
export const REDSYS = {
  REDSYS_MERCHANT_CODE: '999008881',
  REDSYS_SECRET_KEY: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
  REDSYS_URL: 'test',
  PUBLIC_URL,
};

const webhooks = new Stripe('sk_test_enruta').webhooks;

type StripeSays = {
  id: string;
  pedido: string | null;
  session?: string;
  intento?: string;
  importe: number;
  moneda?: string;
  type?: string;
  status?: string;
};
type Forgery = { secret?: string; timestamp?: number; tamper?: (payload: string) => string };

/** Sends a Checkout Session event, by default signed by Stripe. Amounts in cents. */
export function stripeSays(
  to: Client,
  { id, pedido, session, intento, importe, moneda = 'eur', type = 'checkout.session.completed', status = 'paid' }: StripeSays,
  forgery: Forgery = {},
) {
  const object = {
    id: session ?? `cs_${id}`,
    object: 'checkout.session',
    client_reference_id: pedido,
    metadata: pedido ? { pedido } : {},
    amount_total: importe,
    currency: moneda,
    payment_status: status,
    payment_intent: intento ?? null,
  };
  return stripeEvent(to, { id, type, object }, forgery);
}

/** Sends any event, by default signed by Stripe. */
export function stripeEvent(to: Client, { id, type, object }: { id: string; type: string; object: object }, forgery: Forgery = {}) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const signature = webhooks.generateTestHeaderString({
    payload,
    secret: forgery.secret ?? STRIPE.STRIPE_WEBHOOK_SECRET,
    ...(forgery.timestamp ? { timestamp: forgery.timestamp } : {}),
  });
  return to.request('POST', '/api/webhooks/stripe', {
    body: forgery.tamper?.(payload) ?? payload,
    headers: { 'stripe-signature': signature },
    xsrf: false,
  });
}

type RedsysSays = { order: string; importe: number; moneda?: string; response?: string; code?: string; type?: string; secret?: string };

/** Sends a notification, by default signed by the bank; pass `secret` to forge it. Amounts in cents. */
export function redsysSays(
  to: Client,
  {
    order,
    importe,
    moneda = '978',
    response = '0000',
    code = REDSYS.REDSYS_MERCHANT_CODE,
    type = '0',
    secret = REDSYS.REDSYS_SECRET_KEY,
  }: RedsysSays,
) {
  const fields = {
    Ds_Date: '20%2F11%2F2026',
    Ds_Amount: String(importe),
    Ds_Currency: moneda,
    Ds_Order: order,
    Ds_MerchantCode: code,
    Ds_Terminal: '001',
    Ds_Response: response,
    Ds_TransactionType: type,
  };
  const parameters = Buffer.from(JSON.stringify(fields)).toString('base64url');
  const body = new URLSearchParams({
    Ds_SignatureVersion: 'HMAC_SHA512_V2',
    Ds_MerchantParameters: parameters,
    Ds_Signature: signRedsys(secret, order, parameters),
  });
  return to.request('POST', '/api/webhooks/redsys', {
    body: body.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    xsrf: false,
  });
}

/** Decodes the form that the browser would post to the bank. */
export function insideOf(parameters = ''): Record<string, string> {
  return JSON.parse(Buffer.from(parameters, 'base64url').toString());
}
