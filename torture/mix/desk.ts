import type { Role } from '../../contract/policy/policy.ts';
import type { Person } from '../../e2e/api.ts';
import type { Reply } from '../../test/client.ts';
import type { Member } from '../world.ts';

/* Shared state and random choices of the clients of a mixed load. */

/** All clients work on the same few orders, customers and products. */
export type Desk = {
  packs: readonly { id: string; product_id: string }[];
  people: readonly Person[];
  carriers: readonly Person[];
  /** Months (yyyy-MM) that have ended. */
  months: readonly string[];
  /** Ids of the latest orders. */
  orders: string[];
  /** Ids of orders paid on delivery. */
  door: string[];
  delivered: string[];
  returns: string[];
  serial: number;
};

export type Doing = { me: Member; desk: Desk };
export type Done = Promise<Reply<unknown>>;
export type Deed = {
  name: string;
  often: number;
  roles: readonly Role[];
  /** Number of orders per call, each in its own transaction. */
  orders?: number;
  work: (doing: Doing) => Done;
};
/** Number of orders in a batch, and number that a carrier takes by one request. */
export const [BATCH, TAKEN] = [10, 8];

export const chance = (below: number): number => Math.floor(Math.random() * below);
export const oneOf = <T>(all: readonly T[]): T => all[chance(all.length)] as T;
export const MISSING = '00000000-0000-4000-8000-000000000000';
/** Picks a recent order, on which other clients are working too. */
export const recent = (ids: readonly string[]): { id: string } => ({
  id: ids[ids.length - 1 - chance(Math.min(ids.length, 40))] ?? MISSING,
});
export const CUSTOMERS = 40;

export function customer(desk: Desk) {
  const n = chance(CUSTOMERS);
  return {
    cliente_nombre: `Clienta ${n}`,
    cliente_telefono: `6001122${String(n).padStart(2, '0')}`,
    cliente_direccion: `Calle ${++desk.serial}`,
    cliente_codigo_postal: '28001',
  };
}
/** Lines of several products, in any order. */
export const lines = ({ packs }: Desk) =>
  [...packs]
    .sort(() => Math.random() - 0.5)
    .slice(0, 1 + chance(packs.length))
    .map(({ id }) => ({ pack_id: id, cantidad: 1 + chance(3) }));

export function keep(list: string[], id: string | undefined): void {
  if (id) list.push(id);
  if (list.length > 400) list.splice(0, 200);
}

export const SELLERS: readonly Role[] = ['superadmin', 'revendedor'];
export const ADMIN: readonly Role[] = ['superadmin'];
export const CARRIER: readonly Role[] = ['transportista'];
export const ALL: readonly Role[] = [...SELLERS, ...CARRIER];
