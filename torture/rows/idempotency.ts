import { randomUUID } from 'node:crypto';
import { createPedido, listPedidos } from '../../contract/pedidos/pedidos.ts';
import { auditBooks } from '../books.ts';
import { each, range } from '../each.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const KEYS = 200;
const TIMES = 5;

/** A request repeated after a lost answer is done once, on any instance. */
export const row: Row = {
  name: 'idempotency',
  what: `${KEYS} orders sent ${TIMES} times at once under one Idempotency-Key, answers cut, on two instances`,
  seconds: 150,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const resellers = await shop.crew('revendedor', 4);
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 100_000 })).id });
    const { expect, outcome } = verdict();
    const statuses: (number | string)[] = [];
    await each(range(KEYS), 8, async (n) => {
      const who = resellers[n % 4] as Member;
      const key = randomUUID();
      const body = { cliente_nombre: `Cliente ${n}`, cliente_direccion: 'Calle 1', pack_id: pack.id, cantidad: 1 + (n % 3) };
      const sent = await Promise.all(range(TIMES - 1).map((i) => cut(shop.url(n + i), who, key, body, Math.random() * 400)));
      statuses.push(...sent);
      const last = await who.call(createPedido, { body, headers: { 'idempotency-key': key } });
      const other = await who.call(createPedido, { body: { ...body, cantidad: 9 }, headers: { 'idempotency-key': key } });
      expect(last.status === 201, () => `repeated: ${last.status} ${last.text}`);
      expect(other.status === 422, () => `the same key with another body: ${other.status}`);
      const { total, data } = (await who.call(listPedidos, { query: { search: `Cliente ${n}`, per_page: 100 } })).body;
      const made = data.filter(({ cliente_nombre }) => cliente_nombre === body.cliente_nombre);
      expect(made.length === 1 && made[0]?.id === last.body.data?.id, () => `key ${n}: ${made.length} orders of ${total}`);
    });
    expect(!statuses.some((status) => typeof status === 'number' && status !== 201), () => `answers ${tally(statuses)}`);
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(`${KEYS} keys × ${TIMES}: ${tally(statuses)}, then 201 × ${KEYS}`);
  },
  control: [
    {
      guard: 'the memory of keys',
      edits: [{ file: 'server/repeats/repeats.ts', find: '  if (!numInsertedOrUpdatedRows) throw new Taken();\n', replace: '' }],
    },
  ],
};

/** Sends an order and hangs up after `ms`; returns the status, or «cut». */
async function cut(url: string, { cookies }: Member, key: string, body: object, ms: number): Promise<number | 'cut'> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  try {
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(ms) };
    return (await fetch(`${url}/api/pedidos`, request)).status;
  } catch {
    return 'cut';
  }
}
