import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, createVitest, type TestCase, type TestSpecification, type VitestPluginContext } from 'vitest/node';
import { type Change, withProbes } from './small-faults.ts';

/** A fault to put into a file: `change` returns the file's source with it. `tests` are the files that may notice, the likeliest first. */
export type Planned = { name: string; file: string; change: (source: string) => string; tests: readonly string[] };
/** Who noticed a fault: the name of a test, or none. `loaded` is false if no test loads the file. */
export type Outcome = { noticed?: string; loaded: boolean };

const ROOT = join(import.meta.dirname, '..');
const SETTINGS = {
  // A wait without end is a fault that is noticed, and must not take five minutes.
  testTimeout: 90_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 30_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  isolate: false,
  setupFiles: ['test/clean.ts', 'test/reached.ts'],
};

/** A plugin that changes sources as they are loaded. The cache of modules on disk never holds such a file. */
function changing(name: string, change: (file: string, source: string) => string | undefined) {
  const changes = (id: string) => {
    const [path = ''] = id.split('?');
    return path.startsWith(ROOT) && change(path.slice(ROOT.length + 1), readFileSync(path, 'utf8')) !== undefined;
  };
  return {
    name,
    enforce: 'pre' as const,
    api: { vitest: { ignoreFsModuleCache: true } },
    configureVitest: ({ defineCacheKeyGenerator }: VitestPluginContext) =>
      defineCacheKeyGenerator(({ id }) => (changes(id) ? false : undefined)),
    transform: (code: string, id: string) => {
      const [path = ''] = id.split('?');
      const made = path.startsWith(ROOT) ? change(path.slice(ROOT.length + 1), code) : undefined;
      return made === undefined ? undefined : { code: made, map: null };
    },
  };
}

const keyOf = (test: TestCase) => `${test.module.relativeModuleId} ${test.fullName.replaceAll(' > ', ' ')}`;

/** Runs projects of vitest until `end`, a time of `performance.now()`. Returns the tests that have run, by the project's name. */
async function runProjects(
  projects: TestProjectInlineConfiguration[],
  unsound: readonly string[],
  end = Number.POSITIVE_INFINITY,
): Promise<Map<string, TestCase[]>> {
  const names = projects.flatMap(({ test }) => test?.include ?? []);
  const globalSetup = names.some((name) => !isUnit(name)) ? ['test/postgres.ts'] : [];
  const inOrder = (file: TestSpecification) => names.indexOf(file.moduleId.slice(ROOT.length + 1));
  class AsListed extends BaseSequencer {
    override sort = async (files: TestSpecification[]) => files.toSorted((a, b) => inOrder(a) - inOrder(b));
  }
  const options = { watch: false, config: false as const, root: ROOT, reporters: [{}], globalSetup, projects, maxWorkers: 2 };
  const vitest = await createVitest('test', { ...options, sequence: { sequencer: AsListed } });
  vitest.provide('unsound', [...unsound]);
  const cut = Number.isFinite(end) ? setTimeout(() => vitest.cancelCurrentRun('keyboard-input'), end - performance.now()) : undefined;
  await vitest.start();
  clearTimeout(cut);
  const tests = new Map<string, TestCase[]>();
  for (const module of vitest.state.getTestModules()) {
    const { name } = module.project;
    tests.set(name, [...(tests.get(name) ?? []), ...module.children.allTests()]);
  }
  await vitest.close();
  return tests;
}

/** Runs without a server of their own: no database. */
export const isUnit = (test: string) => /\.unit\.test\.ts$|^(?:contract|web)\//.test(test);

export type Reach = {
  /** How many tests pass the place of each fault, by the fault's index and test file; undefined for a place that runs as its module loads. */
  files: (Map<string, number> | undefined)[];
  /** Milliseconds that a test file takes. */
  times: Map<string, number>;
  /** Tests that fail without a fault. */
  unsound: string[];
};

/** Runs the tests once without a fault, in their order until `end`, and notes which of them pass the place of each fault. */
export async function reach(changes: readonly (Change & { file: string })[], tests: readonly string[], end?: number): Promise<Reach> {
  const byFile = Map.groupBy(changes.entries(), ([, { file }]) => file);
  const plugin = changing('probes', (file, source) => {
    const own = byFile.get(file);
    if (!own) return undefined;
    return withProbes(
      file,
      source,
      own.map(([, change]) => change),
      (i) => `globalThis.passFault?.(${own[i]?.[0]})`,
    );
  });
  if (!tests.length) return { files: changes.map(() => undefined), times: new Map(), unsound: [] };
  const sound = { extends: true as const, plugins: [plugin], test: { ...SETTINGS, name: 'sound', include: [...tests] } };
  const cases = (await runProjects([sound], [], end)).get('sound') ?? [];
  const times = new Map<string, number>();
  const files = changes.map(({ isPlaced }) => (isPlaced ? new Map<string, number>() : undefined));
  for (const test of cases) {
    const { relativeModuleId: file } = test.module;
    times.set(file, (times.get(file) ?? 500) + (test.diagnostic()?.duration ?? 0));
    for (const at of test.meta().reached ?? []) files[at]?.set(file, (files[at].get(file) ?? 0) + 1);
  }
  return { files, times, unsound: cases.filter((test) => test.result().state === 'failed').map(keyOf) };
}

/**
 * Puts each fault into the program, alone, and runs its tests. No file is written: each fault is a project of vitest with its own modules.
 * A fault without an outcome had tests left at `end`.
 */
export async function tryFaults(faults: readonly Planned[], unsound: readonly string[], end?: number): Promise<(Outcome | undefined)[]> {
  const loaded = new Set<Planned>();
  const projects = faults.flatMap((fault, at) => {
    if (!fault.tests.length) return [];
    const plugin = changing('fault', (file, source) => {
      if (file !== fault.file) return undefined;
      loaded.add(fault);
      return fault.change(source);
    });
    return { extends: true as const, plugins: [plugin], test: { ...SETTINGS, name: `${at}`, include: [...fault.tests] } };
  });
  const known = new Set(unsound);
  const tests = projects.length ? await runProjects(projects, unsound, end) : new Map<string, TestCase[]>();
  const isOver = end !== undefined && performance.now() >= end;
  return faults.map((fault, at) => {
    const failed = (tests.get(`${at}`) ?? []).filter((test) => test.result().state === 'failed' && !known.has(keyOf(test)));
    const noticed = failed[0]?.name;
    return isOver && !noticed && fault.tests.length ? undefined : { noticed, loaded: loaded.has(fault) };
  });
}
