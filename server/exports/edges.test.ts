import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { SISTEMA } from '../../contract/policy/policy.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

import { buildExports } from './build.job.ts';
import { readCobros } from './read.ts';

/* One attempt, one row or one cent to each side (test/faults.ts). */

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

it('an export is tried a third time, but not a fourth', async () => {
  const after = async (attempts: number) => {
    await admin.call(createExport, { body: { conjuntos: ['transportistas'], formato: 'csv' } });
    await sql`UPDATE exports SET attempts = ${attempts}::int WHERE estado = 'en_curso'`.execute(world.db);
    await buildExports(world.db, world.open.freeRoom);
    return (await admin.call(listExports)).body.data[0]?.estado;
  };
  expect([await after(2), await after(3)]).toEqual(['listo', 'error']);
});

it('an export has every payment at the door, beyond one batch, to the cent', async () => {
  const { id, transportista_id } = await world.pedido({ estado: 'completado', precio_total_cents: 600_000 });
  await sql`INSERT INTO pagos (pedido_id, proveedor, estado, importe_cents, referencia, transportista_id)
    SELECT ${id}, 'tarjeta', 'pagado', 1001, '', ${transportista_id} FROM generate_series(1, 501)`.execute(world.db);
  const amounts: unknown[] = [];
  for await (const rows of readCobros(world.db, { conjuntos: ['cobros'], formato: 'csv' }, SISTEMA).batches())
    amounts.push(...rows.map((cells) => cells[5]));
  expect(amounts).toEqual(Array.from({ length: 501 }, () => ({ n: 10.01, decimals: 2 })));
});
