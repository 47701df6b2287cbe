import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import {
  cobroSinLlegar,
  comprobarCobros,
  confirmarCaja,
  deshacerRemesa,
  entregarCaja,
  listCajas,
  listCobros,
  listDeEmpresas,
  listSinRegistrar,
  recibirCaja,
  recibirDeEmpresa,
  registrarLoQuePaso,
} from '../../../contract/caja/caja.ts';
import {
  createDevolucion,
  listDevoluciones,
  moverDevolucion,
  pedirResto,
  recibirDevolucion,
  reembolsarDevolucion,
  retenerDevolucion,
} from '../../../contract/devoluciones/devoluciones.ts';
import { createEnvio, leerRespuesta } from '../../../contract/envios/envios.ts';
import { anotarPago, devolverPago, listPagos, reembolsarSobra } from '../../../contract/payments/payments.ts';
import { ANTES_DE_SALIR } from '../../../contract/pedidos/estados.ts';
import { lotePedidos } from '../../../contract/pedidos/lote.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { autoAsignar, contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { type Random, seededRandom } from '../../../demo/random.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { STRIPE, stripeSays } from '../../../test/paying.ts';
import { shareOf } from '../../../test/share.ts';
import { openTienda, type Tienda } from '../../../test/tienda.ts';
import { wooLine, wooOrder } from '../../../test/woo.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';
import { recountAccounts } from '../../cuadre/run.ts';
import { onSnapshot } from '../../db/open.ts';

/*
 * Each euro is in one place: random orders with every payment method and discounts up to the total, partial deliveries, returns refunded by
 * any amount, kept or moved, orders and refunds of a web shop, deletions, incidents, cash and batches. An independent model calculates every amount a second time.
 */

let world: World;
let people: Record<'superadmin' | 'revendedor' | 'transportista', Person>;
let pack: string;
let tienda: Tienda;
beforeAll(async () => {
  world = await createWorld(STRIPE);
  return world.close;
});
beforeEach(async () => {
  tienda = await openTienda(world);
  people = await everyRole(world);
  const settings = { cashOnDelivery: true, partialDeliveries: true, shipmentFiles: true, maxAttempts: 1 };
  const priced = { ...settings, shippingPeninsula: 5, shippingBaleares: 9.9 };
  expect((await people.superadmin.call(updateSettings, { body: priced })).status).toBe(200);
  pack = (await world.pack({ product_id: (await world.product({ stock: 100_000 })).id, pack_quantity: 6, pack_price_cents: PRICE })).id;
  await world.db.insertInto('tienda_productos').values({ clave: 'PACK', pack_id: pack }).execute();
});

const STEPS = 60;
const ORDERS = 5;
const PRICE = 1275;
const SHIPPING: Record<string, number> = { '28001': 500, '07001': 990 };
const euros = (cents: number) => Math.round(cents) / 100;
const cents = (amount: number) => Math.round(amount * 100);

/** Places where received money can be. */
type Place = 'en mano' | 'por comprobar' | 'caja' | 'banco' | 'empresa';
type Order = {
  id: string;
  numero: string;
  cantidad: number;
  envio: number;
  descuento: number;
  contra: boolean;
  /** Number of packs not delivered, and number returned and refunded later. */
  left: number;
  returned: number;
  /** Cents received, and cents refunded or moved to the order for the rest. */
  in: number;
  back: number;
  /** Cents that an order for the rest got from the first order. */
  moved: number;
  /** Cents of returns that the shop keeps, and cents refunded beyond the value of the goods. */
  kept: number;
  extra: number;
  gone: boolean;
  deleted: boolean;
  web?: Web;
};
/** What a web shop says of its order; its payment is booked here once, and its refunds are one growing sum. */
type Web = { message: ReturnType<typeof wooOrder>; total: number; minute: number; booked: boolean; back: number };
const NEW = { left: 0, returned: 0, in: 0, back: 0, moved: 0, kept: 0, extra: 0, gone: false, deleted: false };
type Books = { orders: Order[]; places: Record<Place, number>; refunds: number; serial: number };

