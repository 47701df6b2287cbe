import { createHash, randomInt } from 'node:crypto';
import { z } from 'zod';
import { text } from '../../contract/kit/schemas.ts';
import { readTogether } from '../kit/config.ts';
import { DomainError, invalid } from '../kit/errors.ts';
import { defineProvider } from './provider.ts';
import { isGenuine, signRedsys } from './redsys-signature.ts';

const PAGE = { live: 'https://sis.redsys.es/sis/realizarPago', test: 'https://sis-t.redsys.es:25443/sis/realizarPago' };
const EURO = '978';
/** Transaction type of a refund, whole or in part, and the response code of an accepted refund. */
const REFUND = '3';
const REFUNDED = 900;

const config = readTogether(
  {
    REDSYS_MERCHANT_CODE: z.string().regex(/^\d{9}$/, 'REDSYS_MERCHANT_CODE debe tener nueve cifras'),
    REDSYS_SECRET_KEY: z.string().min(16, 'REDSYS_SECRET_KEY debe tener al menos 16 caracteres'),
  },
  {
    REDSYS_TERMINAL: z
      .string()
      .regex(/^\d{1,3}$/, 'REDSYS_TERMINAL debe tener de una a tres cifras')
      .default('1'),
    REDSYS_URL: z.enum(['live', 'test'], 'REDSYS_URL debe ser live o test').default('live'),
  },
  (e) => ({
    merchantCode: e.REDSYS_MERCHANT_CODE,
    terminal: e.REDSYS_TERMINAL,
    secretKey: e.REDSYS_SECRET_KEY,
    url: PAGE[e.REDSYS_URL],
  }),
);

export const redsysProvider = defineProvider({
  id: 'redsys',
  label: 'Redsys',
  methods: [
    { id: 'tarjeta', label: 'Pagar con tarjeta' },
    { id: 'bizum', label: 'Pagar con Bizum' },
  ],
  config,
  formAction: ({ url }) => new URL(url).origin,

  open: ({ merchantCode, terminal, secretKey, url }) => ({
    async start({ begin, token, metodo, origin }) {
      // The bank accepts each order number once, so every attempt needs a new number.
      const order = newOrder();
      const pedido = await begin(order);
      const page = `${origin}/pagar/${token}`;
      const parameters = encode({
        DS_MERCHANT_AMOUNT: String(pedido.pendiente_cents),
        DS_MERCHANT_ORDER: order,
        DS_MERCHANT_MERCHANTCODE: merchantCode,
        DS_MERCHANT_TERMINAL: terminal,
        DS_MERCHANT_CURRENCY: EURO,
        DS_MERCHANT_TRANSACTIONTYPE: '0',
        DS_MERCHANT_PAYMETHODS: metodo === 'bizum' ? 'z' : 'C',
        DS_MERCHANT_PRODUCTDESCRIPTION: `Pedido ${pedido.numero_orden}`,
        DS_MERCHANT_CONSUMERLANGUAGE: '001',
        DS_MERCHANT_MERCHANTURL: `${origin}/api/webhooks/redsys`,
        DS_MERCHANT_URLOK: `${page}?pago=ok`,
        DS_MERCHANT_URLKO: `${page}?pago=ko`,
      });
      const Ds_Signature = signRedsys(secretKey, order, parameters);
      return { url, fields: { Ds_SignatureVersion: 'HMAC_SHA512_V2', Ds_MerchantParameters: parameters, Ds_Signature } };
    },

    notified(raw, headers) {
      const sent = read(raw, headers['content-type']);
      const data = notice.safeParse(decode(sent.Ds_MerchantParameters)).data;
      const genuine = data && isGenuine(secretKey, sent.Ds_SignatureVersion, data.Ds_Order, sent.Ds_MerchantParameters, sent.Ds_Signature);
      if (!genuine || data.Ds_MerchantCode !== merchantCode || Number(data.Ds_Terminal) !== Number(terminal))
        throw new DomainError(400, 'La firma no es válida', { code: 'signature_invalid' });
      const money = {
        evento_id: createHash('sha256').update(sent.Ds_MerchantParameters).digest('hex'),
        externo_id: data.Ds_Order,
        importe_cents: Number(data.Ds_Amount),
        moneda: data.Ds_Currency === EURO ? 'EUR' : data.Ds_Currency,
      };
      if (data.Ds_TransactionType === REFUND && Number(data.Ds_Response) === REFUNDED) return { ...money, back: 'reembolso', total: false };
      return {
        ...money,
        // A successful refund or pre-authorisation does not pay the order.
        paid: Number(data.Ds_Response) <= 99 && data.Ds_TransactionType === '0',
      };
    },
  }),
});

// Allows unknown fields: the bank may add some, and the signature covers the fields that we read.
const form = z.object({
  Ds_SignatureVersion: text(40, 'Falta la firma'),
  Ds_MerchantParameters: text(10_000, 'Faltan los datos'),
  Ds_Signature: text(200, 'Falta la firma'),
});

const notice = z.object({
  Ds_Order: z.string().regex(/^[0-9A-Za-z]{4,12}$/),
  Ds_MerchantCode: z.string(),
  Ds_Terminal: z.string(),
  Ds_Amount: z.string().regex(/^\d{1,12}$/),
  Ds_Currency: z.string(),
  Ds_Response: z.string().regex(/^\d{1,4}$/),
  Ds_TransactionType: z.string(),
});

function read(raw: Buffer, contentType = ''): z.output<typeof form> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) throw new DomainError(415, 'Tipo de contenido no admitido');
  const { data, error } = form.safeParse(Object.fromEntries(new URLSearchParams(raw.toString())));
  const issue = error?.issues[0];
  if (!data) throw invalid(String(issue?.path[0]), issue?.message ?? 'Datos no válidos');
  return data;
}

const LETTERS = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Order number of four digits and eight letters or digits: the bank requires four leading digits and at most twelve characters. */
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
