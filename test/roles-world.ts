import { beforeAll, beforeEach } from 'vitest';
import { createWorld, everyRole, type Person, type World } from './world.ts';

/** The world of the file that called `worldForEachTest`, and a person of each role, new for each test. */
export let world: World;
export let admin: Person;
export let reseller: Person;
export let carrier: Person;

/** Opens a world for the tests of a file; each begins with an empty shop. */
export function worldForEachTest(): void {
  beforeAll(async () => {
    world = await createWorld();
    return world.close;
  });
  beforeEach(async () => {
    await world.reset();
    ({ superadmin: admin, revendedor: reseller, transportista: carrier } = await everyRole(world));
  });
}