const admin = () => people.superadmin;
const carrier = () => people.transportista;
const see = async ({ id }: Order) => (await admin().call(api.getPedido, { params: { id } })).body.data as api.Pedido;
const totalOf = ({ cantidad, envio, descuento }: Order) => cantidad * PRICE + envio - descuento;
/** Returns the value of `packs` after their share of the discount, in cents. */
const packsValue = ({ cantidad, descuento }: Order, packs: number) =>
  Math.round(Number(((packs * Math.max(0, cantidad * PRICE - descuento)) / cantidad).toFixed(9)));
/** Returns the cents by which returns and undelivered goods reduce the price. */
function reductionOf(order: Order): number {
  const back = order.left + order.returned;
  const value = back === order.cantidad ? totalOf(order) : packsValue(order, back);
  return Math.min(totalOf(order), value + order.extra) - order.kept;
}
/** Returns the final price of the goods that the customer has, in cents. */
const worthOf = (order: Order) => (order.gone || order.deleted ? 0 : totalOf(order) - reductionOf(order));

async function create(random: Random, books: Books): Promise<void> {
  const contra = random.chance(0.5);
  const n = ++books.serial;
  const [postcode, envio] = random.pick(Object.entries(SHIPPING));
  const cantidad = random.int(2, 6);
  const most = cantidad * PRICE + envio;
  const descuento = random.chance(0.6) ? 0 : random.chance(0.3) ? most : random.int(1, most);
  const body = {
    cliente_nombre: `Ana ${n}`,
    cliente_telefono: String(600_000_000 + n),
    cliente_direccion: 'Calle 1',
    cliente_codigo_postal: postcode,
  };
  const fields = {
    ...body,
    pack_id: pack,
    cantidad,
    contra_reembolso: contra,
    descuento: euros(descuento),
    ...(contra ? {} : { estado: random.pick(['pendiente', 'pendiente_pago'] as const) }),
  };
  const reply = await admin().call(api.createPedido, { body: fields });
  expect(reply.status, reply.body.message).toBe(201);
  const { id, numero_orden } = reply.body.data;
  books.orders.push({
    id,
    numero: numero_orden,
    ...{ cantidad, envio, descuento, contra },
    ...NEW,
  });
}

/** An order of the web shop: paid, to be paid by transfer or at the door, with its own discount. */
async function createWeb(random: Random, books: Books): Promise<void> {
  const n = ++books.serial;
  const [postcode, envio] = random.pick(Object.entries(SHIPPING));
  const cantidad = random.int(2, 6);
  const descuento = random.chance(0.6) ? 0 : random.int(1, cantidad * PRICE);
  const total = cantidad * PRICE + envio - descuento;
  const method = random.pick(['redsys', 'redsys', 'bacs', 'cod'] as const);
  const person = { ...wooOrder().billing, first_name: 'Web', last_name: String(n), postcode, phone: String(600_000_000 + n) };
  const message = wooOrder({
    id: n,
    number: `W${n}`,
    status: method === 'bacs' ? 'on-hold' : 'processing',
    payment_method: method,
    transaction_id: `W${n}`,
    ...{ billing: person, shipping: { ...person, company: '', address_2: '' } },
    ...{ discount_total: `${euros(descuento)}`, shipping_total: `${euros(envio)}`, shipping_tax: '0', total_tax: '0' },
    line_items: [wooLine({ sku: 'PACK', quantity: cantidad, subtotal: `${euros(cantidad * PRICE)}`, subtotal_tax: '0' })],
    total: `${euros(total)}`,
  });
  expect((await tienda.take(message)).status).toBe(200);
  const found = (await admin().call(api.listPedidos, { query: { search: String(600_000_000 + n) } })).body.data;
  expect(found.length, `web order ${n}: ${JSON.stringify((await tienda.waiting()).map(({ aviso }) => aviso))}`).toBe(1);
  const [{ id, numero_orden }] = found as [api.Pedido];
  const booked = method === 'redsys';
  const order = { id, numero: numero_orden, cantidad, envio, descuento, contra: method === 'cod', ...NEW };
  books.orders.push({ ...order, web: { message, total, minute: 0, booked, back: 0 } });
  if (booked) arrive(books, books.orders.at(-1) as Order, total, 'banco');
}

