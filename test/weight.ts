import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TREES = ['contract', 'server', 'web', 'demo', 'deploy'];

/** Files of the program: sources and style sheets without tests, migrations and generated code. */
export const isProgram = (path: string) => !/\.(test|spec)\.tsx?$|^server\/db\/(migrations\/|columns\.ts$)/.test(path);

/** Lines of the program by tree. */
export function weigh(): Record<string, number> {
  return Object.fromEntries(
    TREES.map((tree) => [
      tree,
      globSync(`${tree}/**/*.{ts,tsx,css}`, { cwd: ROOT })
        .filter(isProgram)
        .reduce((lines, path) => lines + readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1, 0),
    ]),
  );
}

/** The ceiling: most lines that the program may have. Lower it whenever the program has become shorter. */
export const ceiling: number = JSON.parse(readFileSync(join(import.meta.dirname, 'weight.json'), 'utf8')).program;

/** A sentence with the lines of the program, by tree, and the ceiling. */
export function weightLine(): string {
  const trees = weigh();
  const total = Object.values(trees).reduce((sum, lines) => sum + lines, 0);
  const parts = Object.entries(trees).map(([tree, lines]) => `${tree} ${lines}`);
  return `${total} lines of program, ceiling ${ceiling} (${parts.join(', ')})`;
}
