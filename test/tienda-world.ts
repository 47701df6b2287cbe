import { beforeAll, beforeEach } from 'vitest';
import type { WebShop } from '../server/tienda/shop.ts';
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

/** Adds a WooCommerce shop of this name, or with these columns; returns its row. */
export const addShopRow = (nombre: string, more: object = {}): Promise<WebShop> =>
  world.db
    .insertInto('tiendas')
    .values({ conector: 'woo', nombre, ...more })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Adds a shop as `addShopRow` does; returns its id. */
export const addShop = async (nombre: string, more: object = {}): Promise<string> => (await addShopRow(nombre, more)).id;
