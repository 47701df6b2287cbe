import { beforeAll, beforeEach } from 'vitest';
import { openTienda, type Tienda } from './tienda.ts';
import { openWooShop, type WooShop } from './woo-shop.ts';
import { createWorld, type World } from './world.ts';

/** The world of the file that called `tiendaForEachTest`; its web shop as the office sees it, and WooCommerce's side, both new for each test. */
export let world: World;
export let shop: Tienda;
export let there: WooShop;

/** Opens a world with a web shop for the tests of a file. */
export function tiendaForEachTest(): void {
  beforeAll(async () => {
    [world, there] = [await createWorld({ WEBHOOKS_PRIVATE: '1' }), await openWooShop()];
    return async () => {
      await world.close();
      await there.close();
    };
  });
  beforeEach(async () => {
    shop = await openTienda(world);
    there.clear();
  });
}
