import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { confirmarCaja, entregarCaja, listCajas } from '../../contract/caja/caja.ts';
import { createDevolucion, listDevoluciones, reembolsarDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import type { EndpointDef } from '../../contract/kit/endpoint.ts';
import { anotarPago, devolverPago, listPagos } from '../../contract/payments/payments.ts';
import * as api from '../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import type { Random } from '../../demo/random.ts';
import { address, type Client } from '../../test/client.ts';
import { dayInMadrid } from '../../test/day.ts';
import type { Shop } from '../world.ts';

/* The acts of a week's people, each with what it does to an independent model. */

export const FAULTS = 0.05;
/** Cents of a pack and of shipping, units of a pack, and the rules of earnings. */
export const [PACK, SHIPPING, UNITS, MARGIN, DELIVERY, ATTEMPT] = [1250, 500, 2, 0.1, 300, 100];

export type Order = {
  id: string;
  phone: string;
  packs: number;
  contra: boolean;
  sold: boolean;
  estado: api.Pedido['estado'];
  deleted: boolean;
  failed: number;
  /** Cents of payments that count, refunds of returns, and payments of the cancelled order to be refunded. */
  paid: number;
  refunded: number;
  owed: number;
  returned: number;
};
/** `cash`: cents in the carrier's hands. `day`: days since the first. */
export type Week = {
  shop: Shop;
  random: Random;
  people: Record<'admin' | 'reseller' | 'carrier', Client>;
  pack_id: string;
  product_id: string;
} & {
  orders: Order[];
  cash: number;
  writes: number;
  faults: number;
  problems: string[];
};

export const totalOf = ({ packs }: Order) => packs * PACK + SHIPPING;
const goodsBack = (order: Order) => (order.returned === order.packs ? totalOf(order) : order.returned * PACK);
const isLive = ({ deleted, estado }: Order) => !deleted && estado !== 'cancelado';
export const worthOf = (order: Order) => (isLive(order) ? totalOf(order) - goodsBack(order) : 0);
export const owedOf = (order: Order) => (order.estado === 'cancelado' ? 0 : Math.max(0, order.paid - order.refunded - worthOf(order)));
export const dueOf = (order: Order) => (isLive(order) ? Math.max(0, worthOf(order) - order.paid + order.refunded) : 0);
export const isEarned = (order: Order) => order.estado === 'completado' && !order.deleted;
export const marginOf = (order: Order) => {
  const whole = Math.round(order.packs * PACK * MARGIN);
  return order.sold && isEarned(order) ? whole - Math.round((whole * order.returned) / order.packs) : 0;
};
export const unitsOf = (order: Order) =>
  order.estado === 'cancelado' || (order.deleted && order.estado !== 'completado') ? 0 : UNITS * (order.packs - order.returned);
export const sum = (orders: readonly Order[], of: (order: Order) => number) => orders.reduce((all, order) => all + of(order), 0);
export const cents = (euros: number) => Math.round(euros * 100);

type Write = { who: Client; endpoint: EndpointDef; params?: Record<string, string>; body: unknown };
type Answer = { status: number; text: string; body: unknown };

/** Sends a write until its answer is known; some are doubled, dropped or cut by `kill -9`. `isDone`: whether it happened after all. */
async function write(week: Week, { who, endpoint, params = {}, body }: Write, isDone: () => Promise<boolean>): Promise<boolean> {
  const { shop, random, problems } = week;
  let headers = { 'idempotency-key': randomUUID() };
  const path = address(endpoint.path, params);
  const send = (): Promise<Answer> =>
    who.request(endpoint.method, path, { body, headers }).catch((error) => ({ status: 0, text: String(error), body: undefined }));
  let fault = random.chance(FAULTS) ? random.pick(['double', 'double', 'drop', 'drop', 'kill'] as const) : undefined;
  week.writes += 1;
  if (fault) week.faults += 1;
  for (let tries = 0; tries < 60; tries += 1) {
    let answer: Answer;
    if (fault === 'double') {
      const [first, second] = await Promise.all([send(), send()]);
      if (first.status < 300 && second.status < 300 && first.text !== second.text) problems.push(`${path}: two answers to one act`);
      answer = first.status < 300 ? first : second;
    } else if (fault) {
      const sent = send();
      await sleep(random.int(0, 40));
      if (fault === 'kill') {
        await shop.instances[0]?.stop('SIGKILL');
        await shop.again();
      }
      await sent;
      answer = await send();
    } else answer = await send();
    fault = undefined;
    const { code } = (answer.body ?? {}) as { code?: string };
    if (code === 'idempotency_unknown') {
      if (await isDone()) return true;
      headers = { 'idempotency-key': randomUUID() };
    } else if (answer.status >= 500 && answer.status !== 503) {
      problems.push(`${path}: ${answer.status} ${answer.text}`);
      return false;
    } else if (answer.status !== 0 && answer.status !== 503) {
      if (answer.status >= 300) problems.push(`${path}: refused ${answer.status} ${answer.text}`);
      return answer.status < 300;
    }
    await sleep(200);
  }
  problems.push(`${path}: no answer`);
  return false;
}

const see = async ({ people }: Week, { id }: Order) => (await people.admin.call(api.getPedido, { params: { id } })).body.data as api.Pedido;

/** Writes an act on an order; `then` moves the model. */
async function act(week: Week, order: Order, sent: Write, then: () => void): Promise<void> {
  const before = JSON.stringify(await see(week, order));
  if (await write(week, sent, async () => JSON.stringify(await see(week, order)) !== before)) then();
}

export async function create(week: Week): Promise<void> {
  const { random, people, orders, pack_id, problems } = week;
  const contra = random.chance(0.4);
  const order: Order = {
    ...{ id: '', phone: String(600_000_000 + orders.length), packs: random.int(1, 4), contra, sold: !contra, deleted: false, failed: 0 },
    ...{ estado: contra ? 'pendiente' : 'pendiente_pago', paid: 0, refunded: 0, owed: 0, returned: 0 },
  };
  const customer = { cliente_nombre: `Ana ${orders.length}`, cliente_direccion: 'Calle 1', cliente_codigo_postal: '28001' };
  const body = { ...customer, cliente_telefono: order.phone, pack_id, cantidad: order.packs, contra_reembolso: contra };
  const found = async () => (await people.admin.call(api.listPedidos, { query: { search: order.phone } })).body.data;
  const who = contra ? people.admin : people.reseller;
  if (!(await write(week, { who, endpoint: api.createPedido, body }, async () => (await found()).length > 0))) return;
  const made = await found();
  if (made.length !== 1) problems.push(`one order was made ${made.length} times`);
  if (made[0]) orders.push({ ...order, id: made[0].id });
}

/** One act that the order's estado allows, by the person who does it. */
export async function live(week: Week, order: Order): Promise<void> {
  const { random, people } = week;
  const { admin, carrier } = people;
  const params = { id: order.id };
  const move = (who: Client, estado: api.Pedido['estado'], more = {}) => ({
    who,
    endpoint: api.setEstado,
    params,
    body: { estado, ...more },
  });
  if (order.deleted)
    return act(week, order, { who: admin, endpoint: api.restorePedido, params, body: {} }, () => void (order.deleted = false));
  if (order.estado === 'cancelado') {
    const owing = (await admin.call(listPagos, { params })).body.data.find(({ estado }) => estado === 'devolucion_pendiente');
    if (!owing) return;
    const sent = { who: admin, endpoint: devolverPago, params: { id: owing.id }, body: { nota: null } };
    const isBack = async () =>
      (await admin.call(listPagos, { params })).body.data.some((p) => p.id === owing.id && p.estado === 'devuelto');
    if (await write(week, sent, isBack)) order.owed -= cents(owing.importe);
    return;
  }
  if (random.chance(0.05))
    return act(week, order, { who: admin, endpoint: api.deletePedido, params, body: undefined }, () => void (order.deleted = true));
  if (order.estado !== 'completado' && random.chance(0.05))
    return act(week, order, move(admin, 'cancelado', { motivo: 'Fin' }), () => {
      Object.assign(order, { estado: 'cancelado', owed: order.paid, paid: 0 });
    });
  if (!order.contra && dueOf(order) > 0 && (order.estado === 'pendiente_pago' || random.chance(0.3))) {
    const amount = random.chance(0.7) ? dueOf(order) : random.int(1, dueOf(order));
    const body = { metodo: random.pick(['bizum', 'transferencia'] as const), importe: amount / 100, fecha: dayInMadrid() };
    return act(week, order, { who: admin, endpoint: anotarPago, params, body }, () => {
      order.paid += amount;
      if (order.estado === 'pendiente_pago' && dueOf(order) === 0) order.estado = 'pendiente';
    });
  }
  if (order.estado === 'pendiente')
    return act(week, order, { who: carrier, endpoint: autoAsignar, params, body: {} }, () => void (order.estado = 'asignado'));
  if (order.estado === 'asignado') return act(week, order, move(carrier, 'en_ruta'), () => void (order.estado = 'en_ruta'));
  if (order.estado === 'en_ruta' && order.failed === 0 && random.chance(0.15))
    return act(week, order, move(carrier, 'asignado', { motivo: 'No había nadie' }), () => {
      Object.assign(order, { estado: 'asignado', failed: 1 });
    });
  if (order.estado === 'en_ruta') {
    const collected = order.contra ? dueOf(order) : 0;
    const more = { metodo_entrega: 'manual', ...(collected && { cobrado: collected / 100, cobrado_metodo: 'efectivo' }) };
    return act(week, order, move(carrier, 'completado', more), () => {
      Object.assign(order, { estado: 'completado', paid: order.paid + collected });
      week.cash += collected;
    });
  }
  if (order.estado !== 'completado') return;
  if (owedOf(order) > 0) {
    const owing = (await admin.call(listDevoluciones, { params })).body.data.find(({ por_reembolsar }) => por_reembolsar > 0);
    if (!owing) return;
    const body = { reembolso: owing.por_reembolsar, referencia: null };
    return act(week, order, { who: admin, endpoint: reembolsarDevolucion, params: { id: owing.id }, body }, () => {
      order.refunded += cents(owing.por_reembolsar);
    });
  }
  if (order.returned === order.packs || dueOf(order) > 0 || !random.chance(0.3)) return;
  const packs = random.int(1, order.packs - order.returned);
  const value = goodsBack({ ...order, returned: order.returned + packs }) - goodsBack(order);
  const reembolso = random.chance(0.5) ? value / 100 : null;
  const body = { lineas: [{ numero: 1, cantidad: packs, destino: 'stock' }], motivo: 'desistimiento', reembolso };
  return act(week, order, { who: admin, endpoint: createDevolucion, params, body }, () => {
    order.returned += packs;
    order.refunded += reembolso ? value : 0;
  });
}

/** The carrier hands over the cash of the days that are over, and the office counts it. */
export async function handOver(week: Week): Promise<void> {
  const { admin, carrier } = week.people;
  const open = async () => (await admin.call(listCajas, {})).body.data.filter(({ estado }) => estado === 'abierta');
  for (const { dia, esperado } of await open()) {
    const body = { dia, contado: esperado, motivo: null };
    const isDone = async () => !(await open()).some((caja) => caja.dia === dia);
    if (await write(week, { who: carrier, endpoint: entregarCaja, body }, isDone)) week.cash -= cents(esperado);
  }
  for (const { caja_id, estado, contado } of (await admin.call(listCajas, {})).body.data)
    if (estado === 'entregada')
      await admin.call(confirmarCaja, { params: { id: caja_id ?? '' }, body: { recibido: contado ?? 0, motivo: null } });
}
