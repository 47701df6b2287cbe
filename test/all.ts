import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderInMemory } from './memory.ts';
import { passedLater, slowest } from './reports.ts';
import { weightLine } from './weight.ts';

/**
 * `npm test`: runs every stage. Stages of a line run in parallel, and the run stops after the first line with a failure.
 * `npm test -- api e2e` runs only the named stages; `npm test -- pedidos` only the test files with that name in their path;
 * `npm run check` is types, lint and unit tests. `--shard=1/2` runs one half of the files of each stage. Prints the time of each stage
 * and the thirty slowest tests. CI retries failed tests and names those that passed on a retry; elsewhere nothing is retried.
 */
const LINES = [
  { types: 'tsc', lint: 'biome check --error-on-warnings && knip', unit: 'vitest run --project unit', build: 'npm run --silent build' },
  // Components are bound by the processor; machine tests mostly wait for processes.
  { components: 'npm run --silent components --', machine: 'vitest run --project machine --maxWorkers=1' },
  { api: 'vitest run --project api' },
  { e2e: 'playwright test' },
] as const;
const CHECK = ['types', 'lint', 'unit'];
/** Stages that take the name of a test file. */
const FILTERED = ['unit', 'components', 'machine', 'api', 'e2e'];

const stages = LINES.flatMap((line) => Object.keys(line));
const args = process.argv.slice(2).flatMap((name) => (name === 'check' ? CHECK : [name]));
const wanted = args.filter((name) => stages.includes(name));
const shard = args.filter((name) => /^--shard=\d+\/\d+$/.test(name));
const names = args.filter((name) => !stages.includes(name) && !shard.includes(name));
if (names.some((name) => name.startsWith('-'))) {
  console.error(`Name stages (check, ${stages.join(', ')}) or parts of a test file's path`);
  process.exit(2);
}
const runs = (stage: string) => (wanted.length ? wanted.includes(stage) : !names.length || FILTERED.includes(stage) || stage === 'build');

const reports = mkdtempSync(join(tmpdir(), 'enruta-tests-'));
/** Seed for the order of the test files; the same seed gives the same order. */
const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const { NODE_COMPILE_CACHE = join(reports, 'compiled') } = process.env;
/** Temporary folder of all tests. Hundreds of databases are created there, so memory is used if there is enough. */
const TMPDIR = process.env.TMPDIR ?? folderInMemory() ?? tmpdir();
const since = performance.now();
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const times: string[] = [];

/** Runs a stage and prints its output as it comes (`live`) or at the end. Returns the exit code. */
function run(stage: string, command: string, live: boolean): Promise<number> {
  const from = performance.now();
  const report = join(reports, `${stage}.json`);
  const asJson = command.includes('playwright') ? '--reporter=list,json' : `--reporter=default --reporter=json --outputFile.json=${report}`;
  const more = FILTERED.includes(stage) ? [asJson, ...shard, ...names, ...(names.length ? ['--pass-with-no-tests'] : [])] : [];
  const line = [command, ...more].join(' ').replace(/(vitest.*|components.*)--pass-with-no-tests/, '$1--passWithNoTests');
  if (live) console.log(`\n━━━ ${stage} ━━━ ${command}`);
  const child = spawn(line, {
    shell: true,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, SEED, NODE_COMPILE_CACHE, TMPDIR, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) =>
    child.on('exit', (status, signal) => {
      if (!live) console.log(`\n━━━ ${stage} ━━━ ${command}\n${said.trimEnd()}`);
      times.push(`${stage} ${seconds(from)}`);
      console.log(
        status === 0 ? `✓ ${stage} (${seconds(from)})` : `\n✗ ${stage} failed (${signal ?? `exit ${status}`}) after ${seconds(from)}`,
      );
      resolve(status ?? 1);
    }),
  );
}

// Exits through the handlers of `exit`, so that Ctrl+C removes the temporary folders too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
for (const line of LINES) {
  const commands = Object.entries(line).filter(([stage]) => runs(stage));
  const codes = await Promise.all(commands.map(([stage, command]) => run(stage, command, commands[0]?.[0] === stage)));
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}
const later = passedLater(reports);
if (later.length) console.log(`\nPassed only at a later try:\n${later.map((name) => `  ${name}`).join('\n')}`);
console.log(`\n${slowest(reports, 30).join('\n')}`);
console.log(`\n${weightLine()}`);
if (later.length && !process.env.CI) process.exit(1);
console.log(`\n✓ All passed in ${seconds(since)}, SEED=${SEED}: ${times.join(', ')}`);
