import type { Role } from '../../contract/policy/policy.ts';
import { AROUND } from './around.ts';
import { chance, type Deed } from './desk.ts';
import { AT_THE_DOOR } from './door.ts';
import { ON_ORDERS } from './orders.ts';

/** Everything that people do in a shop, each with how often it is done beside the others. */
export const DEEDS: readonly Deed[] = [...ON_ORDERS, ...AT_THE_DOOR, ...AROUND];

/** Picks an operation of a role, weighted by its frequency. */
export function pick(role: Role): Deed {
  const own = DEEDS.filter(({ roles }) => roles.includes(role));
  let at = chance(own.reduce((sum, { often }) => sum + often, 0));
  for (const deed of own) {
    at -= deed.often;
    if (at < 0) return deed;
  }
  return own[0] as Deed;
}
