import pg from 'pg';
import { createPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { connectAs } from '../e2e/api.ts';
import { address, type Client } from '../test/client.ts';
import { type Ask, drive, type Figure } from './drive.ts';

const ROUNDS = 3;
const ROUND_MS = 4000;
/** Warm-up: V8 and PostgreSQL's plans take some seconds to settle, and the first responses take twice as long. */
const WARM_MS = 8000;
/** Number of orders that both sides can take, in all rounds with the same number of connections. */
const OPEN_ORDERS = 100_000;
export type Account = { email: string; password: string };

export const headersOf = (client: Client): Record<string, string> => ({
  cookie: [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-xsrf-token': client.cookies.get('XSRF-TOKEN') ?? '',
});

/**
 * Measures creating, taking and completing orders, the program and a bare handler in turn, over 10 and 50 connections.
 * The bare handler has as many connections to PostgreSQL as the program, and writes the same rows. Without `bare`, writes in one round each and
 * leaves books that balance.
 */
export async function measureWrites(
  ours: string,
  bare: string | undefined,
  database: string,
  people: { admin: Account; carrier: Account },
) {
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  const value = async <T>(text: string) => (await pool.query<{ v: T }>(text)).rows.map(({ v }) => v);
  await pool.query('UPDATE products SET stock = stock + 10000000');
  await pool.query(
    `INSERT INTO stock_movements (product_id, unidades, motivo, actor_nombre) SELECT id, 10000000, 'ajuste', 'bench' FROM products`,
  );
  const packs = await value<string>(
    'SELECT k.id AS v FROM product_packs k JOIN products p ON p.id = product_id WHERE k.is_active AND p.is_active',
  );
  const [by] = await value<string>(`SELECT id AS v FROM users WHERE email = '${people.carrier.email}'`);
  const admin = headersOf(await connectAs(ours, people.admin));
  const carrier = headersOf(await connectAs(ours, people.carrier));
  const waiting = (estado: string) => () =>
    value<string>(
      `SELECT id AS v FROM pedidos WHERE estado = '${estado}' AND deleted_at IS NULL ${estado === 'asignado' ? `AND transportista_id = '${by}'` : ''} ORDER BY random() LIMIT 40000`,
    );
  const reopen = () =>
    pool.query(
      `UPDATE pedidos SET estado = 'pendiente', transportista_id = NULL, transportista_nombre = NULL, fecha_completado = NULL
       WHERE id IN (SELECT id FROM pedidos WHERE estado = 'completado' AND deleted_at IS NULL
         LIMIT greatest(0, $1 - (SELECT count(*) FROM pedidos WHERE estado = 'pendiente' AND deleted_at IS NULL)))`,
      [OPEN_ORDERS],
    );
  const pack = () => packs[Math.floor(Math.random() * packs.length)] ?? '';

  const kinds: {
    what: string;
    prepare?: () => Promise<unknown>;
    ids?: () => Promise<string[]>;
    headers: typeof admin;
    ours: (id: string) => Ask;
    bare: (id: string) => string;
  }[] = [
    {
      what: 'create',
      headers: admin,
      ours: () => ({
        url: ours + createPedido.path,
        method: 'POST',
        // Each order has a different customer, because an order locks its customer's row.
        body: { cliente_nombre: `Ana ${Math.random()}`, cliente_direccion: 'Calle Mayor 1', pack_id: pack() },
      }),
      bare: () => `${bare}/create?pack=${pack()}`,
    },
    {
      what: 'take',
      prepare: reopen,
      ids: waiting('pendiente'),
      headers: carrier,
      ours: (id) => ({ url: ours + address(autoAsignar.path, { id }), method: autoAsignar.method, body: {} }),
      bare: (id) => `${bare}/take?id=${id}&by=${by}`,
    },
    {
      what: 'complete',
      ids: waiting('asignado'),
      headers: carrier,
      ours: (id) => ({
        url: ours + address(setEstado.path, { id }),
        method: setEstado.method,
        body: { estado: 'completado', metodo_entrega: 'mrw' },
      }),
      bare: (id) => `${bare}/complete?id=${id}`,
    },
  ];
  const rows = [];
  try {
    for (const connections of [10, 50]) {
      for (const kind of kinds) {
        const round = async (side: 'ours' | 'bare', ms: number) => {
          const ids = await kind.ids?.();
          const ask = () => (ids ? kind[side](ids.pop() ?? '') : kind[side](''));
          return await drive(() => (ids?.length === 0 ? undefined : ask()), {
            headers: side === 'ours' ? kind.headers : {},
            ms,
            connections,
          });
        };
        if (!bare) {
          await round('ours', ROUND_MS);
          continue;
        }
        await kind.prepare?.();
        await round('ours', WARM_MS);
        await round('bare', WARM_MS);
        const [a, b]: [Figure[], Figure[]] = [[], []];
        for (let times = 0; times < ROUNDS; times += 1) {
          a.push(await round('ours', ROUND_MS));
          b.push(await round('bare', ROUND_MS));
        }
        const [x, y] = [median(a.map((f) => f.perSecond)), median(b.map((f) => f.perSecond))];
        rows.push({
          what: `${kind.what}, ${connections} connections`,
          'ours /s': Math.round(x),
          'bare /s': Math.round(y),
          ratio: Math.round((100 * x) / y) / 100,
          'p50 ms': Math.round(median(a.map((f) => f.p50))),
          'p99 ms': Math.round(median(a.map((f) => f.p99))),
          failed: [...a, ...b].reduce((sum, { failed }) => sum + failed, 0),
        });
      }
    }
  } finally {
    await pool.end();
  }
  return rows;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
