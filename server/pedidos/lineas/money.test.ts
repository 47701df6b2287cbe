import { beforeAll, beforeEach, expect, it } from 'vitest';
import { anularDevolucion, createDevolucion } from '../../../contract/devoluciones/devoluciones.ts';
import { setGanancia } from '../../../contract/liquidaciones/liquidaciones.ts';
import { anotarPago, reembolsarSobra } from '../../../contract/payments/payments.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { setPrecio } from '../../../contract/products/precios.ts';
import { updatePack } from '../../../contract/products/products.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { autoAsignar } from '../../../contract/transportista/transportista.ts';
import { type Random, seededRandom } from '../../../demo/random.ts';
import { dayInMadrid } from '../../../test/day.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';
import { recountAccounts } from '../../cuadre/run.ts';
import { onSnapshot } from '../../db/open.ts';

/*
 * Random steps by every role, with an independent calculation of each order. Kept units cost the agreed price, added units the price of a
 * new order.
 */

let world: World;
let people: Record<'superadmin' | 'revendedor' | 'transportista', Person>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  people = await everyRole(world);
});

const STEPS = 45;
const ORDERS = 4;
/** Shipping cost in cents, by postcode. */
const SHIPPING: Record<string, number> = { '28001': 495, '07001': 990, '35001': 1950 };
const euros = (cents: number) => cents / 100;
const cents = (amount: number) => Math.round(amount * 100);
const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);

/** A quantity of a pack at its agreed price in cents; `pack` is null for a line without pack. */
type Lot = { pack: string | null; cantidad: number; each: number };
type Return = { id: string; numero: number; cantidad: number; refund: number };
/** Independent model of an order; amounts in cents. */
type Order = {
  id: string;
  /** True if sold by the reseller, false if sold by the shop itself. */
  sold: boolean;
  lots: Lot[];
  postcode: string;
  envio: number;
  fijado: boolean;
  descuento: number;
  pagado: number;
  returns: Return[];
};
type Seen = Extract<Awaited<ReturnType<typeof read>>, { precio_total: number }>;

const read = async (id: string) => (await people.superadmin.call(api.getPedido, { params: { id } })).body.data;
/** Reads the order from the server, with its lines in cents. */
async function see({ id }: Order) {
  const seen = (await read(id)) as Seen;
  const lines = (seen.lineas ?? []).map((line) => ({ ...line, each: cents(line.precio_unitario), total: cents(line.precio_total) }));
  return { ...seen, lines };
}

const totalOf = ({ lots, envio, descuento }: Order) => sum(lots, ({ cantidad, each }) => cantidad * each) + envio - descuento;
/** Sums quantities by pack and price, however the lines are split. */
const pilesOf = (lots: readonly Lot[]) => {
  const piles: Record<string, number> = {};
  for (const { pack, cantidad, each } of lots) piles[`${pack} a ${each}`] = (piles[`${pack} a ${each}`] ?? 0) + cantidad;
  return piles;
};

