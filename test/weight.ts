import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endpoints } from '../server/kit/endpoints.ts';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = ['contract', 'server', 'web', 'demo', 'deploy'];
const TESTED = [...PROGRAM, 'test', 'e2e'];

/** Distance of the ceiling from the program, for what a piece of work adds while the pieces that delete are under way. */
export const SLACK = 150;
/** Maximum lines of the program in one folder, without its subfolders. */
export const MAX_FOLDER = 2500;

/** Files of the program: sources and style sheets without tests, migrations and generated code. */
export const isProgram = (path: string) => !/\.(test|spec)\.tsx?$|^server\/db\/(migrations\/|columns\.ts$)/.test(path);
/** Tests and their helpers. Compressed folders and fixtures of other kinds have no lines that somebody wrote. */
export const isTest = (path: string) => /\.(test|spec)\.tsx?$|^(test|e2e)\/.*\.tsx?$/.test(path);

type File = { path: string; lines: number };
const filesOf = (trees: readonly string[], counts: (path: string) => boolean): File[] =>
  globSync(`{${trees.join()}}/**/*.{ts,tsx,css}`, { cwd: ROOT })
    .filter(counts)
    .map((path) => ({ path, lines: readFileSync(join(ROOT, path), 'utf8').split('\n').length - 1 }));

const sum = (files: readonly File[]) => files.reduce((all, { lines }) => all + lines, 0);
const byName = (files: readonly File[], nameOf: (path: string) => string): [name: string, lines: number][] =>
  [...Map.groupBy(files, ({ path }) => nameOf(path))]
    .map(([name, of]) => [name, sum(of)] as [string, number])
    .toSorted((a, b) => b[1] - a[1]);

/** Lines of the program, of its trees and folders (largest first), and of its tests. */
export function weigh() {
  const files = filesOf(PROGRAM, isProgram);
  return {
    program: sum(files),
    trees: byName(files, (path) => path.split('/')[0] ?? ''),
    folders: byName(files, dirname),
    tests: sum(filesOf(TESTED, isTest)),
  };
}

/** The ceiling: maximum lines of the program. See CONTRIBUTING.md for how it changes. */
export const ceiling: number = JSON.parse(readFileSync(join(import.meta.dirname, 'weight.json'), 'utf8')).program;

/** Sentences with the lines of the program, and their distance from the ceiling. */
export function weightLine(): string {
  const { program, trees, folders, tests } = weigh();
  const room = ceiling - program;
  const [folder, largest] = folders[0] ?? [];
  return [
    `${program} lines of program (${trees.map(([tree, lines]) => `${tree} ${lines}`).join(', ')}), ceiling ${ceiling}: room for ${room}`,
    `${tests} lines of tests, ${(tests / program).toFixed(2)} a line; ${Math.round(program / endpoints.length)} lines an endpoint`,
    `largest folder ${folder}: ${largest} lines of ${MAX_FOLDER}`,
    ...(room > SLACK ? [`the program is shorter than its ceiling says: set test/weight.json to ${program + SLACK}`] : []),
  ].join('\n');
}
