import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '../contract/api-keys/api-keys.ts';
import { KEY_PURPOSES } from '../contract/api-keys/fields.ts';
import type { Answer } from '../contract/kit/endpoint.ts';
import * as api from '../contract/pedidos/pedidos.ts';
import type { listEvents } from '../contract/webhooks/events.ts';
import { WEBHOOK_PAYLOADS } from '../contract/webhooks/payload.schemas.ts';
import { createWebhook, listEntregas, reenviarEntrega } from '../contract/webhooks/webhooks.ts';
import { seededRandom } from '../demo/random.ts';
import { sendDueWebhooks } from '../server/webhooks/webhooks.job.ts';
import { childEnv } from './child-env.ts';
import { until } from './until.ts';
import { createWorld, type Person, type World } from './world.ts';

const EXAMPLES = join(import.meta.dirname, '../docs/examples');

let world: World;
let url: string;
let admin: Person;
let folder: string;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  world = await createWorld({ WEBHOOKS_PRIVATE: '1' });
  url = await world.app.listen({ port: 0, host: '127.0.0.1' });
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  folder = mkdtempSync(join(tmpdir(), 'enruta-examples-'));
  return () => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Creates a key for each purpose that the head of the example names, in the order of `KEY_PURPOSES`. */
async function keysFor(example: string): Promise<string[]> {
  const [head = ''] = readFileSync(join(EXAMPLES, example), 'utf8').split('*/');
  const text = head.replace(/\s*\n \* /g, ' ');
  const purposes = Object.values(KEY_PURPOSES).filter(({ label }) => text.includes(`«${label}»`));
  const made = purposes.map(({ acciones }) => admin.call(createApiKey, { body: { nombre: example, acciones: [...acciones] } }));
  return (await Promise.all(made)).map(({ body }) => body.data.clave);
}
const asKey = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });

function run(example: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['--no-warnings', join(EXAMPLES, example), ...args], {
    env: { ...childEnv(), ENRUTA_URL: url, ...env },
  });
  running.add(child);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));
  return { child, output: () => output.join(''), ended: once(child, 'close') as Promise<[code: number | null]> };
}

test('a copy of all orders equals the originals after random writes and a crash of the connector', async () => {
  const random = seededRandom(2026);
  const pack = await world.pack();
  const body = () => ({ cliente_nombre: `Ana ${random.int(1, 9)}`, cliente_direccion: `Calle ${random.int(1, 99)}` });
  const alive: string[] = [];
  const deleted: string[] = [];
  const writes: (() => Promise<{ status: number; text: string }>)[] = [
    async () => {
      const made = await admin.call(api.createPedido, { body: { ...body(), pack_id: pack.id, cantidad: random.int(1, 3) } });
      alive.push(made.body.data.id);
      return made;
    },
    () =>
      admin.call(api.updatePedido, { params: { id: random.pick(alive) }, body: { ...body(), instrucciones: `n.º ${random.int(1, 999)}` } }),
    async () => {
      const id = alive.splice(random.int(0, alive.length - 1), 1)[0] ?? '';
      deleted.push(id);
      return admin.call(api.deletePedido, { params: { id } });
    },
    async () => {
      const id = deleted.pop();
      if (!id) return { status: 200, text: '' };
      alive.push(id);
      return admin.call(api.restorePedido, { params: { id } });
    },
  ];
  const change = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const { status, text } = await (alive.length < 3 ? (writes[0] as (typeof writes)[0]) : random.pick(writes))();
      expect([200, 201], text).toContain(status);
    }
  };

  const file = join(folder, 'orders.sqlite');
  const [shop = '', books = ''] = await keysFor('keep-a-copy.mjs');
  const env = { ENRUTA_KEY: shop, ENRUTA_EVERY: '0.05' };
  const copied = (from = file) => {
    const db = new DatabaseSync(from, { timeout: 5000 });
    try {
      const rows = db.prepare('SELECT id, data FROM orders').all() as { id: string; data: string }[];
      return new Map(rows.map(({ id, data }) => [id, JSON.parse(data)]));
    } finally {
      db.close();
    }
  };
  const there = async () => {
    const { body: list } = await admin.call(api.listPedidos, { query: { con: 'lineas', per_page: 100 } });
    return new Map(list.data.map((pedido) => [pedido.id, pedido]));
  };

  await change(40);
  const first = run('keep-a-copy.mjs', [file], env);
  const hasRows = () => {
    try {
      return existsSync(file) && copied().size > 0;
    } catch {
      // The connector has not created its tables yet.
      return false;
    }
  };
  await until(hasRows, first.output);
  await change(15);
  first.child.kill('SIGKILL');
  await first.ended;
  await change(25);
  const second = run('keep-a-copy.mjs', [file], env);
  await change(20);
  const real = await there();
  expect(real.size).toBeGreaterThan(10);
  await until(
    () => JSON.stringify([...copied()].toSorted()) === JSON.stringify([...real].toSorted()),
    () => `${second.output()}\n${copied().size} of ${real.size}`,
    30,
  ).catch(() => undefined);
  const copy = copied();
  expect([...copy.keys()].toSorted()).toEqual([...real.keys()].toSorted());
  for (const [id, pedido] of real) expect(copy.get(id)).toEqual(pedido);
  expect(second.output()).toBe('');

  const ledger = join(folder, 'books.sqlite');
  const third = run('keep-a-copy.mjs', [ledger], { ...env, ENRUTA_KEY: books });
  const isWhole = () => {
    try {
      return existsSync(ledger) && copied(ledger).size === real.size;
    } catch {
      return false;
    }
  };
  await until(isWhole, third.output);
  for (const [id, pedido] of real) expect(copied(ledger).get(id)).toMatchObject({ numero_orden: pedido.numero_orden, instrucciones: null });
});

