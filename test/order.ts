import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** `SEED=… npm test` repeats the order of an earlier run. */
const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);

/**
 * Shuffles the files by a seed, so that a file that depends on another's leftovers fails. The largest quarter comes first, because a long
 * file that starts last would run alone.
 */
export class SeededOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    this.ctx.logger.log(`Order of ${files.length} files by SEED=${SEED}`);
    const sizes = files.map(({ moduleId }) => statSync(moduleId).size).sort((a, b) => b - a);
    const large = sizes[Math.floor(sizes.length / 4)] ?? 0;
    const place = ({ moduleId }: TestSpecification) => {
      const drawn = createHash('sha1').update(`${SEED} ${relative(process.cwd(), moduleId)}`);
      return `${statSync(moduleId).size > large ? 0 : 1}${drawn.digest('hex')}`;
    };
    const places = new Map(files.map((file) => [file, place(file)]));
    return [...files].sort((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
  }
}
