import { beforeAll, beforeEach, expect, it } from 'vitest';
import { PASOS_INICIO } from '../../contract/payments/fields.ts';
import { getInicio } from '../../contract/payments/payments.ts';
import { createPedido } from '../../contract/pedidos/pedidos.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(() => world.reset());

it('a new shop gets the list of its missing setup steps, in order, until none is left', async () => {
  const admin = await world.as('superadmin');
  const missing = async () => (await admin.call(getInicio)).body.data.faltan;
  expect(await missing()).toEqual([...PASOS_INICIO]);
  const data = JSON.stringify({ companyName: 'Almazara Sur', companyIban: 'ES9121000418450200051332' });
  await world.db.updateTable('settings').set({ data }).execute();
  // A pack of an inactive product and an inactive carrier complete no step.
  const asleep = await world.product({ is_active: false });
  await world.pack({ product_id: asleep.id });
  await world.user({ role: 'transportista', is_active: false });
  expect(await missing()).toEqual(['producto', 'telefono', 'transportista', 'revendedor', 'pedido']);
  // What has no stock cannot be sold.
  const empty = await world.product({ stock: 0 });
  await world.pack({ product_id: empty.id });
  expect(await missing()).toContain('producto');
  const pack = await world.pack();
  await world.user({ role: 'transportista' });
  const reseller = await world.as('revendedor');
  expect(await missing()).toEqual(['telefono', 'pedido']);
  await reseller.call(createPedido, { body: { cliente_nombre: 'Ana', cliente_direccion: 'Calle 1', pack_id: pack.id } });
  // Ends when telephones reach the program: here it listens on this machine alone.
  expect(await missing()).toEqual(['telefono']);
});
