import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { listCajas } from '../../contract/caja/caja.ts';
import { deletePedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { FAULTS, type Fault, openRoad } from '../../e2e/road.ts';
import { buildWebIfStale } from '../../server/kit/build-web.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { PACE, type Row, tally, verdict } from '../row.ts';
import { type Act, judge, make, type Order } from '../van/acts.ts';
import { createPhone, listed, type Phone, press } from '../van/phone.ts';
import type { Member, Shop, World } from '../world.ts';

const PHONES = 2;
/** Number of orders that a carrier holds at the start; each delivery adds another. */
const HELD = 8;
const SECONDS = 120;
/** Longest time to send everything from the phones after the faults. */
const SETTLE_MS = 150_000;

type Road = Awaited<ReturnType<typeof openRoad>>;
type Van = { phone: Phone; road: Road; carrier: Member; orders: Order[]; acts: Act[] };
/** Names of events on the vans, tallied at the end. */
type Log = string[];

/** After any fault between van and server, each act is registered once or reported to the office, complete and exact to the cent. */
export const row: Row = {
  name: 'van',
  what: `${PHONES} phones in a real browser: cuts, slow lines, silences, portals, ended sessions, kills of tab, browser and server, a faulty release in the middle`,
  seconds: 420,
  lasts: SECONDS,
  run: async (world) => {
    buildWebIfStale();
    const shop = await world.open();
    const { expect, outcome } = verdict();
    const proofs = {
      prueba_en_mano_firma: 'obligatoria',
      prueba_en_mano_foto: 'obligatoria',
      prueba_en_mano_receptor: 'obligatoria',
    } as const;
    const settings = await shop.admin.call(updateSettings, { body: { cashOnDelivery: true, proofOfDelivery: true, ...proofs } });
    if (settings.status !== 200) throw new Error(settings.text);
    const pack_id = (await shop.pack({ pack_price: 12.35, product_id: (await shop.product({ stock: 1_000_000 })).id })).id;
    const vans = await each(await shop.crew('transportista', PHONES), PHONES, (carrier) => startVan(world, shop, carrier, pack_id));
    const log: Log = [];
    const lasts = PACE.seconds(SECONDS) * 1000;
    const [from, until] = [Date.now(), Date.now() + lasts];
    const isFaulty = () => Math.abs(Date.now() - (from + until) / 2) < lasts / 4;
    await Promise.all([
      killServer(shop, until, log),
      ...vans.flatMap((van) => [
        work(shop, van, pack_id, until, log),
        spoil(van.road, until, isFaulty, log),
        kill(van, until),
        endSessions(shop, van, until, log),
      ]),
    ]);
    await Promise.all(vans.map((van) => settle(van, expect)));

    const acts = vans.flatMap((van) => van.acts);
    const ends: string[] = [];
    for (const act of acts) {
      const { end, wrong } = await judge(shop, act);
      ends.push(`${act.state} and ${end}`);
      for (const complaint of wrong) expect(false, () => complaint);
    }
    for (const wrong of await cashWrong(shop, vans)) expect(false, () => wrong);
    for (const wrong of await auditBooks(shop, shop.admin)) expect(false, () => wrong);
    const kills = vans.map(({ phone: { kills, signIns } }) => `${kills.tab} tabs, ${kills.browser} browsers, ${signIns()} sign-ins`);
    return outcome(`${acts.length} acts: ${tally(ends)}; ${tally(log)}; ${kills.join('; ')}`);
  },
  control: [
    {
      guard: 'an answer that is not ours is a silence',
      edits: [
        {
          file: 'web/unanswered.ts',
          find: 'return isOurs ? { response, body } : undefined;',
          replace: 'return { response, body: isOurs ? (body as object) : {} };',
        },
      ],
    },
  ],
};

async function startVan(world: World, shop: Shop, carrier: Member, pack_id: string): Promise<Van> {
  const road = await openRoad(shop.url());
  world.atEnd(road.close);
  const phone = createPhone(road.url, carrier.person, world.folder('profile'));
  world.atEnd(phone.close);
  const van: Van = { phone, road, carrier, orders: [], acts: [] };
  for (const _ of range(HELD)) await load(shop, van, pack_id);
  if (!(await patiently(() => phone.list(true)))) throw new Error('The list did not open');
  // Waits until the program and the responses are cached for the time without coverage.
  await sleep(4000);
  return van;
}

/** Retries `work` until it returns a result; undefined after `tries` attempts. */
async function patiently<T>(work: () => Promise<T | undefined>, tries = 60): Promise<T | undefined> {
  for (let n = 0; n < tries; n += 1) {
    const result = await work().catch(() => undefined);
    if (result) return result;
    await sleep(300);
  }
  return undefined;
}

/** Gives a carrier an order that is out for delivery. */
async function load(shop: Shop, { carrier: { person }, orders }: Van, pack_id: string): Promise<void> {
  const client = await patiently(() => shop.signIn(person));
  const order = await patiently(async () => {
    const { id, numero_orden, precio_total } = await shop.pedido({ pack_id, contra_reembolso: true, cantidad: 1 + (orders.length % 7) });
    await client?.call(autoAsignar, { params: { id }, body: {} });
    await client?.call(setEstado, { params: { id }, body: { estado: 'en_proceso' } });
    const out = await client?.call(setEstado, { params: { id }, body: { estado: 'en_ruta' } });
    return out?.status === 200 ? { id, numero_orden, cents: Math.round(precio_total * 100) } : undefined;
  });
  if (order) orders.push(order);
}

/** Completes or fails one listed order after another, during any fault. */
async function work(shop: Shop, van: Van, pack_id: string, until: number, log: Log): Promise<void> {
  const { phone, road, orders, acts } = van;
  const spent = new Set<string>();
  while (Date.now() < until) {
    const act: Act = {
      order: { id: '', numero_orden: '', cents: 0 },
      kind: 'completar',
      words: '',
      carrier: phone.person.id,
      state: 'doubtful',
    };
    try {
      const tab = await phone.list([undefined, 'slow', 'release'].includes(road.fault()));
      if (!tab) continue;
      const shown = await listed(tab);
      const open = orders.filter(({ id, numero_orden }) => !spent.has(id) && shown.includes(numero_orden));
      const order = open[Math.floor(Math.random() * open.length)];
      if (!order) {
        await press(tab, 'Enviar otra vez');
        await sleep(500);
        continue;
      }
      const kind = Math.random() < 0.25 ? 'fallar' : 'completar';
      Object.assign(act, { order, kind, words: `Palabras ${phone.person.id.slice(0, 4)} ${acts.length + 1}` });
      // The office withdraws the order while the phone cannot learn of the change.
      if (UNREADABLE.includes(road.fault()) && Math.random() < 0.5) log.push(await takeBack(shop, order));
      const taken = await make(tab, act, () => {
        spent.add(order.id);
        acts.push(act);
      });
      if (taken) act.state = 'promised';
      // A form that stays open has shown the reason: the order was withdrawn.
      else await phone.kill('tab');
    } catch {
      // The tab or the browser was killed, or shows another page.
      await sleep(200);
    }
    if (acts.includes(act)) await load(shop, van, pack_id);
  }
}

async function takeBack({ admin }: Shop, { id }: Order): Promise<string> {
  const isDeleted = Math.random() < 0.5;
  const ask = () =>
    isDeleted ? admin.call(deletePedido, { params: { id } }) : admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } });
  const reply = await ask().catch(() => undefined);
  return reply?.status === 200 ? (isDeleted ? 'deleted' : 'cancelled') : `not taken back: ${reply?.status ?? 'server away'}`;
}

