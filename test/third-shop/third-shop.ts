import { createHmac } from 'node:crypto';
import type { Conector } from '../../contract/tienda/fields.ts';
import { declareConnector } from '../../server/tienda/connector.ts';
import type { WebOrder } from '../../server/tienda/reading/order.ts';

/** An order as the third kind of shop sends it, paid by card. */
export type ThirdOrder = { ref: string; at: string; to: string; cents: number };

export const signThird = (body: string, secret: string): string => createHmac('sha512', secret).update(body).digest('hex');

const read = ({ ref, at, to, cents }: ThirdOrder): WebOrder => ({
  externo_id: ref,
  numero: ref,
  modificado: at,
  situacion: 'pagado',
  estado: 'paid',
  moneda: 'EUR',
  cliente: {
    cliente_nombre: to,
    cliente_telefono: null,
    cliente_direccion: 'Calle Mayor 1',
    cliente_direccion2: null,
    cliente_codigo_postal: '28013',
    cliente_ciudad: 'Madrid',
    cliente_provincia: null,
    cliente_pais: 'España',
  },
  instrucciones: null,
  lineas: [{ clave: 'ACEITE-6', nombre: 'Aceite', cantidad: 1, total_cents: cents }],
  envio_cents: 0,
  descuento_cents: 0,
  total_cents: cents,
  contra_reembolso: false,
  pago: { metodo: 'tarjeta', referencia: ref },
  devuelto_cents: 0,
});

/** A third kind of shop, which only tests have. `orders`: what its REST API answers. */
export const thirdShop = (orders: ThirdOrder[]) =>
  declareConnector({
    id: 'third' as Conector,
    headers: { signature: 'x-third-signature', source: 'x-third-shop' },
    signed: (raw, secret, signature) => signThird(raw.toString(), secret) === signature,
    read: (content) => read(content as ThirdOrder),
    changed: async function* () {
      yield orders;
    },
    ordersNow: async (_api, ids) => ({
      there: orders.filter(({ ref }) => ids.includes(ref)),
      gone: ids.filter((id) => !orders.some(({ ref }) => ref === id)),
    }),
  });
