import { statfsSync } from 'node:fs';

/** Bytes free for the database. */
export type FreeRoom = () => number;

/** Bytes of free room below which nothing more is saved, so that the database never meets the end of the disk. */
export const LOW = 64 * 2 ** 20;

/** Bytes that this process may still write to the disk of `folder`. */
export function freeRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
