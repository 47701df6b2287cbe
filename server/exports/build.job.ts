import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import type { ExportRequest } from '../../contract/exports/exports.ts';
import { type FreeRoom, LOW } from '../db/disk.ts';
import { type Db, transact } from '../db/open.ts';
import { DomainError } from '../kit/errors.ts';
import { refuseWithoutRoom } from '../kit/room.ts';
import { emit } from '../live/emit.ts';
import { readSettings } from '../settings/settings.ts';
import type { Source } from './columns.ts';
import { readSource } from './read.ts';
import type { FromWorker, ToWorker } from './writer.worker.ts';

type Waiting = { id: string; user_id: string; formato: 'xlsx' | 'csv'; peticion: ExportRequest };
const TELL_EVERY_MS = 400;

/** Limits retries, because the export itself may be what crashes the process. */
const MAX_ATTEMPTS = 3;
const TOO_OFTEN = `El programa se ha parado ${MAX_ATTEMPTS} veces mientras la hacía. Prueba con menos datos, por ejemplo con fechas.`;
/** Estimated bytes that a row takes in the file, in the table of exports and in the write-ahead log. */
const ROW_BYTES = 1000;

/** Builds pending exports one by one. Restarts an interrupted export, with at most three attempts. */
export async function buildExports(db: Db, freeRoom: FreeRoom): Promise<void> {
  for (;;) {
    const { rows } =
      await sql<Waiting>`SELECT id, user_id, formato, peticion FROM exports WHERE estado = 'en_curso' ORDER BY created_at LIMIT 1`.execute(
        db,
      );
    const [next] = rows;
    if (!next) return;
    if (!(await countAttempt(db, next))) {
      await finish(db, next, { estado: 'error', error: TOO_OFTEN });
      continue;
    }
    try {
      await build(db, next, freeRoom);
    } catch (error) {
      const isFull = error instanceof DomainError;
      await finish(db, next, { estado: 'error', error: isFull ? error.message : 'Ha ocurrido un error inesperado. Inténtalo de nuevo.' });
      if (!isFull) throw error;
    }
  }
}

/** Counts an attempt before it starts, because a crash cannot be counted afterwards. Returns false if no attempts are left. */
async function countAttempt(db: Db, { id }: Waiting): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('attempts', '<', MAX_ATTEMPTS)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function build(db: Db, wanted: Waiting, freeRoom: FreeRoom): Promise<void> {
  const { iva } = await readSettings(db);
  const sources = wanted.peticion.conjuntos.map((conjunto) => readSource(db, conjunto, wanted.peticion, iva));
  let total = 0;
  for (const source of sources) total += await source.count();
  refuseWithoutRoom('la exportación', total * ROW_BYTES + LOW, freeRoom());
  const file = await writeExport(wanted.formato, sources, progress(db, wanted, total));
  if (file) await finish(db, wanted, { estado: 'listo', content: file, size: file.length, hechas: total, total });
}

// Returns a function that saves progress and returns false once the export has been cancelled.
function progress(db: Db, { id, user_id }: Waiting, total: number) {
  let reported = 0;
  let done = 0;
  return async (rows: number): Promise<boolean> => {
    done += rows;
    if (Date.now() - reported < TELL_EVERY_MS) return true;
    reported = Date.now();
    return transact(db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('exports')
        .set({ hechas: Math.min(done, total), total })
        .where('id', '=', id)
        .where('estado', '=', 'en_curso')
        .executeTakeFirst();
      emit(tx, { topic: 'exports', users: [user_id] });
      return numUpdatedRows > 0n;
    });
  };
}

/** Writes the file in a worker thread. Calls `go` after each batch; returns undefined if `go` returns false. */
export async function writeExport(
  formato: 'xlsx' | 'csv',
  sources: Source[],
  go: (rows: number) => Promise<boolean>,
): Promise<Uint8Array | undefined> {
  const worker = new Worker(new URL('./writer.worker.ts', import.meta.url), { workerData: { formato } });
  try {
    const answer = async (message: ToWorker): Promise<FromWorker> => {
      // `once` also rejects when the worker fails.
      const answered = once(worker, 'message');
      worker.postMessage(message);
      return (await answered)[0];
    };
    for (const source of sources) {
      worker.postMessage({ sheet: source.sheet } satisfies ToWorker);
      for await (const rows of source.batches()) {
        // Waits for each batch, which bounds the queue and lets other requests run.
        await answer({ rows });
        if (!(await go(rows.length))) return undefined;
      }
    }
    const last = await answer({ end: true });
    return 'file' in last ? last.file : undefined;
  } finally {
    await worker.terminate();
  }
}

async function finish(
  db: Db,
  { id, user_id }: Waiting,
  set: { estado: 'listo' | 'error'; error?: string; content?: Uint8Array; size?: number; hechas?: number; total?: number },
) {
  await transact(db, async (tx) => {
    await tx
      .updateTable('exports')
      .set({ ...set, finished_at: sql`now()` })
      .where('id', '=', id)
      .where('estado', '=', 'en_curso')
      .execute();
    emit(tx, { topic: 'exports', users: [user_id] });
  });
}
