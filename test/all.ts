import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slowest } from './slowest.ts';

/**
 * `npm test`: runs every stage, those of a line side by side, and stops after the first line with a failure.
 * `npm test -- api e2e` runs only the named stages; `npm test -- pedidos` only the test files with that name in their path;
 * `npm run check` is types, lint and unit tests. Ends with the time of each stage and the thirty slowest tests.
 */
const LINES = [
  { types: 'tsc', lint: 'biome check --error-on-warnings && knip' },
  { unit: 'vitest run --project unit', build: 'npm run --silent build' },
  { components: 'npm run --silent components --' },
  { api: 'vitest run --project api' },
  { e2e: 'playwright test' },
] as const;
const CHECK = ['types', 'lint', 'unit'];
/** Stages that take the name of a test file. */
const FILTERED = ['unit', 'components', 'api', 'e2e'];

const stages = LINES.flatMap((line) => Object.keys(line));
const args = process.argv.slice(2).flatMap((name) => (name === 'check' ? CHECK : [name]));
const wanted = args.filter((name) => stages.includes(name));
const names = args.filter((name) => !stages.includes(name));
if (names.some((name) => name.startsWith('-'))) {
  console.error(`Name stages (check, ${stages.join(', ')}) or parts of a test file's path`);
  process.exit(2);
}
const runs = (stage: string) => (wanted.length ? wanted.includes(stage) : !names.length || FILTERED.includes(stage) || stage === 'build');

const reports = mkdtempSync(join(tmpdir(), 'enruta-tests-'));
const since = performance.now();
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const times: string[] = [];

/** Runs a stage, printing what it prints: at once, or at its end when another runs beside it. Returns its exit code. */
function run(stage: string, command: string, alone: boolean): Promise<number> {
  const from = performance.now();
  const report = join(reports, `${stage}.json`);
  const asJson = command.includes('playwright') ? '--reporter=list,json' : `--reporter=default --reporter=json --outputFile.json=${report}`;
  const more = FILTERED.includes(stage) ? [asJson, ...names, ...(names.length ? ['--pass-with-no-tests'] : [])] : [];
  const line = [command, ...more].join(' ').replace(/(vitest.*|components.*)--pass-with-no-tests/, '$1--passWithNoTests');
  if (alone) console.log(`\n━━━ ${stage} ━━━ ${command}`);
  const child = spawn(line, {
    shell: true,
    stdio: ['ignore', alone ? 'inherit' : 'pipe', alone ? 'inherit' : 'pipe'],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  return new Promise((resolve) =>
    child.on('exit', (status, signal) => {
      if (!alone) console.log(`\n━━━ ${stage} ━━━ ${command}\n${said.trimEnd()}`);
      times.push(`${stage} ${seconds(from)}`);
      console.log(
        status === 0 ? `✓ ${stage} (${seconds(from)})` : `\n✗ ${stage} failed (${signal ?? `exit ${status}`}) after ${seconds(from)}`,
      );
      resolve(status ?? 1);
    }),
  );
}

process.on('exit', () => rmSync(reports, { recursive: true, force: true }));
for (const line of LINES) {
  const commands = Object.entries(line).filter(([stage]) => runs(stage));
  const codes = await Promise.all(commands.map(([stage, command]) => run(stage, command, commands.length === 1)));
  const failed = codes.find((code) => code !== 0);
  if (failed !== undefined) process.exit(failed);
}
console.log(`\n${slowest(reports, 30).join('\n')}`);
console.log(`\n✓ All passed in ${seconds(since)}: ${times.join(', ')}`);
