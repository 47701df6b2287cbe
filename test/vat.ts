import { updateSettings } from '../contract/settings/settings.ts';
import type { Person, World } from './world.ts';

/** Switches VAT on, and creates a superadmin and a pack of one unit for 11 € with a rate of 10 %. */
export async function vatShop(world: World): Promise<{ admin: Person; pack: Awaited<ReturnType<World['pack']>> }> {
  const admin = await world.as('superadmin');
  await admin.call(updateSettings, { body: { iva: true } });
  const product = await world.product({ iva: '10' });
  return { admin, pack: await world.pack({ product_id: product.id, pack_quantity: 1, pack_price_cents: 1100 }) };
}
