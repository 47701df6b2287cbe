import type { Backup } from '../../contract/backups/backups.ts';
import { type Db, transact } from '../db/open.ts';
import { followProgress } from '../kit/follow.ts';
import { announceBackups } from './backups.ts';

/** Called with the progress of a phase, in rows, or in bytes while compressing. */
export type Advance = (fase: NonNullable<Backup['fase']>, hechas: number, total: number) => void;

export function followBackup(db: Db, id: string): { advance: Advance; stop: () => Promise<void> } {
  const { advance, stop } = followProgress(([fase, hechas, total]: Parameters<Advance>) =>
    transact(db, async (tx) => {
      await tx.updateTable('backups').set({ fase, hechas, total }).where('id', '=', id).where('estado', '=', 'en_curso').execute();
      announceBackups(tx);
    }),
  );
  return { advance: (...step) => advance(step), stop };
}