type Act = (random: Random, books: Books, order: Order) => Promise<string | undefined>;
const fine = (reply: { status: number; text: string }, what: string) => {
  expect([200, 201], `${what}: ${reply.status} ${reply.text}`).toContain(reply.status);
  return what;
};
const arrive = (books: Books, order: Order, amount: number, place: Place) => {
  order.in += amount;
  books.places[place] += amount;
};

const pay: Act = async (random, books, order) => {
  const { pendiente } = await see(order);
  if (!pendiente || order.gone) return undefined;
  const metodo = random.pick(['bizum', 'efectivo', 'transferencia', 'tarjeta'] as const);
  const amount = random.chance(0.6) ? cents(pendiente) : random.int(1, cents(pendiente));
  const body = { metodo, importe: euros(amount), fecha: dayInMadrid() };
  const reply = await admin().call(anotarPago, { params: { id: order.id }, body });
  arrive(books, order, amount, metodo === 'efectivo' ? 'caja' : 'banco');
  return fine(reply, `pay ${amount} by ${metodo}`);
};

/** Pays on the payment page: once, twice, or after the cancellation. The excess must be refunded. */
const payOnline: Act = async (_, books, order) => {
  const { pendiente, estado } = await see(order);
  const amount = cents(pendiente) || totalOf(order);
  if (!amount || (order.contra && !order.gone)) return undefined;
  const reply = await stripeSays(world.nobody(), { id: `evt_${++books.serial}`, pedido: order.id, importe: amount });
  arrive(books, order, amount, 'banco');
  return fine(reply, `online ${amount} in ${estado}`);
};

/** The shop repeats its order, has it paid, or gives back a part or all, which may be owed here already. */
const shopSays: Act = async (random, books, order) => {
  const { web } = order;
  if (!web || web.message.status === 'refunded') return undefined;
  const { message, total } = web;
  if (message.status === 'on-hold' && random.chance(0.5)) message.status = 'processing';
  const isWhole = message.status === 'processing' && random.chance(0.1);
  const before = web.back;
  if (isWhole) Object.assign(message, { status: 'refunded' });
  if (isWhole) web.back = total;
  else if (message.status === 'processing' && random.chance(0.6)) web.back = random.int(web.back, total - 1);
  message.refunds = web.back ? [{ id: 1, total: `-${euros(web.back)}` }] : [];
  message.date_modified_gmt = new Date(Date.parse('2026-11-20T10:00:00Z') + ++web.minute * 60_000).toISOString().slice(0, 19);
  const seen = await see(order);
  const pagos = (await admin().call(listPagos, { params: { id: order.id } })).body.data.filter(
    ({ referencia, estado }) => referencia === message.number && estado !== 'anulado',
  );
  expect((await tienda.take(message)).status).toBe(200);
  const isAlive = !order.gone && !order.deleted;
  const isPaid = message.payment_method !== 'cod' && message.status === 'processing' && !web.booked && isAlive;
  const pays = isPaid && (seen.pagado === 0 || cents(seen.pendiente) >= total);
  if (pays) {
    web.booked = true;
    arrive(books, order, total, 'banco');
  }
  const left = !ANTES_DE_SALIR.includes(seen.estado);
  const ends = isWhole && isAlive && !left;
  if (web.back > before) {
    const counted = pagos.reduce((sum, { importe }) => sum + cents(importe), 0);
    const gone = pagos.reduce((sum, { estado, importe, devuelto }) => sum + cents(estado === 'devuelto' ? importe : devuelto), 0);
    const news = Math.max(0, web.back - cents(seen.reembolsado) - gone);
    const due = pays ? Math.max(0, cents(seen.pagado) + total - cents(seen.precio_total)) : overpaidBefore(seen, order);
    const owed = order.deleted ? 0 : cents(seen.por_reembolsar) - overpaidBefore(seen, order);
    const noted = Math.min(news, counted - gone, owed);
    const booked = Math.min(news - noted, counted - gone + (pays ? total : 0));
    const cut = isAlive && !ends ? Math.min(Math.max(0, booked - due), totalOf(order)) : 0;
    const reduction = reductionOf(order);
    order.descuento += cut;
    if (cut && order.left + order.returned)
      order.extra += Math.max(0, Math.max(reduction, cents(seen.reembolsado) + noted) - reductionOf(order));
    order.back += noted + booked;
    books.refunds += noted + booked;
  }
  if (ends) order.gone = true;
  return `shop ${message.status}${pays ? ' pays' : ''}, back ${before} to ${web.back}`;
};
const overpaidBefore = (seen: api.Pedido, { deleted }: Order) =>
  deleted ? cents(seen.por_reembolsar) : Math.min(cents(seen.por_reembolsar), Math.max(0, cents(seen.pagado) - cents(seen.precio_total)));

