import type { FastifyInstance } from 'fastify';
import { type FreeRoom, LOW } from '../db/disk.ts';
import { conflict, DomainError, diskFull } from './errors.ts';

const READS = ['GET', 'HEAD', 'OPTIONS'];
/** Sign-in needs little space, and reading depends on it. */
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

/** Throws 409 with the missing space if `what` needs more bytes than are free. */
export function refuseWithoutRoom(what: string, needed: number, free: number): void {
  if (needed <= free) return;
  throw conflict(
    `No hay sitio en el disco: para ${what} hacen falta unos ${megabytes(needed)} MB y quedan ${megabytes(free)}; faltan ${megabytes(needed - free)} MB.`,
    'no_room',
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20).toLocaleString('es-ES');
