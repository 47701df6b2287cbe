import { declareConnector } from '../../connector.ts';
import { readWoo } from './read.ts';
import { changedOrders, isOff, ordersNow, publishedProducts, readRefunds, sendBack, switchOn } from './rest.ts';

/** WooCommerce, by its webhooks and its REST API. */
export const wooConnector = declareConnector({
  id: 'woo',
  headers: { signature: 'x-wc-webhook-signature', source: 'x-wc-webhook-source', topic: 'x-wc-webhook-topic' },
  read: readWoo,
  // WooCommerce pings with an unsigned form when a webhook is saved. Refusing the ping would leave the webhook disabled.
  isPing: (raw) => /^webhook_id=\d+$/.test(raw.toString('latin1')),
  sendBack,
  refunds: readRefunds,
  changed: changedOrders,
  ordersNow,
  isOff,
  switchOn,
  products: publishedProducts,
});