const payMany: Act = async (_, books) => {
  const seen = await Promise.all(books.orders.map(async (order) => ({ order, now: await see(order) })));
  const due = seen.filter(({ order, now }) => now.pendiente > 0 && !order.gone && !order.deleted).slice(0, 3);
  if (due.length === 0) return undefined;
  const ids = due.map(({ order }) => order.id);
  const reply = await admin().call(lotePedidos, { body: { pedidos: { ids }, accion: { tipo: 'pagar', metodo: 'bizum' } } });
  expect(reply.body.hechos).toBe(due.length);
  for (const { order, now } of due) arrive(books, order, cents(now.pendiente), 'banco');
  return fine(reply, `${due.length} paid at once`);
};

const edit: Act = async (random, _, order) => {
  const { estado, pagado } = await see(order);
  if (order.gone || !['pendiente_pago', 'pendiente'].includes(estado)) return undefined;
  const cantidad = random.int(1, 7);
  const total = totalOf({ ...order, cantidad });
  if (total < 0 || (estado === 'pendiente_pago' && total < cents(pagado))) return undefined;
  const reply = await admin().call(api.setLineas, { params: { id: order.id }, body: { lineas: [{ numero: 1, cantidad }] } });
  order.cantidad = cantidad;
  return fine(reply, `edited to ${cantidad}`);
};

const carry: Act = async (random, _, order) => {
  const { estado, incidencia_at, pendiente, cliente_codigo_postal } = await see(order);
  const params = { id: order.id };
  if (order.gone || !['pendiente', 'asignado'].includes(estado)) return undefined;
  if (incidencia_at) {
    const to = random.pick(Object.keys(SHIPPING));
    const body = { respuesta: 'otra_direccion' as const, cliente_direccion: 'Calle 2', cliente_codigo_postal: to };
    const reply = await admin().call(api.responderIncidencia, { params, body });
    // A new address changes the shipping only while something is due.
    if (to !== cliente_codigo_postal && pendiente > 0) order.envio = SHIPPING[to] ?? order.envio;
    return fine(reply, `answered with ${to}`);
  }
  if (estado === 'pendiente') return fine(await carrier().call(autoAsignar, { params, body: {} }), 'taken');
  const out = await carrier().call(api.setEstado, { params, body: { estado: 'en_ruta' } });
  if (random.chance(0.7)) return fine(out, 'on its way');
  return fine(await carrier().call(api.setEstado, { params, body: { estado: 'asignado', motivo: 'No había nadie' } }), 'failed');
};

