import { type Archive, type Base, completeBases, followsPiece, isPiece, type Piece } from './names.ts';

/** `pieces`: to replay, in order. `reach`: last restorable moment. `missing`: gap in the bucket's log. Moments in ms since 1970. */
export type Plan = { base: Base; pieces: Piece[]; histories: Piece[]; reach: number; missing: { from: number; to: number } | undefined };

/**
 * Returns how to restore the moment `until`, or the newest moment, using only the names in the bucket. Skips the bases in `damaged`, and bases
 * without key or log. Undefined without a usable base.
 */
export function planRecovery(archive: Archive, until?: number, damaged?: ReadonlySet<string>): Plan | undefined {
  const base = completeBases(archive).find(
    (each) => (until === undefined || each.at <= until) && !damaged?.has(each.name) && isUsable(archive, each),
  );
  if (!base) return undefined;
  const run = runOf(archive, base);
  const reach = Math.max(base.at, run.at(-1)?.at ?? 0);
  const histories = archive.get(base.chain)?.pieces.filter(({ name }) => !isPiece(name)) ?? [];
  const enough = until === undefined ? -1 : run.findIndex(({ at, name }) => at >= until && name >= base.last);
  const pieces = enough < 0 ? run : run.slice(0, enough + 1);
  // Everything later in the bucket proves that the shop went on.
  const later = [...archive.values()].flatMap((chain) => [...chain.bases, ...chain.pieces]).flatMap(({ at }) => (at > reach ? [at] : []));
  const next = later.length ? Math.min(...later) : undefined;
  const isComplete = until === undefined ? next === undefined : reach >= until;
  return { base, pieces, histories, reach, missing: isComplete ? undefined : { from: reach, to: next ?? until ?? reach } };
}

/** True if the bucket has the key of the base's chain, and the log that makes the base consistent. */
export const isUsable = (archive: Archive, base: Base): boolean =>
  archive.get(base.chain)?.hasKey === true && runOf(archive, base).some(({ name }) => name === base.last);

/** Pieces from the first that the base needs, until one is missing, or is there twice and so of two servers. */
function runOf(archive: Archive, { chain, first }: Base): Piece[] {
  const all = archive.get(chain)?.pieces.filter(({ name }) => isPiece(name) && name >= first) ?? [];
  const run: Piece[] = [];
  for (const [i, piece] of all.entries()) {
    const previous = run.at(-1)?.name;
    if (previous ? !followsPiece(piece.name, previous) : piece.name !== first) break;
    if (all[i + 1]?.name === piece.name) break;
    run.push(piece);
  }
  return run;
}
