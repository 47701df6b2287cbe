import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import type { ExportRequest } from '../../contract/exports.ts';
import { type Db, transact } from '../db/open.ts';
import { emit } from '../live/emit.ts';
import { type Source, sourceOf } from './read.ts';
import type { FromWorker, ToWorker } from './writer.worker.ts';

type Waiting = { id: string; user_id: string; formato: 'xlsx' | 'csv'; peticion: ExportRequest };
/** Minimum interval between progress updates. */
const TELL_EVERY_MS = 400;

/** Builds the waiting exports one after another; one interrupted by a restart starts over. */
export async function buildExports(db: Db): Promise<void> {
  for (;;) {
    const { rows } =
      await sql<Waiting>`SELECT id, user_id, formato, peticion FROM exports WHERE estado = 'en_curso' ORDER BY created_at LIMIT 1`.execute(
        db,
      );
    const [next] = rows;
    if (!next) return;
    try {
      await build(db, next);
    } catch (error) {
      await finish(db, next, { estado: 'error' });
      throw error;
    }
  }
}

async function build(db: Db, wanted: Waiting): Promise<void> {
  const sources = wanted.peticion.conjuntos.map((conjunto) => sourceOf(db, conjunto, wanted.peticion));
  let total = 0;
  for (const source of sources) total += await source.count();
  const file = await write(wanted.formato, sources, progress(db, wanted, total));
  if (file) await finish(db, wanted, { estado: 'listo', content: file, size: file.length, hechas: total, total });
}

// Reports progress; false once the person has cancelled, when the row is no longer en_curso.
function progress(db: Db, { id, user_id }: Waiting, total: number) {
  let told = 0;
  let done = 0;
  return async (rows: number): Promise<boolean> => {
    done += rows;
    if (Date.now() - told < TELL_EVERY_MS) return true;
    told = Date.now();
    return transact(db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('exports')
        .set({ hechas: Math.min(done, total), total })
        .where('id', '=', id)
        .where('estado', '=', 'en_curso')
        .executeTakeFirst();
      await emit(tx, { topic: 'exports', users: [user_id] });
      return numUpdatedRows > 0n;
    });
  };
}

/** The file's bytes, or undefined when `go` returns false. */
export async function write(
  formato: 'xlsx' | 'csv',
  sources: Source[],
  go: (rows: number) => Promise<boolean>,
): Promise<Uint8Array | undefined> {
  const worker = new Worker(new URL('./writer.worker.ts', import.meta.url), { workerData: { formato } });
  try {
    const answer = async (message: ToWorker): Promise<FromWorker> => {
      // once() also rejects when the worker fails.
      const answered = once(worker, 'message');
      worker.postMessage(message);
      return (await answered)[0];
    };
    for (const source of sources) {
      worker.postMessage({ sheet: source.sheet } satisfies ToWorker);
      for await (const rows of source.batches()) {
        // Waiting for each batch bounds the worker's queue and lets other requests run.
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
  set: { estado: 'listo' | 'error'; content?: Uint8Array; size?: number; hechas?: number; total?: number },
) {
  await transact(db, async (tx) => {
    await tx
      .updateTable('exports')
      .set({ ...set, finished_at: sql`now()` })
      .where('id', '=', id)
      .where('estado', '=', 'en_curso')
      .execute();
    await emit(tx, { topic: 'exports', users: [user_id] });
  });
}
