import { createHmac } from 'node:crypto';
import { wooLine, wooOrder } from '../woo.ts';
import { openWooShop } from '../woo-shop.ts';
import { COMMON, type Hands, lacking, REASON } from './hands.ts';

const OUTLET = 'el secreto de la tienda Outlet';
const OWN = 'el secreto de la web propia';

/** An order of the plain form (docs/api.md): 44 € paid by Bizum. */
const plainOrder = (fields: object) => ({
  ...{ modificado: '2026-11-20T10:00:00Z', situacion: 'pagado', total: 44, pago: { metodo: 'bizum', referencia: 'P-1' } },
  cliente: { nombre: 'Ana Prado', telefono: '655111222', direccion: 'Calle Mayor 1', codigo_postal: '28013', ciudad: 'Madrid' },
  lineas: [{ sku: 'ACEITE-6', cantidad: 1, total: 44 }],
  ...fields,
});

/** Signed messages to the shop. */
function messages({ url, wait }: Hands) {
  async function tell(header: string, order: object, secret: string, headers: object = {}) {
    const body = JSON.stringify(order);
    const signed = { [header]: createHmac('sha256', secret).update(body).digest('base64'), 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/tienda/pedidos`, { method: 'POST', body, headers: { ...signed, ...headers } });
    if (!reply.ok) lacking(`web order: ${await reply.text()}`);
  }
  return {
    plain: (fields: object, secret: string, headers: object = {}) => tell('x-enruta-signature', plainOrder(fields), secret, headers),
    unreadable: () => tell('x-enruta-signature', { id: 13, situacion: 'pagado' }, OWN, MINE),
    woo: (id: number, fields: object = {}, host = 'tienda.example', topic = 'order.updated') =>
      tell('x-wc-webhook-signature', wooOrder({ id, number: String(id), ...fields }), host === 'outlet.example' ? OUTLET : COMMON, {
        ...{ 'x-wc-webhook-source': `https://${host}/`, 'x-wc-webhook-topic': topic },
      }),
    settled: () => wait("SELECT 1 WHERE NOT EXISTS (SELECT FROM tienda_pedidos WHERE estado = 'recibido')"),
  };
}
const MINE = { 'x-enruta-source': 'mi-web' };

/**
 * Orders of two WooCommerce shops with the same numbers and of plain senders with numbers, with their own secret and with the common one: made,
 * waiting for each reason, discarded, cancelled, refunded in part, changed after they left, deleted in the shop.
 */
