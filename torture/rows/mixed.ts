import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { monthsBack } from '../../test/earning.ts';
import { each, range } from '../each.ts';
import { AROUND } from '../mix/around.ts';
import { chance, type Deed, type Desk } from '../mix/desk.ts';
import { AT_THE_DOOR } from '../mix/door.ts';
import { ON_ORDERS } from '../mix/orders.ts';
import { recount } from '../recount.ts';
import { PACE, type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const SECONDS = 60;
const CLIENTS = { superadmin: 18, revendedor: 14, transportista: 18 } as const;
/** Milliseconds: longest allowed wait for an order, and longest pause of a client. The pauses make locks the bottleneck, not the processor. */
const LONGEST_MS = 2000;
const THINK_MS = 1500;
const MONTHS = 12;

type Answered = { deed: string; status: number; ms: number; text: string };
/** `requests`: every request. `deeds`: the last request of each operation. `lockMs`: longest observed wait of a statement for a lock. */
type Worked = { requests: Answered[]; deeds: Answered[]; lockMs: number };

/** All operations, at once on the same few orders, cause no error, deadlock or long wait, and all figures agree. */
export const row: Row = {
  name: 'mixed',
  what: '50 clients do everything at once on the same few orders, customers and products, on two instances',
  seconds: 240,
  alone: true,
  lasts: SECONDS,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const { expect, outcome } = verdict();
    const crew = (await each(Object.entries(CLIENTS), 1, ([role, n]) => shop.crew(role as keyof typeof CLIENTS, n))).flat();
    const desk = await arrange(shop, crew);
    const { requests, deeds, lockMs } = await work(shop, crew, desk, PACE.seconds(SECONDS));

    for (const { deed, status, text } of requests.filter(({ status }) => status >= 500 || status === 0))
      expect(false, () => `${deed}: ${status} ${text}`);
    for (const { deed, ms } of requests.filter(({ ms }) => ms > LONGEST_MS * PACE.patience))
      expect(false, () => `${deed}: a request of ${(ms / 1000).toFixed(1)} s`);
    const deadlocks = await shop.inspect(async (db) => {
      for (const line of await recount(db)) expect(false, () => line);
      return deadlocksOf(db);
    });
    expect(deadlocks === 0, () => `${deadlocks} deadlocks`);
    for (const { name } of DEEDS)
      expect(
        deeds.some(({ deed, status }) => deed === name && status < 300),
        () => `${name} never succeeded: ${tally(deeds.filter(({ deed }) => deed === name).map(({ status }) => status))}`,
      );
    console.error(byDeed(requests, deeds));
    if (requests.some(({ status }) => status >= 500)) for (const { log } of shop.instances) console.error(log());
    return outcome(
      `${requests.length} requests, ${tally(deeds.map(({ status }) => status))}; p50 ${part(requests, 0.5)}, p99 ${part(requests, 0.99)}, ` +
        `p99.9 ${part(requests, 0.999)}, at most ${part(requests, 1)} ms, of a lock ${Math.round(lockMs)} ms; ${deadlocks} deadlocks`,
    );
  },
  control: [
    {
      guard: 'the order in which the products of an order are locked',
      edits: [
        {
          file: 'server/pedidos/lineas/lineas.ts',
          find: '[...parts].sort(([a], [b]) => (a < b ? -1 : 1))',
          replace: '[...parts]',
        },
      ],
    },
    {
      guard: 'the order in which customers are locked',
      edits: [
        {
          file: 'server/pedidos/lectura/cliente.ts',
          find: ".orderBy('es_principal').orderBy('id').forUpdate()",
          replace: ".orderBy('es_principal', 'desc').orderBy('id', 'desc').forUpdate()",
        },
      ],
    },
  ],
};

/** Creates packs, and sets the earnings of resellers and carriers. */
async function arrange(shop: Shop, crew: readonly Member[]): Promise<Desk> {
  await shop.prove();
  const body = { cashOnDelivery: true, partialDeliveries: true, shipmentFiles: true };
  await shop.admin.call(updateSettings, { body });
  for (const { person } of crew) {
    const params = { id: person.id };
    if (person.role === 'revendedor') await shop.admin.call(setGanancia, { params, body: { margen: { tipo: 'porcentaje', valor: 12.5 } } });
    if (person.role === 'transportista')
      await shop.admin.call(setGanancia, { params, body: { tarifas: [{ zona: 'peninsula', entrega: 3, intento: 1 }] } });
  }
  const packs = await each(range(4), 1, async (n) => {
    const { id, product_id } = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id, pack_price: 5 + n * 1.99 });
    return { id, product_id };
  });
  const people = crew.map(({ person }) => person).filter(({ role }) => role !== 'superadmin');
  const carriers = people.filter(({ role }) => role === 'transportista');
  const months = range(MONTHS).map((n) => monthsBack(n + 1).mes);
  return { packs, people, carriers, months, orders: [], door: [], delivered: [], returns: [], serial: 0 };
}