/** Creates a shop of two packs with list and reseller prices; a pack no longer sold has no price. */
async function aShop(random: Random) {
  const admin = people.superadmin;
  const packs = [
    await world.pack({ pack_quantity: 6, pack_price_cents: 999 }),
    await world.pack({ pack_quantity: 1, pack_price_cents: 1333 }),
  ];
  await world.db.updateTable('products').set({ stock: 1_000_000 }).execute();
  await world.db.updateTable('stock_movements').set({ unidades: 1_000_000 }).execute();
  const base = new Map(packs.map(({ id, pack_price_cents }) => [id, pack_price_cents]));
  const own = new Map<string, number>();
  const gone = new Set<string>();
  const rates = { shippingPeninsula: 4.95, shippingBaleares: 9.9, shippingCanarias: 19.5 };
  const tarifas = [{ zona: 'peninsula' as const, entrega: 3.5, intento: 1 }];
  const replies = [
    await admin.call(updateSettings, { body: rates }),
    await admin.call(setGanancia, { params: { id: people.transportista.user.id }, body: { tarifas } }),
    await admin.call(setGanancia, { params: { id: people.revendedor.user.id }, body: { margen: { tipo: 'porcentaje', valor: 12.5 } } }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  return {
    aPack: () => random.pick(packs).id,
    /** Returns today's price of a pack in cents; undefined if not sold. */
    price: (pack: string, sold: boolean) => (gone.has(pack) ? undefined : (sold && own.get(pack)) || base.get(pack)),
    /** Changes a price, or starts or stops selling a pack. */
    change: async () => {
      const id = random.pick(packs).id;
      const price = random.int(100, 3000);
      const what = gone.size ? 'sold' : random.pick(['base', 'base', 'own', 'own', 'sold']);
      const reseller = { revendedor_id: people.revendedor.user.id, desde: dayInMadrid() };
      const { status } =
        what === 'own'
          ? await admin.call(setPrecio, { params: { id }, body: { ...reseller, precio: euros(price) } })
          : await admin.call(updatePack, {
              params: { id },
              body: what === 'base' ? { pack_price: euros(price) } : { is_active: gone.has(id) },
            });
      expect(status).toBe(200);
      if (what === 'own') own.set(id, price);
      else if (what === 'base') base.set(id, price);
      else if (!gone.delete(id)) gone.add(id);
      return `${what} ${price}`;
    },
  };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

const customer = { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', cliente_telefono: '600000001' };

async function create(random: Random, shop: Shop): Promise<Order | undefined> {
  const sold = random.chance(0.75);
  const [postcode, envio] = random.pick(Object.entries(SHIPPING));
  const wanted = Array.from({ length: random.int(1, 3) }, () => ({ pack: shop.aPack(), cantidad: random.int(1, 9) }));
  const lineas = wanted.map(({ pack, cantidad }) => ({ pack_id: pack, cantidad }));
  // Orders of the shop itself have no reseller. Some of them wait for payment, as resellers' orders do.
  const own = sold ? {} : { estado: random.pick(['pendiente', 'pendiente_pago'] as const) };
  const who = sold ? people.revendedor : people.superadmin;
  const { status, body } = await who.call(api.createPedido, { body: { ...customer, cliente_codigo_postal: postcode, lineas, ...own } });
  const lots = lotsAt(shop, wanted, sold);
  expect(status).toBe(lots ? 201 : 422);
  return lots && { id: body.data.id, sold, lots, postcode, envio, fijado: false, descuento: 0, pagado: 0, returns: [] };
}

/** Returns the lots of a new order of these packs; undefined if a pack is not sold. */
function lotsAt(shop: Shop, wanted: readonly { pack: string; cantidad: number }[], sold: boolean): Lot[] | undefined {
  const lots = wanted.map(({ pack, cantidad }) => ({ pack, cantidad, each: shop.price(pack, sold) }));
  return lots.every((lot): lot is typeof lot & { each: number } => lot.each !== undefined) ? lots : undefined;
}

type Act = (random: Random, shop: Shop, order: Order) => Promise<string | undefined>;

/** Changes quantities and lines, by superadmin or reseller; shipping and discount by superadmin. */
const edit: Act = async (random, shop, order) => {
  const { lines, estado, deleted_at } = await see(order);
  // Sometimes tries an edit that must be refused.
  if (estado !== 'pendiente_pago' && random.chance(0.6)) return undefined;
  const free = random.chance(0.5);
  const who = free ? people.superadmin : people.revendedor;
  const kept = lines
    .filter(() => random.chance(0.85))
    .map((line) => ({ line, cantidad: random.chance(0.4) ? line.cantidad : random.int(1, 12) }));
  const fresh = Array.from({ length: random.int(kept.length ? 0 : 1, 1) }, () => ({ pack: shop.aPack(), cantidad: random.int(1, 5) }));
  const own = free && random.chance(0.2) ? [{ pack: null, cantidad: random.int(1, 3), each: random.int(1, 2000) }] : [];
  const amounts = {
    ...(free && random.chance(0.25) && { envio: euros(random.int(0, 1500)) }),
    ...(free && random.chance(0.45) && { descuento: euros(random.int(0, 1200)) }),
  };
  const { status } = await who.call(api.setLineas, {
    params: { id: order.id },
    body: {
      lineas: [
        ...kept.map(({ line, cantidad }) => ({ numero: line.numero, cantidad })),
        ...fresh.map(({ pack, cantidad }) => ({ pack_id: pack, cantidad })),
        ...own.map(({ cantidad, each }) => ({ producto: 'Cesta', cantidad, precio_unitario: euros(each) })),
      ],
      ...amounts,
    },
  });

  const stays = kept.map(({ line, cantidad }) => ({ pack: line.pack_id, each: line.each, cantidad: Math.min(cantidad, line.cantidad) }));
  const added = kept.flatMap(({ line, cantidad }) => {
    if (cantidad <= line.cantidad) return [];
    const each = line.pack_id ? shop.price(line.pack_id, order.sold) : line.each;
    return [{ pack: line.pack_id, cantidad: cantidad - line.cantidad, each }];
  });
  const bought = lotsAt(shop, fresh, order.sold);
  const [envio, descuento] = [amounts.envio, amounts.descuento].map((amount) => (amount === undefined ? undefined : cents(amount)));
  const after: Order = {
    ...order,
    lots: [...stays, ...added.flatMap(({ each, ...lot }) => (each === undefined ? [] : [{ ...lot, each }])), ...(bought ?? []), ...own],
    envio: envio ?? order.envio,
    fijado: order.fijado || (envio !== undefined && envio !== order.envio),
    descuento: descuento ?? order.descuento,
  };
  const touched = lines.some((line) => !line.pack_id && !kept.some((before) => before.line === line && before.cantidad === line.cantidad));
  const may = free
    ? ['pendiente_pago', 'pendiente'].includes(estado)
    : order.sold && estado === 'pendiente_pago' && !order.descuento && !touched;
  const fine =
    may &&
    !deleted_at &&
    bought !== undefined &&
    added.every(({ each }) => each !== undefined) &&
    totalOf(after) >= (estado === 'pendiente_pago' ? order.pagado : 0);
  expect(status === 200, `${status} to ${who.user.role}`).toBe(fine);
  if (!fine) return `edit by ${who.user.role}: ${status}`;
  Object.assign(order, after);
  const packs = [...added, ...(bought ?? [])].filter((lot) => lot.pack !== null);
  if (packs.length) {
    const lineas = packs.map(({ pack, cantidad }) => ({ pack_id: pack, cantidad }));
    const asNew = { lineas, envio: 0, revendedor_id: order.sold ? people.revendedor.user.id : null };
    const { data } = (await people.superadmin.call(api.calcularTotal, { body: asNew })).body;
    expect(cents(data.total)).toBe(sum(packs, ({ cantidad, each }) => cantidad * (each ?? Number.NaN)));
  }
  return `edit by ${who.user.role}: ${status}`;
};

const move: Act = async (random, _, order) => {
  const { estado, deleted_at } = await see(order);
  const who = order.sold && random.chance(0.5) ? people.revendedor : people.superadmin;
  if (deleted_at || !(estado === 'pendiente_pago' || (estado === 'pendiente' && who === people.superadmin))) return undefined;
  const postcode = random.pick(Object.keys(SHIPPING));
  const body = { ...customer, cliente_codigo_postal: postcode };
  expect((await who.call(api.updatePedido, { params: { id: order.id }, body })).status).toBe(200);
  const envio = SHIPPING[postcode] as number;
  const due = totalOf(order) > order.pagado;
  const follows = postcode !== order.postcode && !order.fijado && due && totalOf({ ...order, envio }) >= order.pagado;
  Object.assign(order, { postcode, ...(follows && { envio }) });
  return `to ${postcode}`;
};

const pay: Act = async (random, _, order) => {
  const { pendiente, estado, deleted_at } = await see(order);
  const due = cents(pendiente);
  if (!due || deleted_at || estado === 'cancelado') return undefined;
  const importe = random.chance(0.4) ? due : random.int(1, due);
  const body = { metodo: 'bizum' as const, importe: euros(importe), fecha: dayInMadrid() };
  expect((await people.superadmin.call(anotarPago, { params: { id: order.id }, body })).status).toBe(201);
  order.pagado += importe;
  return `pay ${importe} of ${due}`;
};

/** Refunds the amount paid beyond the total, or a part of it. */
const settle: Act = async (random, _, order) => {
  const { estado, deleted_at } = await see(order);
  const over = order.pagado - totalOf(order);
  if (deleted_at || estado === 'cancelado') return undefined;
  const importe = random.chance(0.5) ? Math.max(1, over) : random.int(1, Math.max(1, over));
  const { status } = await people.superadmin.call(reembolsarSobra, { params: { id: order.id }, body: { importe: euros(importe) } });
  expect(status).toBe(over > 0 ? 200 : 409);
  if (over > 0) order.pagado -= importe;
  return `refund ${importe} of ${over}`;
};

/** Makes the next transition of a delivery, or a failed attempt. */
const carry: Act = async (random, _, { id }) => {
  const { estado, deleted_at } = (await read(id)) as Seen;
  if (deleted_at || !['pendiente', 'asignado', 'en_ruta'].includes(estado)) return undefined;
  const carrier = people.transportista;
  const fails = random.chance(0.3);
  const { status } =
    estado === 'pendiente'
      ? await carrier.call(autoAsignar, { params: { id } })
      : await carrier.call(api.setEstado, {
          params: { id },
          body:
            estado === 'asignado'
              ? { estado: 'en_ruta' }
              : fails
                ? { estado: 'asignado', motivo: 'No había nadie' }
                : { estado: 'completado', metodo_entrega: 'manual' },
        });
  expect(status).toBe(200);
  return `carried on from ${estado}`;
};

const giveBack: Act = async (random, _, order) => {
  const { lines, estado, deleted_at } = await see(order);
  if (estado !== 'completado' || deleted_at) return undefined;
  const last = order.returns.at(-1);
  if (last && random.chance(0.3)) {
    const body = { motivo: 'Era otro' };
    expect((await people.superadmin.call(anularDevolucion, { params: { id: last.id }, body })).status).toBe(200);
    order.returns.pop();
    return 'return annulled';
  }
  const line = random.pick(lines);
  const left = line.cantidad - sum(order.returns, ({ numero, cantidad }) => (numero === line.numero ? cantidad : 0));
  if (!left) return undefined;
  const cantidad = random.chance(0.4) ? left : random.int(1, left);
  const room = Math.max(0, Math.min(totalOf(order), order.pagado) - sum(order.returns, ({ refund }) => refund));
  const refund = random.chance(0.5) ? random.int(0, room) : 0;
  const lineas = [{ numero: line.numero, cantidad, destino: random.pick(['stock', 'baja'] as const) }];
  const body = { lineas, motivo: 'danado' as const, reembolso: euros(refund) };
  const reply = await people.superadmin.call(createDevolucion, { params: { id: order.id }, body });
  expect(reply.status).toBe(201);
  order.returns.push({ id: reply.body.data.id, numero: line.numero, cantidad, refund });
  return `${cantidad} given back, ${refund} refunded`;
};

const cancel: Act = async (_, __, order) => {
  const { estado, deleted_at } = await see(order);
  if (deleted_at || estado === 'completado' || estado === 'cancelado') return undefined;
  const body = { estado: 'cancelado' as const, motivo: 'Fin' };
  expect((await people.superadmin.call(api.setEstado, { params: { id: order.id }, body })).status).toBe(200);
  // A refund is due, so the payment no longer counts.
  order.pagado = 0;
  return 'cancelled';
};

const hide: Act = async (_, __, { id }) => {
  const { deleted_at } = (await read(id)) as Seen;
  const { status } = await people.superadmin.call(deleted_at ? api.restorePedido : api.deletePedido, { params: { id } });
  expect(status).toBe(200);
  return deleted_at ? 'restored' : 'deleted';
};

/** Returns the amount due in cents; returned goods not yet refunded count as paid. */
function dueOf(order: Order, { lines, estado }: Awaited<ReturnType<typeof see>>): number {
  if (estado === 'cancelado') return 0;
  const [total, all] = [totalOf(order), sum(lines, (line) => line.total)];
  const backOf = (numero: number) => sum(order.returns, (part) => (part.numero === numero ? part.cantidad : 0));
  const share = sum(lines, (line) => (line.total * backOf(line.numero)) / line.cantidad);
  const whole = sum(order.returns, ({ cantidad }) => cantidad) >= sum(lines, ({ cantidad }) => cantidad);
  const worth = whole ? total : Math.min(total, all ? Math.round((share * (all - order.descuento)) / all) : 0);
  return Math.max(0, total - order.pagado - Math.max(0, worth - sum(order.returns, ({ refund }) => refund)));
}

it.each([1, 2, 3])(
  'kept units cost the agreed price, added units today’s price, and the accounts of the shop match (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const shop = await aShop(random);
    const orders: Order[] = [];
    const acts: [Act, number][] = [
      [edit, 6],
      [move, 2],
      [pay, 2],
      [settle, 1],
      [carry, 6],
      [giveBack, 6],
      [cancel, 0.1],
      [hide, 0.5],
    ];
    const done: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      const isNew = orders.length < ORDERS || random.chance(0.06);
      const order = isNew ? await create(random, shop) : random.pick(orders);
      if (isNew && order) orders.push(order);
      let what = isNew ? 'made' : random.chance(0.12) ? await shop.change() : undefined;
      // Tries actions until the order's state allows one.
      for (let tries = 0; order && !what && tries < 12; tries += 1) what = await random.weighted(acts)(random, shop, order);
      if (!order || !what) continue;
      done.push(`${orders.indexOf(order)}: ${what}`);
      const seen = await see(order);
      const lots = seen.lines.map(({ pack_id, cantidad, each }) => ({ pack: pack_id, cantidad, each }));
      const { precio_total, pagado, pendiente, por_reembolsar } = seen;
      const now = { lots: pilesOf(lots), money: [precio_total, pagado, pendiente, por_reembolsar].map(cents) };
      // Money paid beyond the total is due for refund, and all money of a deleted order.
      const isOwed = seen.deleted_at ? order.pagado : Math.max(0, order.pagado - totalOf(order));
      const over = seen.estado === 'cancelado' ? 0 : isOwed;
      const money = [totalOf(order), order.pagado, dueOf(order, seen), over];
      expect(now, done.join('\n')).toEqual({ lots: pilesOf(order.lots), money });
      if (seen.estado === 'pendiente_pago') expect(pendiente, done.join('\n')).toBeGreaterThan(0);
      expect(await onSnapshot(world.db, (tx) => recountAccounts(tx)), done.join('\n')).toEqual([]);
    }
  },
);
