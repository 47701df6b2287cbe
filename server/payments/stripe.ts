import Stripe from 'stripe';
import { z } from 'zod';
import type { Db } from '../db/open.ts';
import type { StripeConfig } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { findUnpaid } from './find.ts';
import { type Resultado, receive, type Settlement, settlePayment } from './settle.ts';

/** The client of Stripe's API, or of the simulator at `apiBase`. */
export function openStripe({ secretKey, apiBase }: StripeConfig): Stripe {
  const base = apiBase ? new URL(apiBase) : undefined;
  const https = base?.protocol === 'https:';
  return new Stripe(secretKey, {
    // A person is waiting for the answer.
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base ? { host: base.hostname, port: base.port || (https ? 443 : 80), protocol: https ? 'https' : 'http' } : {}),
  });
}

/**
 * The address of Stripe's page where this order is paid. Asking again on the same day gives the same page.
 * Throws 404, 409 when the order is not waiting to be paid, and 503 when Stripe does not answer.
 */
export async function startStripe(db: Db, stripe: Stripe, token: string, origin: string): Promise<string> {
  const row = await findUnpaid(db, token);
  const page = `${origin}/pagar/${token}`;
  const { url } = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      // A filter: what the account has not switched on is left out.
      allowed_payment_method_types: ['card', 'bizum'],
      line_items: [
        {
          quantity: 1,
          price_data: {
            currency: 'eur',
            unit_amount: row.precio_total_cents,
            product_data: { name: `Pedido ${row.numero_orden}`, description: row.producto },
          },
        },
      ],
      adaptive_pricing: { enabled: false },
      locale: 'es',
      client_reference_id: row.id,
      metadata: { pedido: row.id, numero_orden: row.numero_orden },
      success_url: `${page}?pago=ok`,
      cancel_url: page,
    },
    // A page lives for a day, so a day's key never answers one that has expired.
    { idempotencyKey: `pago-${row.id}-${row.version}-${new Date().toISOString().slice(0, 10)}` },
  );
  if (!url) throw new DomainError(503, 'No se ha podido abrir la página de pago. Inténtalo de nuevo.', { headers: { 'retry-after': '5' } });
  return url;
}

/**
 * An event of Stripe: `raw` are the body's bytes as they came. Throws 400 when it is not signed by Stripe or too
 * old, and 422 when it is not of an order of ours, or not for its amount in euros. What is not about a payment
 * answers undefined.
 */
export async function stripeNotified(
  db: Db,
  stripe: Stripe,
  webhookSecret: string,
  raw: Buffer,
  signature: string,
): Promise<Resultado | undefined> {
  const event = verified(stripe, webhookSecret, raw, signature);
  if (event.type !== 'checkout.session.completed' && event.type !== 'checkout.session.async_payment_succeeded') return undefined;
  const session = event.data.object;
  // Completed and not yet paid: another event follows when the money arrives.
  if (session.payment_status !== 'paid') return undefined;
  const payment: Settlement = {
    proveedor: 'stripe',
    externo_id: session.id,
    pedido: z.uuid().safeParse(session.client_reference_id).data ?? null,
    importe_cents: session.amount_total,
    moneda: session.currency?.toUpperCase() ?? '',
  };
  return receive(db, event.id, payment, (tx) => settlePayment(tx, payment));
}

function verified(stripe: Stripe, secret: string, raw: Buffer, signature: string): Stripe.Event {
  try {
    return stripe.webhooks.constructEvent(raw, signature, secret);
  } catch {
    throw new DomainError(400, 'La firma no es válida');
  }
}
