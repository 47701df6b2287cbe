import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../../contract/transportista/transportista.ts';
import { WEBHOOK_EVENT_NAMES } from '../../contract/webhooks/fields.ts';
import { createWebhook, testWebhook } from '../../contract/webhooks/webhooks.ts';
import { CANTIDAD, FORBIDDEN, UNIT } from '../../test/price.ts';
import { until } from '../../test/until.ts';
import { openReceiver, type Received } from '../../test/webhook-receiver.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop, World } from '../world.ts';

const ORDERS = 30;
/** Events about an order, each with the estado that the order has then. */
const LIFE = {
  'pedido.creado': 'pendiente_pago',
  'pedido.pagado': 'pendiente',
  'pedido.asignado': 'asignado',
  'pedido.completado': 'completado',
};
const EVENTS = Object.keys(LIFE) as (keyof typeof LIFE)[];
type Expect = (fine: boolean, complaint: () => string) => void;

/** Webhooks send signed events with the order as it was at that time, and send nothing into private networks. */
export const row: Row = {
  name: 'webhooks',
  what: `${ORDERS} orders told to two programs, one without prices, that answer 500 at first, from two instances; private addresses in all spellings`,
  seconds: 150,
  run: async (world) => {
    const { expect, outcome } = verdict();
    const reached = await privately(world, expect);
    const { sent, again } = await publicly(world, expect);
    return outcome(`${sent} events sent, ${again} of them twice; ${reached.asked} private addresses, ${reached.connections} connections`);
  },
  control: [
    {
      guard: 'that a name is looked up in the public network only',
      edits: [{ file: 'server/kit/post.ts', find: ', ...(!anywhere && { lookup: publicOnly })', replace: '' }],
    },
    {
      guard: 'the refusal of private addresses',
      edits: [
        {
          file: 'server/kit/post.ts',
          find: 'return isIP(host) && isPrivate(host) ? notPublic(host) : undefined;',
          replace: 'return undefined;',
        },
      ],
    },
    {
      guard: 'the signature over what is sent',
      edits: [{ file: 'server/webhooks/deliver.ts', find: 'sign(id, at, body)', replace: 'sign(id, at, body + id)' }],
    },
    {
      guard: 'that prices are left out where they are not wanted',
      edits: [
        {
          file: 'server/webhooks/shown.ts',
          find: "con_precios && can(actor, 'pedido:prices') ? withOrigin(data.pedido, origin) : withoutPrices(data.pedido)",
          replace: 'withOrigin(data.pedido, origin)',
        },
      ],
    },
    {
      guard: 'that a message that was refused is sent again',
      edits: [
        {
          file: 'server/webhooks/deliver.ts',
          find: 'if (status >= 200 && status < 300) return true;',
          replace: 'if (status) return true;',
        },
      ],
    },
  ],
};

/** Spellings of this machine and of private networks. */
const PRIVATE = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
].concat('localhost', 'localhost.', '127.0.0.1.', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', '[fe80::1]');

/** No webhook reaches a listener on this machine, by whatever address. */
async function privately(world: World, expect: Expect): Promise<{ asked: number; connections: number }> {
  const shop = await world.open();
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => listener.listen(0, '::', listening));
  world.atEnd(() => listener.close());
  const { port } = listener.address() as { port: number };
  await shop.prove();
  for (const host of PRIVATE) {
    const seen = connections;
    const made = await shop.admin.call(createWebhook, { body: { url: `https://${host}:${port}/avisos`, eventos: ['pedido.creado'] } });
    if (made.status === 201) {
      const { enviado } = (await shop.admin.call(testWebhook, { params: { id: made.body.data.id } })).body.data;
      expect(!enviado, () => `${host}: sent`);
      await shop.inspect((db) => sql`DELETE FROM webhooks`.execute(db));
    } else expect(made.status === 422, () => `${host}: ${made.status}`);
    expect(connections === seen, () => `${host}: reached this machine`);
  }
  const plain = await shop.admin.call(createWebhook, { body: { url: 'http://example.com/avisos', eventos: ['pedido.creado'] } });
  expect(plain.status === 422, () => `http: ${plain.status}`);
  return { asked: PRIVATE.length, connections };
}

