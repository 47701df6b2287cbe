import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes free for the database. */
export type FreeRoom = () => number;

/** Bytes of free room below which nothing more is saved, so that the database never meets the end of the disk. */
export const LOW = 64 * 2 ** 20;
/** Bytes set aside: what PostgreSQL may need to recover at a start. With as much again free there is LOW at most. */
const RESERVE = LOW / 2;

/** Bytes that this process may still write to the disk of `folder`. */
export function freeRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const reserveOf = (folder: string) => join(folder, 'reserva.bin');

/** On a full disk removes the reserve, so that the database starts, if only to be read. */
export function releaseReserve(folder: string): void {
  if (freeRoom(folder) < RESERVE) rmSync(reserveOf(folder), { force: true });
}

/** Sets the reserve aside where there is room for it. */
export function keepReserve(folder: string): void {
  if (existsSync(reserveOf(folder)) || freeRoom(folder) < RESERVE + LOW) return;
  // Not zeros, which some file systems keep without taking room for them.
  writeFileSync(reserveOf(folder), Buffer.alloc(RESERVE, 'Sitio para arrancar con el disco lleno. '), { mode: 0o600 });
}