const deliver: Act = async (random, books, order) => {
  const seen = await see(order);
  if (order.gone || seen.estado !== 'en_ruta') return undefined;
  const left = random.chance(0.4) && order.cantidad > 1 ? random.int(1, order.cantidad - 1) : 0;
  const due = order.contra ? Math.max(0, cents(seen.pendiente) - packsValue(order, left)) : 0;
  const collected = random.chance(0.75) ? due : random.int(0, due);
  const metodo = random.pick(['efectivo', 'efectivo', 'bizum', 'tarjeta'] as const);
  const body = {
    ...{ estado: 'completado' as const, metodo_entrega: 'manual' as const },
    ...(left && { no_entregado: [{ numero: 1, cantidad: left, motivo: random.pick(['rechazado', 'falta', 'danado'] as const) }] }),
    ...(due && { cobrado: euros(collected), cobrado_metodo: metodo, cobrado_motivo: 'No tenía más' }),
  };
  const reply = await carrier().call(api.setEstado, { params: { id: order.id }, body });
  order.left = left;
  if (collected) arrive(books, order, collected, metodo === 'efectivo' ? 'en mano' : 'por comprobar');
  return fine(reply, `delivered without ${left}, collected ${collected} by ${metodo}`);
};

/** Sends an order by a carrier company, whose answer reports the delivery. */
const ship: Act = async (_, books, order) => {
  const { estado, transportista_id, incidencia_at, pendiente } = await see(order);
  if (order.gone || estado !== 'pendiente' || transportista_id || incidencia_at) return undefined;
  const made = await admin().call(createEnvio, { body: { plantilla: 'correos', ids: [order.id] } });
  fine(made, 'batch');
  const filas = [{ referencia: order.numero, seguimiento: 'PQ1', estado: 'Entregado' }];
  const reply = await admin().call(leerRespuesta, { params: { id: made.body.data.id }, body: { filas } });
  if (order.contra && pendiente) arrive(books, order, cents(pendiente), 'empresa');
  return fine(reply, 'delivered by a company');
};

/** The company pays some of what it collected, less a commission, or such a remittance is undone. */
const remit: Act = async (random, books) => {
  const { data, remesas } = (await admin().call(listDeEmpresas)).body;
  const [remesa] = remesas;
  if (remesa && random.chance(0.3)) {
    const amount = cents(remesa.recibido) + cents(remesa.comision);
    books.places.banco -= amount;
    books.places.empresa += amount;
    return fine(await admin().call(deshacerRemesa, { params: { id: remesa.id } }), `remittance of ${amount} undone`);
  }
  const [first] = data;
  if (!first) return undefined;
  const amount = cents(first.importe);
  const comision = random.int(0, Math.min(100, amount));
  books.places.empresa -= amount;
  books.places.banco += amount;
  const body = { empresa: first.empresa, cobros: [first.id], recibido: euros(amount - comision), comision: euros(comision) };
  return fine(await admin().call(recibirDeEmpresa, { body: { ...body, fecha: dayInMadrid() } }), `remitted ${amount}`);
};

const handOver: Act = async (random, books) => {
  const { data } = (await admin().call(listCajas)).body;
  const open = data.find(({ estado, dia }) => estado === 'abierta' && dia <= dayInMadrid());
  const handed = data.find(({ estado }) => estado === 'entregada');
  if (handed?.caja_id) {
    const body = { recibido: handed.contado ?? 0, motivo: null };
    return fine(await admin().call(confirmarCaja, { params: { id: handed.caja_id }, body }), 'cash confirmed');
  }
  if (!open) return undefined;
  const { dia, esperado, transportista_id } = open;
  const amount = cents(esperado);
  books.places['en mano'] -= amount;
  books.places.caja += amount;
  return random.chance(0.5)
    ? fine(await carrier().call(entregarCaja, { body: { dia, contado: esperado, motivo: null } }), `handed over ${amount}`)
    : fine(await admin().call(recibirCaja, { body: { transportista_id, dia, recibido: esperado, motivo: null } }), `received ${amount}`);
};

