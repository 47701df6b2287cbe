import { type CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { SORTS } from '../../../contract/pedidos/filters.fields.ts';
import { pedidosQuery } from '../../../contract/pedidos/filters.schemas.ts';
import type { Actor } from '../../../contract/policy/policy.ts';
import { createWorld, type World } from '../../../test/world.ts';
import type { Db } from '../../db/open.ts';
import { listPedidos } from './list.ts';

/* Each column by which people sort orders has an index in that order; without one the first page would sort every order of the shop. */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

/** Runs `work` on the world's database and returns the queries that it sent. */
async function queriesOf(work: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const record: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      sent.push(world.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(world.db.withPlugin(record) as Db);
  return sent;
}

type Node = { 'Node Type': string; 'Sort Key'?: string[]; Plans?: Node[] };
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Keys by which a query sorts orders where PostgreSQL finds no index. */
const sortsOf = (query: CompiledQuery): Promise<string[]> =>
  world.db.transaction().execute(async (tx) => {
    await sql`SET LOCAL enable_sort = off`.execute(tx);
    await sql`SET LOCAL enable_incremental_sort = off`.execute(tx);
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': { Plan: Node }[] }>({ ...query, sql: `EXPLAIN (FORMAT JSON) ${query.sql}` });
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    return plan ? nodesOf(plan.Plan).flatMap((node) => (/Sort$/.test(node['Node Type']) ? (node['Sort Key'] ?? []) : [])) : ['no plan'];
  });

const NEWEST = pedidosQuery.parse({});

// What is the matter with an order depends on the day and on other tables, so no index holds it.
const INDEXED = SORTS.filter((sort) => sort !== 'situacion');

test.each(INDEXED.flatMap((sort) => (['asc', 'desc'] as const).map((dir) => [sort, dir] as const)))(
  'the office’s list by %s %s comes out of an index',
  async (sort, dir) => {
    const { user } = await world.as('superadmin');
    const actor: Actor = { ...user, role: 'superadmin' };
    const queries = await queriesOf((db) => listPedidos(db, actor, { ...NEWEST, sort, dir }));
    expect(queries).not.toEqual([]);
    expect((await Promise.all(queries.map(sortsOf))).flat()).toEqual([]);
  },
);
