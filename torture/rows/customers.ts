import { sql } from 'kysely';
import { bloquearCliente, getCliente, listClientes, separarCliente, unirCliente, updateCliente } from '../../contract/clientes/clientes.ts';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { each, range } from '../each.ts';
import { recount } from '../recount.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member } from '../world.ts';

const ROUNDS = 25;
const GROUP = 5;
const BLOCKS = 10;

/** Under concurrent requests, joined customers form one level, keep correct counts and are blocked together. */
export const row: Row = {
  name: 'customers',
  what: `customers joined in circles, taken apart and counted at once × ${ROUNDS}; orders while one is blocked; on two instances`,
  seconds: 120,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const [rita, stranger] = (await shop.crew('revendedor', 2)) as [Member, Member];
    const [admin] = (await shop.crew('superadmin', 1)) as [Member];
    const clients = [rita, await shop.signIn(rita.person, 1), admin] as const;
    const pack = await shop.pack();
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    const order = (n: number, i = 0) =>
      (clients[i % 2] ?? rita).call(createPedido, {
        body: {
          cliente_nombre: `Clienta ${n}`,
          cliente_telefono: `600${String(n).padStart(6, '0')}`,
          cliente_direccion: 'Calle 1',
          pack_id: pack.id,
        },
      });
    for (const n of range(GROUP)) await order(n);
    const ids = (await rita.call(listClientes, { query: { per_page: 50 } })).body.data.map(({ id }) => id);
    const [a = '', b = '', c = '', d = '', e = ''] = ids;
    const join = (id: string, cliente_id: string, i: number) =>
      (clients[i % 3] ?? rita).call(unirCliente, { params: { id }, body: { cliente_id } });
    const part = (id: string, i: number) => (clients[i % 3] ?? rita).call(separarCliente, { params: { id } });
    for (const round of range(ROUNDS)) {
      const replies = await Promise.all([
        ...[join(a, b, 0), join(b, c, 1), join(c, a, 2), join(d, a, 0), join(b, e, 1), join(e, d, 2)],
        ...range(4).map((n) => order((round + n) % GROUP, n)),
      ]);
      const apart = await Promise.all([...ids.map(part), join(c, d, 1), join(d, c, 2)]);
      statuses.push(...[...replies, ...apart].map(({ status }) => status));
      const wrong = await shop.inspect(recount);
      expect(wrong.length === 0, () => `round ${round}: ${wrong.join(', ')}`);
      const answers = await each(ids, GROUP, async (id) => (await rita.call(getCliente, { params: { id } })).body.data);
      const found = new Set(answers.flatMap(({ id, unidos }) => [id, ...unidos.map((cliente) => cliente.id)]));
      expect(found.size === GROUP, () => `round ${round}: ${found.size} of ${GROUP} customers are found`);
      for (const id of ids) await part(id, 0);
    }

    await join(a, b, 0);
    const [main] = (await rita.call(getCliente, { params: { id: b } })).body.data.unidos;
    for (const n of range(BLOCKS)) {
      const blocking = admin.call(bloquearCliente, { params: { id: a }, body: { motivo: 'No recoge' } });
      // Orders during the block may be accepted or refused. Later orders must be refused.
      const meanwhile = await Promise.all([blocking, ...range(6).map((i) => order(i % GROUP, i))]);
      statuses.push(...meanwhile.map(({ status }) => status));
      const blocked = await shop.inspect(async (db) => {
        const { rows } = await sql<{ n: string }>`SELECT telefono AS n FROM clientes WHERE bloqueado_motivo IS NOT NULL`.execute(db);
        return rows.map((row) => Number(row.n.slice(3)));
      });
      expect(blocked.length === 2, () => `round ${n}: ${blocked.length} of two joined customers are blocked`);
      for (const telephone of blocked) {
        const { status } = await order(telephone);
        expect(status === 422, () => `an order of a blocked customer: ${status}`);
      }
      await part(main?.id ?? b, 0);
      for (const telephone of blocked) {
        const { status } = await order(telephone);
        expect(status === 422, () => `an order of a blocked customer who was taken apart: ${status}`);
      }
      for (const id of [a, b]) await admin.call(bloquearCliente, { params: { id }, body: { motivo: null } });
      await join(a, b, n);
    }
    const answers = [
      await stranger.call(getCliente, { params: { id: a } }),
      await stranger.call(updateCliente, { params: { id: a }, body: { nota: 'Mía', avisar_antes: false } }),
      await stranger.call(unirCliente, { params: { id: a }, body: { cliente_id: b } }),
      await stranger.call(separarCliente, { params: { id: b } }),
    ];
    expect(
      answers.every(({ status }) => status === 404),
      () => `another's customer: ${tally(answers.map(({ status }) => status))}`,
    );
    expect(
      statuses.every((status) => status < 500),
      () => `answers ${tally(statuses)}`,
    );
    const deadlocks = await shop.inspect(async (db) => {
      const { rows } = await sql<{ n: number }>`SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`.execute(db);
      return Number(rows[0]?.n);
    });
    expect(deadlocks === 0, () => `${deadlocks} deadlocks`);
    return outcome(`${statuses.length} changes: ${tally(statuses)}; ${deadlocks} deadlocks`);
  },
  control: [
    {
      guard: 'that joins of one seller wait for each other',
      edits: [{ file: 'server/pedidos/lectura/cliente.ts', find: 'SELECT pg_advisory_xact_lock(', replace: 'SELECT (' }],
    },
    {
      guard: 'that a block is of all who are joined',
      edits: [{ file: 'server/clientes/manage.ts', find: '      members.map((member) => member.id),\n', replace: '      [id],\n' }],
    },
    {
      guard: 'the refusal of an order of a blocked customer',
      edits: [
        {
          file: 'server/pedidos/lectura/cliente.ts',
          find: "if (bloqueado === null || mayEver(actor, 'cliente:block')) return;",
          replace: 'return;',
        },
      ],
    },
  ],
};
