import { statfsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { wholeNumber } from '../../contract/text/plural.ts';
import { type FreeRoom, LOW } from '../db/disk.ts';
import { conflict, DomainError, diskFull } from './errors.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];
/** Paths that may write anyway: signing in needs little space, and reading requires a session. */
const ALLOWED = ['/api/login', '/api/logout'];

/** Refuses writes with 503 while space is low. */
export function refuseWritesWithoutRoom(app: FastifyInstance, freeRoom: FreeRoom): void {
  app.addHook('onRequest', async ({ method, routeOptions: { url } }) => {
    if (READS.includes(method) || ALLOWED.includes(url ?? '')) return;
    if (freeRoom() < LOW) throw diskFull();
  });
}

export function refuseLowRoom(room: number): void {
  if (room < LOW) throw new DomainError(503, `quedan ${megabytes(room)} MB libres en el disco`);
}

const TIGHT = { bytes: 2 ** 30, share: 0.1, ofMost: 5 * 2 ** 30 };
type Disk = { bavail: number; blocks: number; bsize: number };

/** Throws 503 if a folder's disk has less than 1 GB free, or less than a tenth and less than 5 GB. */
export function refuseTightDisks(folders: readonly string[], look: (folder: string) => Disk = statfsSync): void {
  for (const folder of folders) {
    const { bavail, blocks, bsize } = look(folder);
    const free = bavail * bsize;
    if (free < TIGHT.bytes || (free < blocks * bsize * TIGHT.share && free < TIGHT.ofMost))
      throw new DomainError(503, `quedan ${megabytes(free)} MB libres en el disco de ${folder}`);
  }
}

/** Throws 409 with the missing space if `what` needs more bytes than are free. */
export function refuseWithoutRoom(what: string, needed: number, free: number): void {
  if (needed <= free) return;
  throw conflict(
    `No hay sitio en el disco: para ${what} hacen falta unos ${megabytes(needed)} MB y quedan ${megabytes(free)}; faltan ${megabytes(needed - free)} MB.`,
    'no_room',
  );
}

const megabytes = (bytes: number) => wholeNumber(Math.ceil(bytes / 2 ** 20));