const compare: Act = async (random, books) => {
  const [cobro] = (await admin().call(listCobros)).body.data;
  if (!cobro) return undefined;
  const amount = cents(cobro.importe);
  const of = books.orders.find(({ id }) => id === cobro.pedido_id);
  const refunded = of ? cents((await see(of)).reembolsado) : 0;
  books.places['por comprobar'] -= amount;
  if (random.chance(0.3) && of && !of.back && !refunded) {
    of.in -= amount;
    return fine(await admin().call(cobroSinLlegar, { params: { id: cobro.id }, body: { motivo: 'No está' } }), `${amount} never came`);
  }
  books.places.banco += amount;
  return fine(await admin().call(comprobarCobros, { body: { cobros: [cobro.id] } }), `${amount} found`);
};

/** Registers the money of a delivery that was refused, as when the order was cancelled meanwhile. */
const refused: Act = async (random, books, order) => {
  const { transportista_id } = await see(order);
  if (transportista_id !== carrier().user.id) return undefined;
  const [amount, metodo] = [random.int(1, 5000) + ++books.serial, random.pick(['efectivo', 'bizum'] as const)];
  const body = { pedido_id: order.id, paso: 'completar' as const, ocurrido: new Date().toISOString() };
  await carrier().call(contarNoAceptado, { body: { ...body, cobrado: euros(amount), cobrado_metodo: metodo } });
  const [waits] = (await admin().call(listSinRegistrar)).body.data;
  arrive(books, order, amount, metodo === 'efectivo' ? 'en mano' : 'por comprobar');
  return fine(await admin().call(registrarLoQuePaso, { params: { id: waits?.id ?? '' } }), `registered ${amount} by ${metodo}`);
};

/** Receives undelivered goods, refunds their money or moves it to an order for the rest. */
const settleParts: Act = async (random, books, order) => {
  if (order.gone || order.left === 0) return undefined;
  const [part] = (await admin().call(listDevoluciones, { params: { id: order.id } })).body.data.filter(
    ({ motivo }) => motivo === 'entrega_parcial',
  );
  if (!part) return undefined;
  const params = { id: part.id };
  if (part.lineas.some(({ destino }) => destino === 'camino') && random.chance(0.5))
    return fine(await admin().call(recibirDevolucion, { params, body: { destino: 'stock', motivo: null } }), 'goods received');
  if (!part.resto_pedido_id) {
    const reply = await admin().call(pedirResto, { params });
    fine(reply, 'rest');
    const value = packsValue(order, order.left);
    const moved = Math.min(cents(part.por_reembolsar), value);
    const { id, numero_orden } = reply.body.data;
    order.back += moved;
    books.orders.push({
      id,
      numero: numero_orden,
      ...{ cantidad: order.left, envio: 0, descuento: order.left * PRICE - value, contra: order.contra },
      ...{ ...NEW, in: moved, moved },
    });
    return `rest ordered, ${moved} moved`;
  }
  return undefined;
};

/** Settles what a return or undelivered goods owe: refunded in part or whole, kept, or moved to another order. */
const settleReturn: Act = async (random, books, order) => {
  const returns = (await admin().call(listDevoluciones, { params: { id: order.id } })).body.data;
  const devolucion = returns.find(({ por_reembolsar }) => por_reembolsar > 0);
  if (!devolucion) return undefined;
  const params = { id: devolucion.id };
  const owed = cents(devolucion.por_reembolsar);
  const amount = random.chance(0.5) ? owed : random.int(1, owed);
  if (random.chance(0.3)) {
    order.kept += amount;
    return fine(await admin().call(retenerDevolucion, { params, body: { importe: euros(amount), motivo: 'Envío' } }), `kept ${amount}`);
  }
  const other = random.pick(books.orders);
  const due = cents((await see(other)).pendiente);
  if (random.chance(0.4) && due > 0 && other !== order && !other.gone && !other.deleted) {
    const moved = Math.min(owed, due);
    order.back += moved;
    other.in += moved;
    return fine(await admin().call(moverDevolucion, { params, body: { numero_orden: other.numero } }), `moved ${moved} to ${other.numero}`);
  }
  order.back += amount;
  books.refunds += amount;
  const body = { reembolso: euros(amount), referencia: null };
  return fine(await admin().call(reembolsarDevolucion, { params, body }), `return refunded ${amount} of ${owed}`);
};