async function publicly(world: World, expect: Expect): Promise<{ sent: number; again: number }> {
  const shop = await world.open({ instances: 2, env: { WEBHOOKS_PRIVATE: '1', PUBLIC_URL: 'http://tienda.es' } });
  const [rita] = (await shop.crew('revendedor', 1)) as [Member];
  const carriers = await shop.crew('transportista', 4);
  const programs = await each([true, false], 1, async (con_precios) => {
    const receiver = await openReceiver();
    world.atEnd(receiver.close);
    await shop.prove();
    const { body } = await shop.admin.call(createWebhook, { body: { url: receiver.url, eventos: WEBHOOK_EVENT_NAMES, con_precios } });
    return { receiver, con_precios, secreto: body.secreto, hook: body.data };
  });
  for (const { receiver } of programs) receiver.answers(500);
  const pack = await shop.pack({ pack_price: UNIT / 100 });
  const states = new Map<string, Record<string, unknown>>();
  await each(range(ORDERS), 8, async (n) => {
    const order = await shop.pedido({ pack_id: pack.id, cantidad: CANTIDAD }, rita);
    const params = { id: order.id };
    const [who] = carriers.slice(n % 4) as [Member];
    const paid = await shop.admin.call(setEstado, { params, body: { estado: 'pendiente', referencia: 'x' } });
    const taken = await who.call(autoAsignar, { params, body: {} });
    const done = await who.call(setEstado, { params, body: { estado: 'completado', metodo_entrega: 'mrw' } });
    for (const [i, data] of [order, paid.body.data, taken.body.pedido, done.body.data].entries())
      states.set(`${EVENTS[i]} ${order.id}`, { ...data });
  });
  await until(
    () => programs.every(({ receiver }) => receiver.received.length > ORDERS),
    () => 'nothing is sent',
    60,
  );
  for (const { receiver } of programs) receiver.answers(204);
  const wanted = ORDERS * EVENTS.length;
  const arrived = ({ receiver }: (typeof programs)[0]) =>
    new Set(receiver.received.map(({ body }) => keyOf(body)).filter((key) => states.has(key))).size;
  await deliverAll(shop, rita, pack.id, () => programs.every((program) => arrived(program) === wanted));
  let again = 0;
  for (const { receiver, con_precios, secreto } of programs) {
    const mine = receiver.received.filter(({ body }) => states.has(keyOf(body)));
    for (const message of mine) expectSigned(expect, receiver, secreto, message);
    const ids = new Map<string, Set<string>>();
    for (const { id, body } of mine) ids.set(keyOf(body), (ids.get(keyOf(body)) ?? new Set()).add(id));
    expect(ids.size === wanted, () => `${ids.size} of ${wanted} events are told`);
    expect(
      [...ids.values()].every((names) => names.size === 1),
      () => 'an event is told under two names',
    );
    again += mine.length - ids.size;
    for (const { text, body } of mine) {
      const pedido = body.data.pedido ?? {};
      const was = states.get(keyOf(body)) ?? {};
      const differs = ['numero_orden', 'estado', 'cantidad', 'cliente_nombre', 'version', ...(con_precios ? ['precio_total'] : [])].filter(
        (name) => name in was && pedido[name] !== was[name],
      );
      expect(differs.length === 0, () => `${keyOf(body)}: ${differs.join(', ')} are not what was answered`);
      expect(pedido.estado === LIFE[body.type as keyof typeof LIFE], () => `${body.type}: ${pedido.estado}`);
      expect(con_precios === FORBIDDEN.test(text), () => `${body.type}: ${con_precios ? 'no price' : 'a price'}`);
    }
    expectInOrder(expect, mine);
  }
  expect(again > 0, () => 'nothing was sent again');
  return { sent: programs.length * wanted, again };
}

const keyOf = ({ type, data }: Received['body']) => `${type} ${data.pedido?.id}`;

/** Makes waiting retries due now, as after half a minute, and wakes the job with another order, until no retry is left. */
async function deliverAll(shop: Shop, rita: Member, pack_id: string, done: () => boolean): Promise<void> {
  await until(
    async () => {
      if (done()) return true;
      await shop.inspect((db) =>
        sql`UPDATE outbox SET due_at = now() WHERE sent_at IS NULL AND attempts > 0 AND error IS NOT NULL`.execute(db),
      );
      await shop.pedido({ pack_id }, rita);
      await sleep(500);
      return (await waiting(shop)) === 0;
    },
    () => 'webhooks are still waiting',
    60,
  );
}

const waiting = (shop: Shop): Promise<number> =>
  shop.inspect(async (db) => {
    const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM outbox WHERE channel = 'webhook' AND sent_at IS NULL`.execute(db);
    return Number(rows[0]?.n);
  });

function expectSigned(
  expect: Expect,
  receiver: { verify: (secret: string, message: Received) => unknown },
  secret: string,
  message: Received,
): void {
  let signed = true;
  try {
    receiver.verify(secret, message);
  } catch {
    signed = false;
  }
  expect(signed, () => `${message.body.type}: the signature is wrong`);
}

/** A later event has a higher version, in whatever sequence the events arrive. */
function expectInOrder(expect: Expect, received: readonly Received[]): void {
  const orders = Map.groupBy(received, ({ body }) => String(body.data.pedido?.id));
  for (const [id, messages] of orders) {
    const versions = EVENTS.map((type) => Number(messages.find(({ body }) => body.type === type)?.body.data.pedido?.version));
    expect(
      versions.every((version, i) => i === 0 || version > (versions[i - 1] ?? 0)),
      () => `${id}: versions ${tally(versions)}`,
    );
  }
}
