import { setTimeout as sleep } from 'node:timers/promises';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { headersOf } from '../held.ts';
import { type Row, tally, verdict } from '../row.ts';
import { missing, startTraffic } from '../traffic.ts';
import type { Member, Shop } from '../world.ts';

const STREAMS = 300;
const EACH = 12;
// In seconds, with room for a busy machine.
const ENDS_WITHIN = 20;

/** SIGTERM under load: started requests are answered, streams close, no connection is reset, the process ends. */
export const row: Row = {
  name: 'stop',
  what: `SIGTERM under load, then with ${STREAMS} open streams`,
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ own: true });
    const admins = await shop.crew('superadmin', 4);
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    const { expect, outcome } = verdict();

    const traffic = startTraffic(admins, pack.id, 40);
    await sleep(2000);
    const mark = traffic.answers.length;
    const ended = await end(shop, 'under load', expect);
    await traffic.stop();
    const late = traffic.answers.slice(mark).filter(({ status }) => status === 0);
    const reset = late.filter(({ why }) => why !== 'ECONNREFUSED');
    expect(
      reset.length === 0,
      () => `${reset.length} of ${traffic.answers.length} requests were cut: ${tally(reset.map(({ why }) => why))}`,
    );
    const bad = traffic.answers.filter(({ status, retryAfter }) => status >= 400 && !(status === 503 && retryAfter));
    expect(bad.length === 0, () => `answers ${tally(bad.map(({ status }) => (status === 503 ? '503 without Retry-After' : status)))}`);

    await shop.again();
    const streams = await each(await shop.crew('transportista', STREAMS / EACH), 5, (member) => open(shop, member));
    const flat = streams.flat();
    expect(flat.length === STREAMS, () => `only ${flat.length} streams`);
    const stopped = await end(shop, `with ${STREAMS} streams`, expect);
    const closed = await Promise.all(flat.map(({ closed }) => closed));
    expect(
      closed.every((how) => how === 'ended'),
      () => `streams: ${tally(closed)}`,
    );

    await shop.again();
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    const orders = await shop.inspect((db) => db.selectFrom('pedidos').select(['id', 'estado']).execute());
    for (const line of missing(traffic, new Map(orders.map(({ id, estado }) => [id, estado])))) expect(false, () => line);
    return outcome(
      `${traffic.answers.length} requests, ${reset.length} cut, ended in ${ended} s; ${flat.length} streams, ended in ${stopped} s`,
    );
  },
  control: [
    {
      guard: 'the wait for what was begun',
      edits: [
        {
          file: 'server/run.ts',
          find: '    await app.close();\n    await close();\n',
          replace: '    await close();\n    process.exit(1);\n',
        },
      ],
    },
  ],
};

/** Stops the shop's only instance; returns the seconds taken. */
async function end(shop: Shop, when: string, expect: (fine: boolean, complaint: () => string) => void): Promise<string> {
  const [instance] = shop.instances;
  const since = performance.now();
  instance?.child.kill('SIGTERM');
  const code = await Promise.race([instance?.ended, sleep(ENDS_WITHIN * 1000, 'not ended', { ref: false })]);
  expect(code === 0, () => `${when}: ended with ${code}: ${instance?.log().slice(-200)}`);
  return ((performance.now() - since) / 1000).toFixed(1);
}

async function open(shop: Shop, member: Member): Promise<{ closed: Promise<string> }[]> {
  const headers = { ...headersOf(member), accept: 'text/event-stream' };
  const opened = await Promise.all(range(EACH).map(() => fetch(`${shop.url()}/api/live`, { headers })));
  return opened
    .filter(({ status }) => status === 200)
    .map((response) => ({
      closed: (async () => {
        for await (const _ of response.body ?? []);
        return 'ended';
      })().catch((error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message),
    }));
}
