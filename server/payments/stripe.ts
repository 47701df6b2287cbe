import type { Stripe } from 'stripe';
import { z } from 'zod';
import { readTogether, urlVariable } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { type Back, defineProvider, type PaymentNotice } from './provider.ts';

const config = readTogether(
  {
    STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_/, 'STRIPE_SECRET_KEY debe empezar por sk_ o rk_'),
    STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_/, 'STRIPE_WEBHOOK_SECRET debe empezar por whsec_'),
  },
  // URL of a simulator to use instead of Stripe.
  { STRIPE_API_BASE: urlVariable('STRIPE_API_BASE').optional() },
  (e) => ({ secretKey: e.STRIPE_SECRET_KEY, webhookSecret: e.STRIPE_WEBHOOK_SECRET, apiBase: e.STRIPE_API_BASE }),
);

export const stripeProvider = defineProvider({
  id: 'stripe',
  label: 'Stripe',
  methods: [{ id: 'tarjeta', label: 'Pagar con tarjeta o Bizum' }],
  config,

  async open({ secretKey, webhookSecret, apiBase }) {
    const client = await connect(secretKey, apiBase);
    return {
      /** Opens a payment page, or returns today's page if the order has not changed. Throws 503 if Stripe does not answer. */
      async start({ begin, opened, token, origin }) {
        const pedido = await begin();
        const page = `${origin}/pagar/${token}`;
        const session = await client.checkout.sessions
          .create(
            {
              mode: 'payment',
              // Only a filter: methods disabled in the account are left out.
              allowed_payment_method_types: ['card', 'bizum'],
              line_items: [
                {
                  quantity: 1,
                  price_data: {
                    currency: 'eur',
                    unit_amount: pedido.pendiente_cents,
                    product_data: { name: `Pedido ${pedido.numero_orden}`, description: pedido.producto },
                  },
                },
              ],
              adaptive_pricing: { enabled: false },
              locale: 'es',
              client_reference_id: pedido.id,
              metadata: { pedido: pedido.id, numero_orden: pedido.numero_orden },
              success_url: `${page}?pago=ok`,
              cancel_url: page,
            },
            // Pages expire after a day, so an idempotency key per day never returns an expired page.
            { idempotencyKey: `pago-${pedido.id}-${pedido.version}-${pedido.pendiente_cents}-${new Date().toISOString().slice(0, 10)}` },
          )
          .catch(unanswered);
        if (!session.url) throw unavailable('No se ha podido abrir la página de pago. Inténtalo de nuevo.', '5');
        await opened(pedido, { externo_id: session.id, vence_at: new Date((session.expires_at ?? Date.now() / 1000 + DAY) * 1000) });
        return { url: session.url };
      },

      notified(raw, headers) {
        const event = verified(() => client.webhooks.constructEvent(raw, String(headers['stripe-signature'] ?? ''), webhookSecret));
        if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded')
          return payment(event.data.object, event.id);
        return wentBack(event);
      },

      async find(intento) {
        const { data } = await client.checkout.sessions.list({ payment_intent: intento, limit: 1 }).catch(unanswered);
        return data.find(({ metadata }) => metadata?.pedido)?.id;
      },

      async ask(externo_id) {
        const session = await client.checkout.sessions.retrieve(externo_id);
        if (session.status === 'expired') return 'ended';
        return payment(session, `asked_${externo_id}`) ?? 'open';
      },
    };
  },
});

const DAY = 86_400;

/** Returns the payment of a session; undefined while unpaid (another event follows) or if another program opened the session. */
function payment(session: Stripe.Checkout.Session, evento_id: string): PaymentNotice | undefined {
  const pedido = z.uuid().safeParse(session.metadata?.pedido).data;
  if (session.payment_status !== 'paid' || !pedido) return undefined;
  const intento = intentOf(session.payment_intent ?? null);
  return {
    evento_id,
    externo_id: session.id,
    pedido,
    importe_cents: session.amount_total,
    moneda: session.currency?.toUpperCase() ?? '',
    paid: true,
    ...(intento && { intento }),
  };
}

const intentOf = (named: string | { id: string } | null) => (typeof named === 'string' ? named : named?.id);

/**
 * Returns a refund (the sum so far) or a dispute; undefined for other events. A dispute takes the money when it is lost: until then its amount is
 * only held back (https://docs.stripe.com/disputes/how-disputes-work).
 */
function wentBack(event: Stripe.Event): Back | undefined {
  const { type, id } = event;
  if (type === 'charge.refunded') {
    const { payment_intent, amount_refunded, currency } = event.data.object;
    return backOf(id, 'reembolso', payment_intent, { importe_cents: amount_refunded, total: true, moneda: currency });
  }
  if (type !== 'charge.dispute.created' && type !== 'charge.dispute.closed') return undefined;
  const { payment_intent, amount, currency, status } = event.data.object;
  const back = type === 'charge.dispute.created' ? 'disputa' : status === 'lost' ? 'disputa_perdida' : 'disputa_ganada';
  return backOf(id, back, payment_intent, { importe_cents: amount, total: false, moneda: currency });
}

function backOf(
  evento_id: string,
  back: Back['back'],
  named: Parameters<typeof intentOf>[0],
  money: Pick<Back, 'importe_cents' | 'total' | 'moneda'>,
) {
  const intento = intentOf(named);
  return intento ? { evento_id, back, intento, ...money, moneda: money.moneda.toUpperCase() } : undefined;
}

async function connect(secretKey: string, apiBase: string | undefined): Promise<Stripe> {
  // Imported lazily, because the library is large.
  const { default: Client } = await import('stripe');
  const base = apiBase ? new URL(apiBase) : undefined;
  const https = base?.protocol === 'https:';
  return new Client(secretKey, {
    // In ms; short, because the customer is waiting.
    timeout: 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(base ? { host: base.hostname, port: base.port || (https ? 443 : 80), protocol: https ? 'https' : 'http' } : {}),
  });
}

const unavailable = (message: string, seconds: string, cause?: unknown) =>
  new DomainError(503, message, { headers: { 'retry-after': seconds }, cause });

/** Throws 503 with Stripe's error as the logged cause; the customer only reads what to do next. */
function unanswered(error: unknown): never {
  throw unavailable('La pasarela de pago no responde. Inténtalo de nuevo o paga por transferencia.', '30', error);
}

function verified(event: () => Stripe.Event): Stripe.Event {
  try {
    return event();
  } catch {
    throw new DomainError(400, 'La firma no es válida', { code: 'signature_invalid' });
  }
}
