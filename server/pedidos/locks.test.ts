import { expect, it } from 'vitest';
import { assignTransportista } from '../../contract/pedidos.ts';
import { isFree, meanwhile, waitForLock } from '../../test/meanwhile.ts';
import { createWorld } from '../../test/world.ts';

it('assigning locks the carrier before the order, as renaming the carrier does', async () => {
  const world = await createWorld();
  try {
    const [admin, carrier] = [await world.as('superadmin'), await world.user({ role: 'transportista' })];
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
  } finally {
    await world.close();
  }
});
