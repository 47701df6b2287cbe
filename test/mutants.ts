import { join } from 'node:path';
import { createVitest, type TestCase, type VitestPluginContext } from 'vitest/node';
import { FAULTS, type Fault } from './faults.ts';

/**
 * `npm run mutants`: puts each fault of test/faults.ts into the program, alone, and runs the tests that should notice it. Prints RED for a
 * fault that a test noticed and GREEN for one that none noticed, and fails if any is GREEN. `npm run mutants -- caja stats`: only faults with that
 * in their path or code.
 *
 * No file is written: each fault is a project of vitest with its own modules, which replaces the code when the file is loaded. The cache of
 * modules on disk does not know the fault, so it never holds that file. The same tests also run without a fault: what fails there proves nothing.
 */
const ROOT = join(import.meta.dirname, '..');
/** Faults per run of vitest. Each holds all modules of the program in memory. */
const BATCH = 12;
const SETTINGS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
  unstubEnvs: true,
};

const parts = process.argv.slice(2);
const shown = ({ file, find, replace }: Fault) => `${file} · ${find.trim()} → ${replace.trim() || 'nothing'}`;
const chosen = FAULTS.filter((fault) => !parts.length || parts.some((part) => shown(fault).includes(part)));

/** Runs the tests of these faults; returns the faults that no test noticed. */
async function run(faults: readonly Fault[]): Promise<Fault[]> {
  const loaded = new Set<Fault>();
  const projectOf = (fault: Fault) => {
    const path = join(ROOT, fault.file);
    const configureVitest = ({ defineCacheKeyGenerator }: VitestPluginContext) =>
      defineCacheKeyGenerator(({ id }) => (id === path ? false : undefined));
    const transform = (code: string, id: string) => {
      if (id.split('?')[0] !== path) return undefined;
      loaded.add(fault);
      return { code: code.replace(fault.find, () => fault.replace), map: null };
    };
    const plugin = { name: 'fault', enforce: 'pre' as const, transform, configureVitest, api: { vitest: { ignoreFsModuleCache: true } } };
    return { extends: true as const, plugins: [plugin], test: { ...SETTINGS, name: shown(fault), include: fault.tests } };
  };
  const sound = {
    extends: true as const,
    test: { ...SETTINGS, name: 'sound', include: [...new Set(faults.flatMap(({ tests }) => tests))] },
  };
  const projects = [sound, ...faults.map(projectOf)];
  const globalSetup = faults.some(({ tests }) => tests.some((name) => !name.endsWith('.unit.test.ts'))) ? ['test/postgres.ts'] : [];
  const options = { watch: false, config: false as const, root: ROOT, reporters: [{}], globalSetup, projects };
  const vitest = await createVitest('test', options);
  await vitest.start();
  const keyOf = (test: TestCase) => `${test.module.relativeModuleId} ${test.fullName}`;
  const failedIn = (name: string) =>
    vitest.state
      .getTestModules()
      .filter(({ project }) => project.name === name)
      .flatMap((module) => [...module.children.allTests('failed')]);
  const unsound = new Set(failedIn('sound').map(keyOf));
  for (const key of unsound) console.log(`Fails without a fault: ${key}`);
  const survivors = faults.filter((fault) => {
    const [noticed] = failedIn(shown(fault)).filter((test) => !unsound.has(keyOf(test)));
    const note = noticed ? noticed.name : loaded.has(fault) ? 'no test noticed it' : 'its tests never load the file';
    console.log(`${noticed ? 'RED  ' : 'GREEN'} ${shown(fault)} · ${note}`);
    return !noticed;
  });
  await vitest.close();
  return survivors;
}

const survivors: Fault[] = [];
for (let i = 0; i < chosen.length; i += BATCH) survivors.push(...(await run(chosen.slice(i, i + BATCH))));
const sum = survivors.length ? `${survivors.length} of ${chosen.length} faults stay green:` : `All ${chosen.length} faults are red`;
console.log(['', sum, ...survivors.map(shown)].join('\n'));
process.exit(survivors.length ? 1 : 0);