/** Faults during which the phone cannot read the list. */
const UNREADABLE: readonly unknown[] = ['dead', 'hang', 'json500', 'html502', 'html503'];

const shuffled = <T>(all: T[]): T[] =>
  all
    .map((order) => [Math.random(), order] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, order]) => order);

/** Changes the fault of the line every few seconds, cycling through all faults. */
async function spoil(road: Road, until: number, isFaulty: () => boolean, log: Log): Promise<void> {
  let deck: (Fault | undefined)[] = [];
  while (Date.now() < until) {
    if (deck.length === 0) deck = shuffled([...FAULTS, 'slow', 'slow', undefined, undefined]);
    const now = isFaulty() && Math.random() < 0.75 ? 'release' : deck.pop();
    road.set(now);
    log.push(now ?? 'well');
    await sleep(Math.min(3000 + Math.random() * 7000, Math.max(0, until - Date.now())));
  }
  road.set(undefined);
}

async function kill({ phone }: Van, until: number): Promise<void> {
  for (;;) {
    await sleep(8000 + Math.random() * 12_000);
    if (Date.now() > until) return;
    await phone.kill(Math.random() < 0.3 ? 'browser' : 'tab');
  }
}

async function killServer(shop: Shop, until: number, log: Log): Promise<void> {
  for (;;) {
    await sleep(15_000 + Math.random() * 15_000);
    if (Date.now() > until) return;
    await shop.instances[0]?.stop('SIGKILL');
    await shop.again();
    log.push('server killed');
  }
}

async function endSessions(shop: Shop, { carrier: { person } }: Van, until: number, log: Log): Promise<void> {
  for (;;) {
    await sleep(20_000 + Math.random() * 20_000);
    if (Date.now() > until) return;
    await shop.inspect((db) => sql`DELETE FROM sessions WHERE user_id = ${person.id}`.execute(db));
    log.push('session ended');
  }
}

/** Reopens the phone without faults, and retries until every stored step is accepted. Reports steps still unsent at the deadline. */
async function settle({ phone }: Van, expect: (fine: boolean, complaint: () => string) => void): Promise<void> {
  const deadline = Date.now() + SETTLE_MS * PACE.patience;
  let waiting = [] as Awaited<ReturnType<Phone['stored']>>;
  while (Date.now() < deadline) {
    try {
      const tab = await phone.list(true);
      if (tab) await press(tab, 'Enviar otra vez');
      waiting = (await phone.stored()).filter(({ state }) => state !== 'aceptado');
      if (waiting.length === 0) return;
    } catch {
      await phone.kill('tab');
    }
    await sleep(1000);
  }
  for (const { numero, label, state, reason } of waiting) expect(false, () => `${numero} ${label}: still ${state} on the phone, ${reason}`);
}

/** Lists carriers whose cash differs from the sum of their deliveries recorded on the server. */
async function cashWrong(shop: Shop, vans: readonly Van[]): Promise<string[]> {
  const held = (await shop.admin.call(listCajas)).body.data;
  const wrong: string[] = [];
  for (const { carrier, acts } of vans) {
    let due = 0;
    for (const act of acts) if (act.kind === 'completar' && (await judge(shop, act)).end === 'done') due += act.order.cents;
    const has = held.filter(({ transportista_id }) => transportista_id === carrier.person.id);
    const cents = has.reduce((sum, { esperado }) => sum + Math.round(esperado * 100), 0);
    if (cents !== due) wrong.push(`cash of ${carrier.person.full_name}: ${cents} instead of ${due} cents`);
  }
  return wrong;
}
