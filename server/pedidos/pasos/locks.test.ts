import { beforeAll, expect, it } from 'vitest';
import { assignTransportista } from '../../../contract/pedidos/pedidos.ts';
import type { UserRow } from '../../../test/builders.ts';
import { isFree, meanwhile, waitForLock } from '../../../test/meanwhile.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';
import { transact } from '../../db/open.ts';
import { renamePerson } from '../escritura/pedidos.ts';

let world: World;
let admin: Person;
let carrier: UserRow;
beforeAll(async () => {
  world = await createWorld();
  [admin, carrier] = [await world.as('superadmin'), await world.user({ role: 'transportista' })];
  return world.close;
});

it('assigning locks the carrier before the order, as renaming the carrier does', async () => {
  const { id } = await world.pedido({ estado: 'asignado', transportista_id: carrier.id });
  const assigned = await meanwhile(
    world.db,
    (tx) => tx.updateTable('users').set({ full_name: 'Otro' }).where('id', '=', carrier.id).execute(),
    async (end) => {
      const assigning = admin.call(assignTransportista, {
        params: { id },
        body: { transportista_id: carrier.id, empresa_transporte: 'mrw' },
      });
      await waitForLock(world.db);
      expect(await isFree(world.db, 'pedidos', id)).toBe(true);
      await end();
      return assigning;
    },
  );
  expect(assigned.status, assigned.text).toBe(200);
});

it.each([0, 1])('renaming a person locks their orders by id, whatever their physical order (%s)', async (first) => {
  const made = () => world.pedido({ estado: 'asignado', transportista_id: carrier.id });
  const orders = [await made(), await made()];
  const ids = orders.map(({ id }) => id).sort();
  // An updated row moves to the end of the table, so it is read last.
  await world.db
    .updateTable('pedidos')
    .set({ motivo: 'x' })
    .where('id', '=', ids[first] ?? '')
    .execute();
  const [low = '', high = ''] = ids;
  await meanwhile(
    world.db,
    (tx) => tx.selectFrom('pedidos').select('id').where('id', '=', low).forUpdate().execute(),
    async (end) => {
      const renaming = transact(world.db, (tx) => renamePerson(tx, carrier.id, 'Otra'));
      await waitForLock(world.db);
      expect(await isFree(world.db, 'pedidos', high)).toBe(true);
      await end();
      return renaming;
    },
  );
});
