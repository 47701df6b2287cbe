import { createHash, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Answer, BodyOut } from '../../contract/kit.ts';
import type { pagarConRedsys, redsysWebhook } from '../../contract/payments.ts';
import { type Db, transact } from '../db/open.ts';
import type { RedsysConfig } from '../kit/config.ts';
import { DomainError } from '../kit/errors.ts';
import { lockUnpaid } from './find.ts';
import { recordPago } from './ledger.ts';
import { sign, verify } from './redsys-signature.ts';
import { type Resultado, receive, type Settlement, settlePayment } from './settle.ts';

const EURO = '978';
/** How many times in an hour the payment of one order may be begun. */
const MAX_ATTEMPTS = 20;
const PAYMENT_METHOD = { tarjeta: 'C', bizum: 'z' };

/**
 * Begins a payment at the bank's page: a signed form for the browser to post. Throws 404, 409 when the order
 * is not waiting to be paid, and 429 after too many attempts.
 */
export async function startRedsys(
  db: Db,
  config: RedsysConfig,
  token: string,
  { metodo }: BodyOut<typeof pagarConRedsys>,
  origin: string,
): Promise<Answer<typeof pagarConRedsys>> {
  // The bank takes each number once, so every attempt has its own.
  const order = newOrder();
  const row = await transact(db, async (tx) => {
    const row = await lockUnpaid(tx, token);
    const { attempts } = await tx
      .selectFrom('pagos')
      .select((eb) => eb.fn.countAll<number>().as('attempts'))
      .where('pedido_id', '=', row.id)
      .where('proveedor', '=', 'redsys')
      .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
      .executeTakeFirstOrThrow();
    if (attempts >= MAX_ATTEMPTS)
      throw new DomainError(429, 'Has empezado el pago demasiadas veces. Vuelve a intentarlo dentro de una hora.', {
        headers: { 'retry-after': '3600' },
      });
    await recordPago(tx, row, {
      proveedor: 'redsys',
      externo_id: order,
      estado: 'iniciado',
      referencia: order,
      importe_cents: row.precio_total_cents,
    });
    return row;
  });
  const page = `${origin}/pagar/${token}`;
  const parameters = encode({
    DS_MERCHANT_AMOUNT: String(row.precio_total_cents),
    DS_MERCHANT_ORDER: order,
    DS_MERCHANT_MERCHANTCODE: config.merchantCode,
    DS_MERCHANT_TERMINAL: config.terminal,
    DS_MERCHANT_CURRENCY: EURO,
    DS_MERCHANT_TRANSACTIONTYPE: '0',
    DS_MERCHANT_PAYMETHODS: PAYMENT_METHOD[metodo],
    DS_MERCHANT_PRODUCTDESCRIPTION: `Pedido ${row.numero_orden}`,
    DS_MERCHANT_CONSUMERLANGUAGE: '001',
    DS_MERCHANT_MERCHANTURL: `${origin}/api/webhooks/redsys`,
    DS_MERCHANT_URLOK: `${page}?pago=ok`,
    DS_MERCHANT_URLKO: `${page}?pago=ko`,
  });
  return {
    url: config.url,
    fields: {
      Ds_SignatureVersion: 'HMAC_SHA512_V2',
      Ds_MerchantParameters: parameters,
      Ds_Signature: sign(config.secretKey, order, parameters),
    },
  };
}

const notice = z.object({
  Ds_Order: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
  Ds_MerchantCode: z.string(),
  Ds_Terminal: z.string(),
  Ds_Amount: z.string().regex(/^\d{1,12}$/),
  Ds_Currency: z.string(),
  Ds_Response: z.string().regex(/^\d{1,4}$/),
  Ds_TransactionType: z.string(),
});

/**
 * A notification of the bank. Throws 400 when it is not signed by it for this shop, and 422 when it is not of
 * an order that we sent, or not for its amount in euros.
 */
export async function redsysNotified(db: Db, config: RedsysConfig, body: BodyOut<typeof redsysWebhook>): Promise<Resultado> {
  const said = notice.safeParse(decode(body.Ds_MerchantParameters)).data;
  const genuine = said && verify(config.secretKey, body.Ds_SignatureVersion, said.Ds_Order, body.Ds_MerchantParameters, body.Ds_Signature);
  if (!genuine || said.Ds_MerchantCode !== config.merchantCode || Number(said.Ds_Terminal) !== Number(config.terminal))
    throw new DomainError(400, 'La firma no es válida');

  const externo_id = said.Ds_Order;
  const begun = await db
    .selectFrom('pagos')
    .select('pedido_id')
    .where('proveedor', '=', 'redsys')
    .where('externo_id', '=', externo_id)
    .executeTakeFirst();
  const payment: Settlement = {
    proveedor: 'redsys',
    externo_id,
    pedido: begun?.pedido_id ?? null,
    importe_cents: Number(said.Ds_Amount),
    moneda: said.Ds_Currency === EURO ? 'EUR' : said.Ds_Currency,
  };
  // Only a payment pays: a refund or a pre-authorisation that went well does not.
  const paid = Number(said.Ds_Response) <= 99 && said.Ds_TransactionType === '0';
  const evento_id = createHash('sha256').update(body.Ds_MerchantParameters).digest('hex');
  return receive(db, evento_id, payment, async (tx) => {
    if (paid) return settlePayment(tx, payment);
    // The same number may be refused once and paid on a second try, never the other way round.
    await tx
      .updateTable('pagos')
      .set({ estado: 'rechazado', updated_at: sql`now()` })
      .where('proveedor', '=', 'redsys')
      .where('externo_id', '=', externo_id)
      .where('estado', '=', 'iniciado')
      .execute();
    return 'rechazado';
  });
}

const LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Four digits and eight letters or digits, as the bank asks. */
function newOrder(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return String(randomInt(10_000)).padStart(4, '0') + letters;
}

const encode = (parameters: Record<string, string>) => Buffer.from(JSON.stringify(parameters)).toString('base64url');
function decode(parameters: string): unknown {
  try {
    return JSON.parse(Buffer.from(parameters, 'base64url').toString());
  } catch {
    return undefined;
  }
}
