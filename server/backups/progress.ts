import type { Backup } from '../../contract/backups.ts';
import { type Db, transact } from '../db/open.ts';
import { tell } from './backups.ts';

/** Says how much of a phase is done: rows, or bytes while compressing. */
export type Advance = (fase: NonNullable<Backup['fase']>, hechas: number, total: number) => void;

const EVERY_MS = 1000;

/**
 * Saves how far the backup `id` is, once a second, for its screen. Uses its own timer because the caller of `advance` is
 * inside a transaction.
 */
export function followBackup(db: Db, id: string): { advance: Advance; stop: () => Promise<void> } {
  let reached: Parameters<Advance> | undefined;
  let busy = false;
  let saving = Promise.resolve();
  const save = async () => {
    const [fase, hechas, total] = reached as Parameters<Advance>;
    reached = undefined;
    await transact(db, async (tx) => {
      await tx.updateTable('backups').set({ fase, hechas, total }).where('id', '=', id).where('estado', '=', 'en_curso').execute();
      tell(tx);
    });
  };
  const clock = setInterval(() => {
    if (!reached || busy) return;
    busy = true;
    // What cannot be saved now is said again a second later; a database that is gone fails the backup itself.
    saving = save()
      .catch(() => {})
      .finally(() => (busy = false));
  }, EVERY_MS);
  return {
    advance: (...step) => (reached = step),
    /** Ends after saving what was reached last. */
    stop: async () => {
      clearInterval(clock);
      await saving;
      if (reached) await save().catch(() => {});
    },
  };
}
