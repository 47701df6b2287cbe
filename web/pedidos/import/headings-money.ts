import type { Money } from './target.ts';

/** Headings of money in Spanish, English and the exports of shops. Headings of amounts count only if the cells contain amounts. */
export const MONEY_NAMES: Partial<Record<Money, readonly string[]>> = {
  envio: [
    ...['gastos envío', 'gasto envío', 'coste envío', 'costes envío', 'importe envío', 'precio envío', 'total envío', 'tarifa envío'],
    ...['gastos transporte', 'shipping', 'shipping cost', 'shipping costs', 'shipping amount', 'shipping total', 'total shipping'],
    ...[
      'order shipping',
      'shipping price',
      'shipping fee',
      'shipping charge',
      'shipping charged',
      'shipping rate',
      'shipping and handling',
    ],
    ...['delivery cost', 'delivery fee', 'delivery charge', 'delivery', 'postage', 'postage and packaging', 'postage and packing'],
    ...[
      'order shipping amount',
      'shipping cost tax incl',
      'shipping cost inc tax',
      'total shipping tax incl',
      'portes envío',
      'order shipping total',
    ],
  ],
  descuento: [
    ...['importe descuento', 'descuento total', 'total descuento', 'descuentos', 'importe cupón', 'descuento pedido'],
    ...['discount', 'discounts', 'discount amount', 'cart discount', 'cart discount amount', 'order discount', 'total discount'],
    ...['total discounts', 'discount total', 'coupon amount', 'order discount amount', 'total discounts tax incl'],
  ],
  total: [
    ...[
      'importe total',
      'total importe',
      'total a pagar',
      'total con iva',
      'total iva incluido',
      'total impuestos incluidos',
      'total euros',
    ],
    ...['precio total', 'total eur', 'grand total', 'total amount', 'amount total', 'total price', 'total order', 'order total amount'],
    ...['order amount', 'total paid tax incl', 'total charged', 'total general', 'total inc tax'],
  ],
  pago_referencia: [
    ...[
      'referencia pago',
      'ref pago',
      'id pago',
      'id transacción',
      'transacción',
      'número transacción',
      'número operación',
      'referencia bizum',
    ],
    ...['transaction id', 'payment id', 'payment reference', 'payment references', 'transaction reference', 'paypal transaction id'],
  ],
};
