import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createApiKey } from '../../contract/api-keys/api-keys.ts';
import { KEY_PURPOSES } from '../../contract/api-keys/fields.ts';
import { cambiosPedidos } from '../../contract/cambios/cambios.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { aplazarPedido, createPedido, deletePedido, restorePedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { connect } from '../../e2e/api.ts';
import type { Client } from '../../test/client.ts';
import { openProxy } from '../../test/proxy.ts';
import { ready, until } from '../../test/until.ts';
import { each, range } from '../each.ts';
import { type Row, verdict } from '../row.ts';

const WRITES = 1000;
const AT_ONCE = 8;
const FILE = join(import.meta.dirname, '../../docs/examples/keep-a-copy.mjs');

/** The example connector keeps an exact copy of all orders through failures of the program, the network and the connector. */
export const row: Row = {
  name: 'connector',
  what: `a program's copy of all orders through ${WRITES} random writes, restarts, cuts and kill -9 of the copier, compared row by row`,
  seconds: 240,
  run: async (world) => {
    const { expect, outcome } = verdict();
    let toDatabase: Awaited<ReturnType<typeof openProxy>> | undefined;
    const shop = await world.open({ through: async (url) => (toDatabase = await openProxy(url)).url });
    const line = await openProxy(shop.url());
    const url = line.url.replace(/\/$/, '');
    world.atEnd(() => line.close());
    world.atEnd(() => toDatabase?.close());
    const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
    await shop.prove();
    const { body: key } = await shop.admin.call(createApiKey, {
      body: { nombre: 'Copia', acciones: [...KEY_PURPOSES.contabilidad.acciones] },
    });
    const { clave } = key.data;
    const copy = join(world.folder('connector'), 'orders.sqlite');
    const start = () =>
      spawn(process.execPath, [FILE, copy], {
        env: { PATH: process.env.PATH, ENRUTA_URL: url, ENRUTA_KEY: clave, ENRUTA_EVERY: '0.05' },
        stdio: 'ignore',
      });
    let copier = start();
    world.atEnd(() => copier.kill('SIGKILL'));

    let done = 0;
    const ids: string[] = [];
    const faults: (() => Promise<unknown>)[] = [
      async () => {
        await line.close();
        await sleep(300);
        await line.open();
      },
      async () => {
        copier.kill('SIGKILL');
        copier = start();
      },
      async () => {
        await toDatabase?.close();
        await sleep(400);
        await toDatabase?.open();
      },
      async () => {
        await shop.instances[0]?.stop('SIGKILL');
        await shop.again();
      },
    ];
    const writing = each(range(WRITES), AT_ONCE, async (n) => {
      // Ignores refused and cut writes, because only the final rows of the database are compared.
      await write(shop.admin, pack.id, ids, n).catch(() => sleep(20));
      done += 1;
    });
    for (const [n, fault] of [...faults, ...faults].entries()) {
      await until(
        () => done >= ((n + 1) * WRITES) / 9,
        () => `only ${done} writes`,
        90,
      );
      await fault();
    }
    await writing;

    let compared = 0;
    const stored = () => {
      try {
        const db = new DatabaseSync(copy, { readOnly: true, timeout: 5000 });
        const rows = db.prepare('SELECT id, data FROM orders').all() as { id: string; data: string }[];
        db.close();
        return new Map(rows.map(({ id, data }) => [id, JSON.parse(data) as object]));
      } catch {
        return new Map<string, object>();
      }
    };
    await until(
      async () => (await ready(url)) && done === WRITES,
      () => 'the program does not come back',
      60,
    );
    // Reads through the same proxy, because payment links contain the requested host.
    const wrong = async () => {
      const [rows, wanted] = await Promise.all([
        shop.inspect((db) =>
          db.selectFrom('pedidos').select(['id', 'estado', 'version', 'cliente_nombre']).where('deleted_at', 'is', null).execute(),
        ),
        all(url, clave),
      ]);
      const found = stored();
      const differing = rows.filter(({ id, ...row }) => {
        const { estado, version, cliente_nombre } = (found.get(id) ?? {}) as Record<string, unknown>;
        return !isDeepStrictEqual(row, { estado, version, cliente_nombre }) || !isDeepStrictEqual(found.get(id), wanted.get(id));
      });
      const known = new Set(rows.map(({ id }) => id));
      compared = rows.length;
      return [
        ...differing.map(({ id }) => `${id} differs`),
        ...[...found.keys()].filter((id) => !known.has(id)).map((id) => `${id} is one too many`),
      ];
    };
    // Allows for the copier's timeout of thirty seconds after a cut answer.
    let last = ['not compared'];
    await until(
      async () => {
        // Waits, because the copier uses the same key and so shares its rate limit.
        await sleep(2000);
        last = await wrong();
        return last.length === 0;
      },
      () => '',
      90,
    ).catch(() => undefined);
    for (const complaint of last) expect(false, () => complaint);
    return outcome(`${WRITES} writes, 8 faults, ${compared} orders compared`);
  },
  control: [
    {
      guard: 'waiting for the oldest running transaction',
      edits: [{ file: 'server/cambios/cambios.ts', find: ' AND xid < pg_snapshot_xmin(pg_current_snapshot())', replace: '' }],
    },
  ],
};

async function write(admin: Client, pack_id: string, ids: string[], n: number): Promise<unknown> {
  const id = ids[Math.floor(Math.random() * ids.length)];
  const of = { params: { id: id ?? '' } };
  if (!id || n % 4 === 0) {
    const body = { cliente_nombre: `Ana ${n}`, cliente_direccion: 'Calle 1', pack_id, cantidad: 1 + (n % 3) };
    const made = await admin.call(createPedido, { body });
    if (made.status === 201) ids.push(made.body.data.id);
    return made;
  }
  const acts = [
    () => admin.call(updatePedido, { ...of, body: { cliente_nombre: `Eva ${n}`, cliente_direccion: `Calle ${n}` } }),
    () => admin.call(setEstado, { ...of, body: { estado: 'pendiente', referencia: `TRF ${n}` } }),
    () => admin.call(setEstado, { ...of, body: { estado: 'completado', metodo_entrega: 'manual' } }),
    () => admin.call(setEstado, { ...of, body: { estado: 'cancelado' } }),
    () => admin.call(anotarPago, { ...of, body: { metodo: 'efectivo', importe: 1, fecha: '2026-01-05' } }),
    () => admin.call(deletePedido, of),
    () => admin.call(restorePedido, of),
    () => admin.call(aplazarPedido, { ...of, body: { dia: new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10) } }),
  ];
  return acts[Math.floor(Math.random() * acts.length)]?.();
}

/** Returns all orders that are not deleted, read from the start of the same endpoint. */
async function all(url: string, clave: string): Promise<Map<string, object>> {
  const client = connect(url);
  const headers = { authorization: `Bearer ${clave}` };
  const orders = new Map<string, object>();
  for (let desde: string | undefined; ; ) {
    const { status, body } = await client.call(cambiosPedidos, { query: desde ? { desde } : {}, headers });
    // The key is rate-limited, or the program is not back yet.
    if (status !== 200) {
      await sleep(1000);
      continue;
    }
    for (const { id, data } of body.data) if (data) orders.set(id, JSON.parse(JSON.stringify(data)));
    if (!body.hay_mas) return orders;
    desde = body.cursor;
  }
}
