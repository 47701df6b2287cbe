import { z } from 'zod';
import { day } from '../../../../contract/kit/schemas.ts';
import { METODOS_PAGO } from '../../../../contract/payments/fields.ts';
import { SITUACIONES } from '../../../../contract/tienda/fields.ts';
import { invalid } from '../../../kit/errors.ts';
import { toCents } from '../../../kit/money.ts';
import type { Deletion, WebOrder } from '../order.ts';
import { plainText } from '../text.ts';

/* Plain form of an order, for shops other than WooCommerce and intermediate programs. docs/api.md describes the form with examples. */

const text = z.string().transform(plainText);
const optional = text.nullish();
const euros = z.number().min(0).max(1_000_000);

const plain = z.strictObject({
  id: z.union([z.string().trim().min(1).max(200), z.number()]).transform(String),
  numero: optional,
  modificado: z.iso.datetime({ offset: true }).nullish(),
  situacion: z.enum(SITUACIONES),
  cliente: z.strictObject({
    nombre: text,
    telefono: optional,
    direccion: text,
    direccion2: optional,
    codigo_postal: optional,
    ciudad: optional,
    provincia: optional,
    pais: optional,
    nif: optional,
  }),
  instrucciones: optional,
  lineas: z
    .array(
      z.strictObject({ sku: z.string().trim().min(1).max(200), nombre: optional, texto: optional, cantidad: z.number(), total: euros }),
    )
    .min(1),
  envio: euros.default(0),
  descuento: euros.default(0),
  total: euros,
  contra_reembolso: z.boolean().default(false),
  recogida: optional,
  cuota_iva: euros.nullish(),
  devuelto: euros.default(0),
  pago: z.strictObject({ metodo: z.enum(METODOS_PAGO), referencia: optional, fecha: day.nullish() }).nullish(),
});

const deleted = z.object({ id: plain.shape.id, situacion: z.literal('borrado') });

/** Returns the order of a plain form, or its deletion. Throws 422 naming the wrong field. */
export function readPlain(content: unknown): WebOrder | Deletion {
  const gone = deleted.safeParse(content);
  if (gone.success) return { externo_id: gone.data.id, borrado: true };
  const read = plain.safeParse(content);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(issue?.path.join('.') || 'pedido', `El pedido de la tienda no se entiende: ${issue?.path.join('.') || 'pedido'}`);
  }
  const { id, cliente, ...rest } = read.data;
  const isPaid = rest.situacion === 'pagado' || (rest.situacion === 'terminado' && !rest.contra_reembolso);
  return {
    externo_id: id,
    numero: rest.numero || id,
    ...(rest.modificado && { modificado: new Date(rest.modificado).toISOString() }),
    situacion: rest.situacion,
    estado: rest.situacion,
    moneda: 'EUR',
    cliente: {
      cliente_nombre: cliente.nombre,
      cliente_telefono: cliente.telefono || null,
      cliente_direccion: cliente.direccion,
      cliente_direccion2: cliente.direccion2 || null,
      cliente_codigo_postal: cliente.codigo_postal || null,
      cliente_ciudad: cliente.ciudad || null,
      cliente_provincia: cliente.provincia || null,
      cliente_pais: cliente.pais || null,
      ...(cliente.nif && { cliente_nif: cliente.nif }),
    },
    instrucciones: rest.instrucciones || null,
    lineas: rest.lineas.map(({ sku, nombre, texto, cantidad, total }) => ({
      clave: sku,
      nombre: nombre || sku,
      ...(texto && { texto }),
      cantidad,
      total_cents: toCents(total),
    })),
    envio_cents: toCents(rest.envio),
    descuento_cents: toCents(rest.descuento),
    total_cents: toCents(rest.total),
    contra_reembolso: rest.contra_reembolso,
    ...(rest.recogida && { recogida: rest.recogida }),
    ...(rest.cuota_iva != null && { cuota_cents: toCents(rest.cuota_iva) }),
    // Paid without its payment: a person says how, once a shop.
    ...(isPaid && !rest.pago && rest.total > 0 && { forma: { clave: 'sin pago', titulo: 'Pagado, sin decir cómo' } }),
    pago:
      isPaid && !rest.pago
        ? { metodo: 'otro', referencia: '' }
        : rest.pago
          ? { metodo: rest.pago.metodo, referencia: rest.pago.referencia || '', ...(rest.pago.fecha && { fecha: rest.pago.fecha }) }
          : null,
    devuelto_cents: toCents(rest.devuelto),
  };
}
