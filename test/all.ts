import { spawnSync } from 'node:child_process';

/**
 * `npm test`: runs every stage in order and stops at the first failure.
 * `npm test -- api e2e` runs only the named stages; `npm run check` is the first three.
 */
const STAGES = {
  types: ['Types', 'tsc'],
  lint: ['Lint and unused code', 'biome check --error-on-warnings && knip'],
  unit: ['Unit tests', 'vitest run --project unit'],
  components: ['Components', 'npm run --silent components'],
  api: ['API', 'vitest run --project api'],
  build: ['Web build', 'npm run --silent build'],
  e2e: ['Browser', 'playwright test'],
} as const;
type Stage = keyof typeof STAGES;

const wanted = process.argv.slice(2).flatMap((name) => (name === 'check' ? ['types', 'lint', 'unit'] : [name]));
const unknown = wanted.filter((name) => !(name in STAGES));
if (unknown.length) {
  console.error(`Unknown stage: ${unknown.join(', ')}. There are: check, ${Object.keys(STAGES).join(', ')}`);
  process.exit(2);
}

const started = performance.now();
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
for (const name of Object.keys(STAGES) as Stage[]) {
  if (wanted.length && !wanted.includes(name)) continue;
  const [title, command] = STAGES[name];
  const since = performance.now();
  console.log(`\n━━━ ${title} ━━━ ${command}`);
  const { status, signal } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n✗ ${title} failed (${signal ?? `exit ${status}`}) after ${seconds(since)}`);
    process.exit(status ?? 1);
  }
  console.log(`✓ ${title} (${seconds(since)})`);
}
console.log(`\n✓ All passed in ${seconds(started)}`);
