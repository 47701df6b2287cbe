import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCREENS } from '../web/routes.ts';

/* Which tests a change concerns, for `npm test`. Vitest knows this of components by their imports (`--changed`). */

/** Files changed since the branch left origin/main, uncommitted and new ones included. Empty without git. */
export function changedFiles(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n');
  try {
    return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean);
  } catch {
    return [];
  }
}

/** Commit that changes are compared with: where the branch left origin/main, else the last commit. */
export function changesBase(): string {
  try {
    return execFileSync('git', ['merge-base', 'origin/main', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'HEAD';
  }
}

/** What the tests that start processes stand on. */
const UNDER_MACHINE =
  /^(server\/(db|commands|backups|archive|jobs)\/|deploy\/|docs\/operating\.md$|package-lock\.json$|test\/(folders\/|\w+\.test\.ts$))/;
export const concernsMachine = (files: readonly string[]): boolean => files.some((file) => UNDER_MACHINE.test(file));

/** Files that import a file of the program or of its tests, by that file's path. */
export function importers(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of globSync('{contract,server,web,demo,test}/**/*.{ts,tsx}')) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)) {
      const imported = join(dirname(file), path);
      found.set(imported, (found.get(imported) ?? new Set()).add(file));
    }
  }
  return found;
}

/** Steps of imports by which an API test of another folder still concerns a file: each test starts the whole program. */
const STEPS = 2;
/** Files that import every feature. */
const HUBS = /^server\/(?:app|features|main)\.ts$|\.feature\.ts$|^test\//;

/**
 * Which of the tests in Node a file of the program concerns: unit tests that load the file, and API tests that import the file themselves, of
 * its folder, and of the folders that use it.
 */
export function concernedTests(file: string, tests: readonly string[], isUnit: (test: string) => boolean, imports = importers()): string[] {
  const loads = new Set([file]);
  for (const path of loads) for (const importer of imports.get(path) ?? []) loads.add(importer);
  const folders = new Set([dirname(file)]);
  let near = new Set([file]);
  for (let step = 0; step < STEPS; step += 1) {
    near = new Set([...near].flatMap((path) => [...(imports.get(path) ?? [])]).filter((path) => !HUBS.test(path)));
    for (const path of near) folders.add(dirname(path));
  }
  return tests.filter((test) => (isUnit(test) ? loads.has(test) : imports.get(file)?.has(test) || folders.has(dirname(test))));
}

/** Of the API tests that no change concerns, one in so many runs. */
const ONE_IN = 4;

/** API tests that changes concern, and of the others those that the seed draws. */
export function quickApiTests(files: readonly string[], tests: readonly string[], seed: string, imports = importers()): string[] {
  const concerned = new Set(files.flatMap((file) => [file, ...concernedTests(file, tests, () => false, imports)]));
  const isDrawn = (test: string) => createHash('sha1').update(`${seed} ${test}`).digest().readUInt32BE() % ONE_IN === 0;
  return tests.filter((test) => concerned.has(test) || isDrawn(test));
}

/** Long specs that walk through many features: `npm run test:all` runs them, and `npm test` only when they change themselves. */
const LONG = ['camino', 'dia-sin-cobertura', 'clics', 'large-text', 'guia', 'notices', 'pantallas'];
/** Runs at every change. */
export const MAIN_JOB = 'e2e/main-job.spec.ts';

/** Features whose screens a spec names by address. */
function featuresOf(spec: string): Set<string> {
  const named = [...readFileSync(spec, 'utf8').matchAll(/['"`](\/[\w/-]*)/g)].map(([, path]) => path);
  return new Set(
    SCREENS.filter(({ path }) => named.includes(path.replace(/\/?\$.*/, '') || '/')).map(({ page }) => page.split('/')[0] ?? ''),
  );
}

/** Browser specs of the screens whose feature changed, in the contract, on the server or in the browser; the main job first. */
export function concernedSpecs(files: readonly string[]): string[] {
  const features = new Set(files.map((file) => /^(?:contract|server|web)\/([\w-]+)\//.exec(file)?.[1]));
  const specs = readdirSync('e2e')
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `e2e/${name}`);
  const concerned = specs.filter((spec) => {
    if (files.includes(spec)) return true;
    // The customer's page is no screen of the sitemap.
    if (spec.startsWith('e2e/pagar') && ['pagar', 'payments'].some((name) => features.has(name))) return true;
    return !LONG.some((name) => spec === `e2e/${name}.spec.ts`) && [...featuresOf(spec)].some((feature) => features.has(feature));
  });
  return [...new Set([MAIN_JOB, ...concerned])];
}