async function work(shop: Shop, crew: readonly Member[], desk: Desk, seconds: number): Promise<Worked> {
  const requests: Answered[] = [];
  const deeds: Answered[] = [];
  const end = performance.now() + seconds * 1000;
  const client = async (member: Member) => {
    while (performance.now() < end) {
      const { name: deed, work: does, orders = 1 } = pick(member.person.role);
      const me = timed(member, ({ ms, ...answered }) => requests.push({ deed, ...answered, ms: ms / orders }));
      const { status } = await does({ me, desk }).catch(() => ({ status: 0 }));
      deeds.push({ deed, status, ms: 0, text: '' });
      await sleep(Math.random() * THINK_MS);
    }
  };
  const [lockMs] = await Promise.all([watchLocks(shop, end), lastYear(shop, end), ...crew.map(client)]);
  return { requests, deeds, lockMs };
}

/** Returns `me` with every request timed. `note` receives the time in ms and the answer, or status 0 without an answer. */
function timed(me: Member, note: (answered: Omit<Answered, 'deed'>) => void): Member {
  const time =
    <A extends unknown[], R extends { status: number; text: string }>(send: (...input: A) => Promise<R>) =>
    async (...input: A): Promise<R> => {
      const since = performance.now();
      const answered = (status: number, text: string) => note({ status, ms: performance.now() - since, text: text.slice(0, 200) });
      try {
        const reply = await send(...input);
        answered(reply.status, reply.status >= 500 ? reply.text : '');
        return reply;
      } catch (error) {
        answered(0, String(error));
        throw error;
      }
    };
  return { ...me, call: time(me.call) as Member['call'], request: time(me.request) };
}

/** Returns the longest observed wait of a statement for a lock, in ms. Unlike response times, these waits depend little on a busy processor. */
const watchLocks = (shop: Shop, end: number): Promise<number> =>
  shop.inspect(async (db) => {
    let longest = 0;
    while (performance.now() < end) {
      const { rows } = await sql<{ ms: number }>`
        SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start) * 1000), 0)::float8 AS ms FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      longest = Math.max(longest, rows[0]?.ms ?? 0);
      await sleep(50);
    }
    return longest;
  });

/** Moves earnings into past months, because only past months can be closed. */
const lastYear = (shop: Shop, end: number): Promise<void> =>
  shop.inspect(async (db) => {
    while (performance.now() < end) {
      await db.transaction().execute(async (tx) => {
        // Disables the ledger's triggers, which refuse such a change.
        await sql`SET LOCAL session_replication_role = replica`.execute(tx);
        await sql`
          UPDATE ganancias SET dia = date_trunc('month', dia)::date - (1 + random() * 350)::int WHERE id IN (
            SELECT id FROM ganancias WHERE liquidacion_id IS NULL AND concepto <> 'intento' AND dia = dia_negocio(now()) FOR UPDATE SKIP LOCKED)`.execute(
          tx,
        );
      });
      await sleep(2000);
    }
  });

async function deadlocksOf(db: Parameters<typeof recount>[0]): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`.execute(db);
  return Number(rows[0]?.deadlocks);
}

function part(requests: readonly Answered[], of: number): number {
  const sorted = requests.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * of))] ?? 0);
}

const byDeed = (requests: readonly Answered[], deeds: readonly Answered[]): string =>
  DEEDS.map(({ name }) => {
    const [all, own] = [requests, deeds].map((answers) => answers.filter(({ deed }) => deed === name));
    return `    ${name}: ${tally((own ?? []).map(({ status }) => status))}; a request at most ${part(all ?? [], 1)} ms`;
  }).join('\n');

/** All operations of people in a shop, with their relative frequency. */
const DEEDS: readonly Deed[] = [...ON_ORDERS, ...AT_THE_DOOR, ...AROUND];

/** Picks an operation of a role, weighted by its frequency. */
function pick(role: Role): Deed {
  const own = DEEDS.filter(({ roles }) => roles.includes(role));
  let at = chance(own.reduce((sum, { often }) => sum + often, 0));
  for (const deed of own) {
    at -= deed.often;
    if (at < 0) return deed;
  }
  return own[0] as Deed;
}