test('orders of a file are created once, however often the file is read', async () => {
  const pack = await world.pack({ alias: 'AOVE-6', pack_price_cents: 5390 });
  const file = join(folder, 'orders.csv');
  const head = 'referencia_externa;cliente_nombre;cliente_direccion;pack;cantidad';
  writeFileSync(file, `\uFEFF${head}\r\nweb-1;Pilar Lozano;"Plaza Nueva; 14";AOVE-6;2\r\nweb-2;"El ""Olivar""";Calle 2;AOVE-6;\r\n`);
  const [ENRUTA_KEY = ''] = await keysFor('create-orders-from-file.mjs');
  const once1 = run('create-orders-from-file.mjs', [file], { ENRUTA_KEY });
  expect([(await once1.ended)[0], once1.output()]).toEqual([0, expect.stringMatching(/web-1: \S+, 107.8 €\nweb-2: \S+, 53.9 €/)]);
  const again = run('create-orders-from-file.mjs', [file], { ENRUTA_KEY });
  expect([(await again.ended)[0], again.output()]).toEqual([0, expect.stringMatching(/web-1: already there, \S+\nweb-2: already there/)]);
  const { data, total } = (await admin.call(api.listPedidos, { query: { sort: 'fecha_pedido', dir: 'asc' } })).body;
  expect(total).toBe(2);
  expect(data.map(({ cliente_nombre, cliente_direccion }) => [cliente_nombre, cliente_direccion]).toSorted()).toEqual([
    ['El "Olivar"', 'Calle 2'],
    ['Pilar Lozano', 'Plaza Nueva; 14'],
  ]);
  expect((await world.db.selectFrom('products').select('stock').where('id', '=', pack.product_id).executeTakeFirstOrThrow()).stock).toBe(
    994,
  );

  writeFileSync(file, `${head}\nweb-3;;Calle 3;AOVE-6;1\n`);
  const refused = run('create-orders-from-file.mjs', [file], { ENRUTA_KEY });
  expect([(await refused.ended)[0], refused.output()]).toEqual([1, expect.stringContaining('web-3: ')]);
});

test('the example accepts each webhook once, and only with a valid signature', async () => {
  const [key = ''] = await keysFor('answer-a-webhook.mjs');
  const added = await fetch(`${url}${createWebhook.path}`, {
    method: createWebhook.method,
    headers: asKey(key),
    body: JSON.stringify({ url: 'http://127.0.0.1:9/', eventos: ['pedido.creado', 'pedido.modificado'], con_precios: true }),
  });
  const made = { status: added.status, body: (await added.json()) as Answer<typeof createWebhook> };
  expect(made.status).toBe(201);
  const file = join(folder, 'events.jsonl');
  const start = async (port = '0') => {
    const { child, output } = run('answer-a-webhook.mjs', [port, file], { ENRUTA_SECRET: made.body.secreto });
    await until(() => /port \d+/.test(output()) || child.exitCode !== null, output);
    return { child, address: `http://127.0.0.1:${/port (\d+)/.exec(output())?.[1]}/` };
  };
  const { address } = await start();
  await world.db.updateTable('webhooks').set({ url: address }).execute();
  const pack = await world.pack();
  const { id } = (await admin.call(api.createPedido, { body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id } }))
    .body.data;
  await admin.call(api.updatePedido, { params: { id }, body: { cliente_nombre: 'Eva', cliente_direccion: 'Calle 1' } });
  expect(await sendDueWebhooks(world.db, world.config)).toBe(2);
  const received = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  expect(
    received()
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['pedido.creado', 'pedido.modificado']);
  for (const { id: _, ...event } of received())
    expect(WEBHOOK_PAYLOADS.get(event.type)?.body.strict().safeParse(event).error).toBeUndefined();

  // Events newer than a transaction still running anywhere in the cluster are returned later.
  const read = async () => {
    const answer = await fetch(`${url}/api/events`, { headers: asKey(key) });
    const { data } = (await answer.json()) as Answer<typeof listEvents>;
    return data.map(({ id: event }) => event).toSorted();
  };
  const sentIds = received()
    .map(({ id: event }) => event)
    .toSorted();
  await expect.poll(read, { timeout: 15_000 }).toEqual(sentIds);

  const [sent] = (await admin.call(listEntregas, { params: { id: made.body.data.id } })).body.data;
  expect((await admin.call(reenviarEntrega, { params: { id: sent?.id ?? '' } })).status).toBe(200);
  expect(await sendDueWebhooks(world.db, world.config)).toBe(1);
  const forged = await fetch(address, {
    method: 'POST',
    headers: {
      'webhook-id': 'otro',
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    },
    body: '{"type":"pedido.creado"}',
  });
  expect([forged.status, received().length]).toEqual([401, 2]);
});
