import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { proveIdentity } from '../../contract/account/account.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { emparejarTienda, listTienda, receiveTienda } from '../../contract/tienda/tienda.ts';
import { SUPERADMIN } from '../../e2e/server.ts';
import { until } from '../../test/until.ts';
import { sign, WOO_SECRET, wooLine, wooOrder } from '../../test/woo.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { PACE, type Row, tally, verdict } from '../row.ts';
import type { Shop } from '../world.ts';

const ORDERS = 1000;
const AT_ONCE = 10;
const KILLS = 5;
/** Every twentieth order has a product without a match. */
const UNKNOWN = ['NUEZ-1', 'MIEL-1', 'QUESO-1'];
const isUnknown = (i: number) => i % 20 === 0;
const skuOf = (i: number) => (isUnknown(i) ? (UNKNOWN[(i / 20) % UNKNOWN.length] as string) : 'ACEITE-6');

const quantityOf = (i: number) => 1 + (i % 3);
const centsOf = (i: number) => 4400 * quantityOf(i) + 495;
/** Message `n` of order `i`: the same order, changed `n` seconds later. */
function messageOf(i: number, n: number): string {
  const quantity = quantityOf(i);
  const [subtotal, subtotal_tax] = [`${40 * quantity}.00`, `${4 * quantity}.00`];
  return JSON.stringify(
    wooOrder({
      id: 10_000 + i,
      number: `${10_000 + i}`,
      transaction_id: `T${i}`,
      date_modified_gmt: `2026-11-20T09:13:0${n}`,
      line_items: [wooLine({ sku: skuOf(i), quantity, subtotal, subtotal_tax })],
      total: (centsOf(i) / 100).toFixed(2),
    }),
  );
}

function shuffled<T>(items: T[]): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}

/** Sends a message until the server accepts it; returns the statuses, 0 for a server that is down. */
async function send(shop: Shop, body: string): Promise<number[]> {
  const statuses: number[] = [];
  const headers = { 'content-type': 'application/json', 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': sign(body) };
  while (statuses.length < 400) {
    const status = await fetch(`${shop.url()}${receiveTienda.path}`, { method: 'POST', headers, body }).then(
      (reply) => reply.status,
      () => 0,
    );
    statuses.push(status);
    if (status === 200) break;
    await sleep(100);
  }
  return statuses;
}

/** Each order of a web shop becomes exactly one order, however often and in whatever sequence its messages arrive. */
export const row: Row = {
  name: 'tienda',
  what: `${ORDERS} orders of a web shop, each sent one to three times, in random order, ${AT_ONCE} at once, with ${KILLS} × kill -9 in between`,
  seconds: 300,
  run: async (world) => {
    const shop = await world.open();
    const { expect, outcome } = verdict();
    await shop.admin.call(proveIdentity, { body: { password: SUPERADMIN.password } });
    await shop.admin.call(updateSettings, { body: { storeActive: true, storeSecret: WOO_SECRET } });
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const match = (clave: string) => shop.admin.call(emparejarTienda, { body: { clave, pack_id: pack.id } });
    await match('ACEITE-6');
    const messages = shuffled(range(ORDERS).flatMap((i) => range(1 + Math.floor(Math.random() * 3)).map((n) => messageOf(i, n))));

    let sent = 0;
    const sending = each(messages, AT_ONCE, async (body) => {
      const statuses = await send(shop, body);
      sent += 1;
      return statuses;
    });
    for (const kill of range(KILLS)) {
      await until(
        () => sent >= ((kill + 1) * messages.length) / (KILLS + 1),
        () => `kill ${kill}: only ${sent} of ${messages.length} are taken`,
        60,
      );
      await shop.instances[0]?.stop('SIGKILL');
      await shop.again();
    }
    const statuses = (await sending).flat();
    for (const status of statuses) expect([0, 200, 503].includes(status), () => `answered ${status}`);

    const waiting = async () => (await shop.admin.call(listTienda, { query: { per_page: 100 } })).body;
    const unknown = range(ORDERS).filter(isUnknown).length;
    let seen = '';
    const settle = () =>
      until(
        async () => {
          const rest = await unread(shop);
          seen = `${rest} orders are not read`;
          await sleep(500);
          return rest === 0;
        },
        () => seen,
        120 * PACE.patience,
      );
    await settle();
    const { total, data } = await waiting();
    expect(total === unknown, () => `${total} orders wait for their product instead of ${unknown}`);
    expect(
      data.every(({ lineas }) => lineas.some(({ clave }) => UNKNOWN.includes(clave))),
      () => 'a waiting order has lost its product',
    );
    for (const clave of UNKNOWN) await match(clave);
    await settle();

    const sums = await shop.inspect((db) =>
      db
        .selectFrom('pedidos')
        .select([
          sql<number>`count(*)::int`.as('n'),
          sql<number>`(SELECT count(DISTINCT externo_id)::int FROM tienda_pedidos WHERE pedido_id IS NOT NULL)`.as('different'),
          sql<number>`sum(precio_total_cents)::int`.as('total'),
          sql<number>`sum(pagado_cents)::int`.as('paid'),
        ])
        .executeTakeFirstOrThrow(),
    );
    const cents = range(ORDERS).reduce((sum, i) => sum + centsOf(i), 0);
    const said = JSON.stringify({ n: ORDERS, different: ORDERS, total: cents, paid: cents });
    expect(JSON.stringify(sums) === said, () => `${JSON.stringify(sums)} instead of ${said}`);
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(
      `${messages.length} messages, ${KILLS} kills, ${tally(statuses)}: ${sums.n} orders, ${unknown} after a person named their product`,
    );
  },
  control: [
    {
      guard: 'one row an order of the shop',
      edits: [
        { file: 'server/db/migrations/087-web-shop.ts', find: 'externo_id text NOT NULL UNIQUE', replace: 'externo_id text NOT NULL' },
        {
          file: 'server/tienda/receive.ts',
          find: ".onConflict((conflict) =>\n        conflict\n          .column('externo_id')\n          // Messages can arrive repeatedly and in any order, so an older message is ignored.\n          .doUpdateSet({ modificado_at: order.modificado, contenido, estado: 'recibido', updated_at: sql`now()` })\n          .where('tienda_pedidos.modificado_at', '<=', order.modificado),\n      )",
          replace: '',
        },
      ],
    },
  ],
};

/** Counts received messages that are not processed yet. */
const unread = (shop: Shop): Promise<number> =>
  shop.inspect(async (db) => {
    const { n } = await db
      .selectFrom('tienda_pedidos')
      .select(sql<number>`count(*)::int`.as('n'))
      .where('estado', '=', 'recibido')
      .executeTakeFirstOrThrow();
    return n;
  });
