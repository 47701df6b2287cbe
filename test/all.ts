import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { changedFiles, changesBase, concernedSpecs, concernsMachine, quickApiTests } from './concerned.ts';
import { folderInMemory } from './memory.ts';
import { API, MACHINE, UNIT } from './projects.ts';
import { failedFiles, failedTests, passedLater, slowest, stillRed } from './reports.ts';
import { weightLine } from './weight.ts';

/**
 * `npm test`: types, lint, unit tests, build, the main job in a browser, the tests of API, components, browser and machine that the changes
 * since origin/main concern, and a quarter of the other API tests. `npm run test:all`: every stage. Lines run one after another, the chains
 * of a line in parallel, and the run stops after the first line with a failure. `npm run test:all -- api e2e` runs only the named stages, `-- pedidos` only the test files
 * with that name in their path, `--shard=1/2` one half of the files of each stage.
 *
 * Files with a failed test run once more in a new process. Tests that pass then are named at the end; `STRICT=1` gives no second try.
 * `npm run test:hunt -- 5 api`: runs stages five times with other seeds, each second time beside two busy loops, and counts the failures.
 */
const VITEST = 'vitest run --project';
const STAGES: Record<string, string> = {
  types: 'tsc',
  lint: 'biome check --error-on-warnings && knip',
  unit: `${VITEST} unit`,
  build: 'npm run --silent build',
  components: `NODE_ENV=production ${VITEST} components`,
  machine: `${VITEST} machine --maxWorkers=1`,
  api: `${VITEST} api`,
  e2e: 'playwright test',
};
const TESTS = ['unit', 'components', 'machine', 'api', 'e2e'];
type Stage = { name: string; args: string[] };
const stage = (name: string, ...args: string[]): Stage => ({ name, args });

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const mode = ['quick', 'check', 'hunt'].includes(words[0] ?? '') ? words.shift() : 'all';
const hunts = mode === 'hunt' ? Number(words.shift() ?? 5) : 1;
const named = words.filter((word) => word in STAGES);
const parts = words.filter((word) => !(word in STAGES));
if (flags.some((flag) => !/^--shard=\d+\/\d+$/.test(flag))) {
  console.error(`Name stages (${Object.keys(STAGES).join(', ')}), parts of a test file's path, or --shard=1/2`);
  process.exit(2);
}
const STRICT = process.env.STRICT === '1' || mode === 'hunt';

const apiTests = () => globSync(API).filter((path) => ![...UNIT, ...MACHINE].some((glob) => matchesGlob(path, glob)));

/** Chains of stages by line: those of a chain run one after another. */
function plan(): Stage[][][] {
  const filtered = (name: string) => stage(name, ...(TESTS.includes(name) ? [...flags, ...parts] : []));
  if (mode === 'check') return [['types', 'lint', 'unit'].map((name) => [stage(name)])];
  if (mode === 'quick' && !named.length && !parts.length) {
    const base = changesBase();
    const files = changedFiles(base);
    const changes = files.some((file) => /^(web|contract|test\/web)\//.test(file));
    return [
      ['types', 'lint', 'unit', 'build'].map((name) => [stage(name)]),
      [[stage('api', ...quickApiTests(files, apiTests(), SEED))], [stage('e2e', ...concernedSpecs(files))]],
      [changes ? [stage('components', `--changed=${base}`)] : [], concernsMachine(files) ? [stage('machine')] : []],
    ];
  }
  const runs = (name: string) => (named.length ? named.includes(name) : !parts.length || TESTS.includes(name) || name === 'build');
  // Two chains of the same length, so that the cores are busy to the end: machine and browser tests often wait, components and the API do not.
  const lines = [
    [['types'], ['lint'], ['unit'], ['build']],
    [
      ['components', 'e2e'],
      ['machine', 'api'],
    ],
  ];
  return lines.map((line) => line.map((chain) => chain.filter(runs).map(filtered)));
}

const reports = mkdtempSync(join(tmpdir(), 'enruta-tests-'));
const { NODE_COMPILE_CACHE = join(reports, 'compiled') } = process.env;
/** Temporary folder of all tests. Hundreds of databases are created there, so memory is used if there is enough. */
const TMPDIR = process.env.TMPDIR ?? folderInMemory() ?? tmpdir();
const since = performance.now();
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const times: string[] = [];
/** Seed for the order of the test files; the same seed gives the same order. */
let SEED = process.env.SEED ?? String(Date.now() % 1_000_000);

type Run = Stage & { live: boolean; report: string };

/** Runs a stage and prints its output as it comes (`live`) or at the end. Returns the exit code. */
function execute({ name, args, live, report }: Run): Promise<number> {
  const from = performance.now();
  const asJson =
    name === 'e2e'
      ? ['--reporter=list,json', ...(STRICT ? ['--retries=0'] : [])]
      : ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const none = parts.length ? [name === 'e2e' ? '--pass-with-no-tests' : '--passWithNoTests'] : [];
  const command = [STAGES[name], ...(TESTS.includes(name) ? [...asJson, ...none] : []), ...args].join(' ');
  if (live) console.log(`\n━━━ ${name} ━━━ ${command}`);
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, ...(mode === 'quick' && { QUICK: '1' }), SEED, NODE_COMPILE_CACHE, TMPDIR, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) =>
    child.on('exit', (status, signal) => {
      if (!live) console.log(`\n━━━ ${name} ━━━ ${command}\n${output.trimEnd()}`);
      times.push(`${name} ${seconds(from)}`);
      console.log(
        status === 0 ? `✓ ${name} (${seconds(from)})` : `\n✗ ${name} failed (${signal ?? `exit ${status}`}) after ${seconds(from)}`,
      );
      resolve(status ?? 1);
    }),
  );
}