export async function fillWebShops(hands: Hands): Promise<void> {
  const { ask, send, first, packs, take, deliver, run } = hands;
  const { plain, unreadable, woo, settled } = messages(hands);
  for (const [nombre, conector, secreto] of [
    ['Outlet', 'woo', OUTLET],
    ['Mi web', 'plano', OWN],
  ])
    await ask('createFuente', { body: { nombre, conector, secreto } });
  await ask('emparejarTienda', { body: { clave: 'ACEITE-6', pack_id: packs['10'] } });
  await ask('emparejarTienda', { body: { clave: 'VALE', sin_mercancia: true } });
  for (const id of [7271, 7272, 7273, 7274, 7275, 7276]) await woo(id);
  await woo(7271, {}, 'outlet.example');
  await woo(7277, { line_items: [wooLine({ sku: 'NUEZ' })] });
  await woo(7278, { payment_method: 'raro', payment_method_title: 'Raro', date_paid_gmt: null, status: 'on-hold' }, 'outlet.example');
  await woo(7279, { line_items: [wooLine({ sku: 'MIEL' })] });
  for (const host of ['copia.example', 'prueba.example']) await woo(7280, {}, host);
  for (const id of [9, 10, 11]) await plain({ id, numero: `P${id}` }, OWN, MINE);
  for (const id of [9001, 9002]) await plain({ id, numero: `Q${id}` }, COMMON);
  await plain({ id: 'gid://shopify/Order/5123', numero: '#1042' }, COMMON);
  await plain({ id: 12, numero: 'P12', lineas: [{ sku: 'TURRON', cantidad: 1, total: 44 }] }, OWN, MINE);
  await unreadable();
  await settled();

  const orderOf = async (numero: string) => (await send('listPedidos', { query: { search: numero } }))[0] ?? lacking(`no order ${numero}`);
  const later = { date_modified_gmt: '2026-11-23T08:00:00' };
  const moved = { ...later, shipping: { ...wooOrder().shipping, address_1: 'Calle Nueva 3' } };
  await woo(7271, { ...later, date_modified_gmt: '2026-11-19T08:00:00' });
  await woo(7272, { ...later, status: 'cancelled' });
  await woo(7273, { ...later, refunds: [{ id: 5, total: '-10.00' }] });
  await settled();
  await deliver(await orderOf('7274'));
  await take(await orderOf('7275'));
  for (const id of [7274, 7275]) await woo(id, moved);
  await woo(7276, { ...later, status: 'trash' }, 'tienda.example', 'order.deleted');
  await plain({ id: 10, numero: 'P10', situacion: 'cancelado', modificado: '2026-11-23T08:00:00Z' }, OWN, MINE);
  await settled();

  const shops = await send('listFuentes');
  const named = (name: string) => shops.find(({ nombre }) => nombre === name)?.id ?? lacking(`no shop ${name}`);
  await ask('updateFuente', { of: named('prueba.example'), body: { estado: 'ignorada' } });
  await askShop(hands, named('Outlet'));
  await ask('verIlegible', { of: (await first('listIlegibles')).id });
  await unreadable();
  await ask('emparejarTienda', { body: { clave: 'ACEITE-6', pack_id: packs['21'], tienda_id: named('Outlet') } });
  for (const trato of ['reembolso', 'pagado', 'espera'])
    await ask('setForma', { body: { tienda_id: named('Outlet'), clave: `forma_${trato}`, titulo: 'Otra', trato } });
  const waits = await send('listTienda');
  const numbered = (numero: string) => waits.find((row) => row.numero === numero)?.id ?? lacking(`${numero} does not wait`);
  await ask('corregirTienda', { of: numbered('7277'), body: { campos: { cliente_nombre: 'Luz Gil' } } });
  await ask('descartarTienda', { of: numbered('7279'), body: REASON });
  await settled();
  // As migration 120 left a plain order with a number, of a shop that had used a version in the making: with WooCommerce.
  await run(`UPDATE tienda_pedidos SET tienda_id = (SELECT id FROM tiendas WHERE conector = 'woo' ORDER BY created_at LIMIT 1)
    WHERE externo_id = '9001'`);
}

/** The shop is asked by its REST API, which brings an order that no message brought, and hears of its states. */
async function askShop({ ask, send, run, wait, deliver }: Hands, outlet: string): Promise<void> {
  const rest = await openWooShop();
  for (const id of [7271, 7281]) rest.put(wooOrder({ id, number: String(id), date_modified_gmt: '2026-11-20T09:13:02' }));
  rest.products.push({ id: 93, name: 'Aceite 6 botellas', sku: 'ACEITE-6', type: 'simple', status: 'publish' });
  const access = { url: rest.url, clave_api: 'ck_outlet', clave_secreta: 'cs_outlet' };
  await ask('updateFuente', { of: outlet, body: access });
  await run("SELECT pg_notify('enruta_jobs', 'sondeo')");
  await wait('SELECT FROM tiendas WHERE sondeo_at IS NOT NULL');
  await ask('traerProductos', { of: outlet });
  const found = (await send('listPedidos', { query: { search: '7271' } })).at(0) ?? lacking('no order 7271');
  await deliver(found);
  await run("SELECT pg_notify('enruta_jobs', 'tienda')");
  await wait('SELECT FROM tienda_pedidos WHERE dicho IS NOT NULL');
  await rest.close();
  await run("UPDATE tiendas SET url = 'https://outlet.example' WHERE url IS NOT NULL");
}