/** Returns some or all delivered packs, refunded by their value, by another amount, or not yet. */
const giveBack: Act = async (random, books, order) => {
  const seen = await see(order);
  const most = order.cantidad - order.left - order.returned;
  if (order.gone || seen.estado !== 'completado' || most === 0) return undefined;
  const packs = random.chance(0.3) ? most : random.int(1, most);
  const before = reductionOf(order);
  order.returned += packs;
  const own = reductionOf(order) - before;
  const room = Math.max(0, Math.min(totalOf(order) - order.kept, cents(seen.pagado)) - cents(seen.reembolsado));
  const refunded = random.pick([0, Math.min(own, room), random.int(0, room)]);
  order.extra += Math.max(0, refunded - own);
  order.back += refunded;
  books.refunds += refunded;
  const lineas = [{ numero: 1, cantidad: packs, destino: random.pick(['stock', 'baja'] as const) }];
  const body = { lineas, motivo: 'danado' as const, reembolso: refunded ? euros(refunded) : null };
  return fine(
    await admin().call(createDevolucion, { params: { id: order.id }, body }),
    `${packs} of ${most} given back for ${refunded} of ${own}`,
  );
};

const erase: Act = async (_, __, order) => {
  if (order.gone) return undefined;
  order.deleted = true;
  return fine(await admin().call(api.deletePedido, { params: { id: order.id } }), 'deleted');
};

/** Restores a deleted order, or refunds what it was paid. */
const revive: Act = async (random, books, order) => {
  const owed = cents((await see(order)).por_reembolsar);
  const params = { id: order.id };
  if (owed > 0 && random.chance(0.5)) {
    const amount = random.int(1, owed);
    order.back += amount;
    books.refunds += amount;
    return fine(
      await admin().call(reembolsarSobra, { params, body: { importe: euros(amount), referencia: null } }),
      `deleted, refunded ${amount}`,
    );
  }
  order.deleted = false;
  return fine(await admin().call(api.restorePedido, { params }), 'restored');
};

const refund: Act = async (random, books, order) => {
  const seen = await see(order);
  const pagos = (await admin().call(listPagos, { params: { id: order.id } })).body.data;
  const pago = pagos.find(({ estado }) => ['devolucion_pendiente', 'tardio', 'duplicado'].includes(estado));
  if (pago) {
    const amount = cents(pago.importe) - cents(pago.devuelto);
    order.back += amount;
    books.refunds += amount;
    return fine(await admin().call(devolverPago, { params: { id: pago.id }, body: { nota: null } }), `payment refunded ${amount}`);
  }
  const over = Math.min(cents(seen.por_reembolsar), Math.max(0, cents(seen.pagado) - cents(seen.precio_total)));
  if (order.gone || over === 0) return undefined;
  const amount = random.int(1, over);
  order.back += amount;
  books.refunds += amount;
  return fine(
    await admin().call(reembolsarSobra, { params: { id: order.id }, body: { importe: euros(amount), referencia: null } }),
    `refunded ${amount} of ${over}`,
  );
};

const cancel: Act = async (_, __, order) => {
  const { estado } = await see(order);
  if (order.gone || estado === 'completado') return undefined;
  order.gone = true;
  return fine(await admin().call(api.setEstado, { params: { id: order.id }, body: { estado: 'cancelado', motivo: 'Fin' } }), 'cancelled');
};