/** Runs a stage, and its failed files once more in a new process. Playwright retries by itself, in a new browser. */
async function run({ name, args }: Stage, live: boolean): Promise<number> {
  const report = join(reports, `${name}.json`);
  const code = await execute({ name, args, live, report });
  const files = code !== 0 && !STRICT && name !== 'e2e' ? failedFiles(report) : [];
  if (!files.length) return code;
  console.log(`\nA second try for ${files.join(', ')}`);
  const options = args.filter((arg) => arg.startsWith('--') && !arg.startsWith('--shard') && !arg.startsWith('--changed'));
  return execute({ name, args: [...options, ...files], live, report: join(reports, `${name}.again.json`) });
}

/** Runs the stages until one fails. Returns the exit code. */
async function runChain(chain: Stage[], live: boolean): Promise<number> {
  for (const next of chain) {
    const code = await run(next, live);
    if (code !== 0) return code;
  }
  return 0;
}

// Exits through the handlers of `exit`, so that Ctrl+C removes the temporary folders too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

if (mode === 'hunt') process.exit(await hunt());
for (const line of plan()) {
  const codes = await Promise.all(line.map((chain, at) => runChain(chain, at === 0)));
  const failed = codes.find((code) => code !== 0);
  if (failed === undefined) continue;
  // Said last, because the output of a parallel chain may be longer than what is kept of a run.
  console.log(`\n✗ Failed in ${seconds(since)}, SEED=${SEED}: ${times.join(', ')}`);
  for (const test of stillRed(reports)) console.log(`  ${test}`);
  process.exit(failed);
}
const later = passedLater(reports);
console.log(`\n${slowest(reports, 30).join('\n')}`);
console.log(`\n${weightLine()}`);
console.log(`\n✓ All passed in ${seconds(since)}, SEED=${SEED}: ${times.join(', ')}`);
for (const test of later) console.log(`  passed at the second try: ${test}`);

/** Counts by test how often it failed, with the seeds. Returns the exit code. */
async function hunt(): Promise<number> {
  const red = new Map<string, string[]>();
  for (let round = 1; round <= hunts; round += 1) {
    SEED = String(Math.floor(Math.random() * 1_000_000));
    const isBusy = round % 2 === 0;
    const loops = isBusy ? Array.from({ length: 2 }, () => spawn('sh', ['-c', 'while :; do :; done'])) : [];
    for (const { name, args } of plan().flat(2)) {
      const report = join(reports, `${name}.json`);
      await execute({ name, args, live: false, report });
      for (const test of failedTests(report)) red.set(test, [...(red.get(test) ?? []), `${SEED}${isBusy ? ' busy' : ''}`]);
    }
    for (const loop of loops) loop.kill();
  }
  console.log(`\n${hunts} rounds on ${availableParallelism()} cores`);
  for (const [test, seeds] of red) console.log(`  red ${seeds.length} times (${seeds.join(', ')}): ${test}`);
  return red.size ? 1 : 0;
}
