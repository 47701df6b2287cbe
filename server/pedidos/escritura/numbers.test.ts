import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { world, worldForEachTest } from '../../../test/roles-world.ts';
import { transact } from '../../db/open.ts';
import { continueNumbers, NEXT_NUMBER } from './numbers.ts';

/* Order numbers after loaded orders. */

worldForEachTest();

const next = async () => (await sql<{ numero: string }>`SELECT ${NEXT_NUMBER} AS numero`.execute(world.db)).rows[0]?.numero;
const sequences = async () =>
  (
    await sql<{
      relname: string;
      start: number;
    }>`SELECT c.relname, s.seqstart::int AS start FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
    WHERE c.relname ~ '^numeros_' ORDER BY 1`.execute(world.db)
  ).rows.map(({ relname, start }) => [relname, start]);

it('each year’s numbers continue after its greatest, and begin at one without any', async () => {
  const year = (await next())?.slice(4, 8) ?? '';
  const numbers = [
    [year, '000007'],
    [year, '000012'],
    [year, '0000000099'],
    ['2019', '000003'],
    ['2018', '1000000'],
    ['2017', '999999999'],
    ['2016', '00005'],
  ];
  for (const [of, n] of numbers) await world.pedido({ numero_orden: `ORD-${of}${n}` });
  await world.pedido({ numero_orden: `XORD-${year}000500` });
  await world.pedido({ numero_orden: `ORD-${year}000600-B` });
  await transact(world.db, continueNumbers);
  expect(await sequences()).toEqual([
    ['numeros_2017', 1_000_000_000],
    ['numeros_2018', 1_000_001],
    ['numeros_2019', 4],
    [`numeros_${year}`, 13],
  ]);
  expect([await next(), await next()]).toEqual([`ORD-${year}000013`, `ORD-${year}000014`]);
  await sql`UPDATE pedidos SET numero_orden = 'X' || numero_orden`.execute(world.db);
  await transact(world.db, continueNumbers);
  expect([await sequences(), await next()]).toEqual([[], `ORD-${year}000001`]);
});