/** Reads from the database how many cents are in each place; a payment in two places would count twice. */
async function placesOf(): Promise<Record<Place, number>> {
  const { rows } = await sql<Record<Place, number>>`
    SELECT coalesce(sum(importe_cents) FILTER (WHERE g.caja_dia IS NOT NULL AND c.id IS NULL), 0)::int AS "en mano",
      coalesce(sum(importe_cents) FILTER (WHERE g.transportista_id IS NOT NULL AND g.caja_dia IS NULL AND g.comprobado_at IS NULL), 0)::int AS "por comprobar",
      coalesce(sum(importe_cents) FILTER (WHERE c.id IS NOT NULL OR g.transportista_id IS NULL AND g.proveedor = 'efectivo'), 0)::int AS caja,
      coalesce(sum(importe_cents) FILTER (WHERE g.comprobado_at IS NOT NULL OR g.remesa_id IS NOT NULL OR g.transportista_id IS NULL AND g.proveedor NOT IN ('efectivo', 'empresa')), 0)::int AS banco,
      coalesce(sum(importe_cents) FILTER (WHERE g.empresa IS NOT NULL AND g.remesa_id IS NULL), 0)::int AS empresa
    FROM pagos g LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda)
    WHERE g.estado NOT IN ('anulado', 'iniciado', 'rechazado') AND g.devolucion_id IS NULL`.execute(world.db);
  return rows[0] as Record<Place, number>;
}

/** Returns the cents to refund of an order: paid beyond its price, or of payments that no longer count. */
async function owedOf(order: Order, seen: api.Pedido): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    SELECT coalesce(sum(importe_cents - devuelto_cents), 0)::int AS cents FROM pagos
    WHERE pedido_id = ${order.id} AND estado IN ('devolucion_pendiente', 'tardio', 'duplicado')`.execute(world.db);
  return cents(seen.por_reembolsar) + (rows[0]?.cents ?? 0);
}

it.each(shareOf([1, 2, 3, 4], Number(process.env.SEED ?? 0)))(
  'every euro is in one place after every step, and each order adds up to the agreed price (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const books: Books = { orders: [], places: { 'en mano': 0, 'por comprobar': 0, caja: 0, banco: 0, empresa: 0 }, refunds: 0, serial: 0 };
    const acts: [Act, number][] = [
      ...([
        [pay, 3],
        [payOnline, 1],
        [payMany, 0.5],
        [edit, 3],
        [carry, 6],
        [deliver, 8],
        [ship, 1],
        [remit, 1],
      ] as [Act, number][]),
      ...([
        [handOver, 2],
        [compare, 2],
        [refused, 0.7],
        [settleParts, 2],
        [giveBack, 3],
        [settleReturn, 3],
        [refund, 2],
        [cancel, 0.3],
        [erase, 0.6],
        [shopSays, 3],
      ] as [Act, number][]),
    ];
    const done: string[] = [];
    const kinds = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      let what: string | undefined;
      let order: Order | undefined;
      if (books.orders.length < ORDERS || random.chance(0.08)) {
        await (random.chance(0.4) ? createWeb : create)(random, books);
        what = 'made';
      }
      for (let tries = 0; !what && tries < 14; tries += 1) {
        order = random.pick(books.orders);
        what = await (order.deleted ? revive : random.weighted(acts))(random, books, order);
      }
      done.push(`${order ? books.orders.indexOf(order) : books.orders.length - 1}: ${what}`);
      kinds.add((what ?? '').replace(/[\d ]+.*/, ''));
      const say = done.join('\n');
      for (const order of books.orders) {
        const seen = await see(order);
        const owed = await owedOf(order, seen);
        const due = order.deleted ? 0 : cents(seen.pendiente);
        expect(cents(seen.precio_total), `${order.numero}: total\n${say}`).toBe(totalOf(order));
        // Received − refunded − owed back + to collect = agreed price of the delivered goods.
        expect(
          order.in - order.back - owed + due,
          `${order.numero}: paid ${order.in}, back ${order.back}, owed ${owed}, due ${due}\n${say}`,
        ).toBe(worthOf(order));
        expect(due === 0 || seen.por_reembolsar === 0, `${order.numero}: due and owed\n${say}`).toBe(true);
      }
      expect(await placesOf(), say).toEqual(books.places);
      expect(await onSnapshot(world.db, (tx) => recountAccounts(tx)), say).toEqual([]);
    }
    expect(kinds.size, [...kinds].join()).toBeGreaterThan(6);
  },
);
