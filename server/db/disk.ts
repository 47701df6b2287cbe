import { statfsSync } from 'node:fs';

export type FreeRoom = () => number;

/** Number of free bytes below which writes are refused, so that the database never fills the disk. */
export const LOW = 64 * 2 ** 20;

/** Returns the bytes this process may still write to the disk of `folder`. */
export function freeRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
