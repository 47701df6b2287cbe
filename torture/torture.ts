import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { type Checked, checkControls } from './control.ts';
import { each } from './each.ts';
import { brokeFirst, type Outcome, PACE, type Row } from './row.ts';
import { closeShared, createWorld } from './world.ts';

/*
 * `npm run torture [-- row …] [--control] [--json]`: every threat and fault against the running
 * program, one row each. Prints one table and ends with 1 when something broke, 2 when a row could not be run.
 * `--patience 5` multiplies time limits by five, for a busy machine. `--minutes 10` runs the mixed load, the outbox and the vans that long,
 * and `upgrade` on every twelfth schema only.
 * With `--control` each row runs in a copy of the program without its guard, and must not hold; the row ends at the first
 * failure, as with `--first`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    control: { type: 'boolean' },
    json: { type: 'boolean' },
    first: { type: 'boolean', default: false },
    patience: { type: 'string', default: '1' },
    minutes: { type: 'string' },
  },
});
PACE.first = values.first;
PACE.patience = Number(values.patience);
PACE.minutes = values.minutes === undefined ? undefined : Number(values.minutes);

const FOLDER = join(import.meta.dirname, 'rows');
const rows: Row[] = [];
for (const file of readdirSync(FOLDER).sort()) rows.push(((await import(join(FOLDER, file))) as { row: Row }).row);
const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length) {
  console.error(`Unknown: ${unknown.join(', ')}. Rows: ${rows.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const wanted = rows.filter(({ name }) => !positionals.length || positionals.includes(name));

type Result = Outcome & { row: string; seconds: number; error?: string };
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const table = values.control ? await controls() : await attacks();
if (values.json) process.stdout.write(`${JSON.stringify(table)}\n`);
else console.table(table.map(shown));
process.exit(table.some((line) => 'error' in line && line.error) ? 2 : table.every(fine) ? 0 : 1);

/** Runs rows in pairs, because a row mostly waits; then the rows marked `alone`, one at a time. */
async function attacks(): Promise<Result[]> {
  const results = [
    ...(await each(
      wanted.filter((row) => !row.alone),
      2,
      run,
    )),
    ...(await each(
      wanted.filter((row) => row.alone),
      1,
      run,
    )),
  ];
  await closeShared();
  return results.sort((a, b) => a.row.localeCompare(b.row));
}

async function run(row: Row): Promise<Result> {
  console.error(`${row.name}: ${row.what}`);
  const since = performance.now();
  const outcome = await attack(row);
  console.error(`  ${row.name}: ${verdictOf(outcome)} · ${outcome.figure} ${outcome.why ?? outcome.skipped ?? ''}`);
  return { row: row.name, ...outcome, seconds: Math.round((performance.now() - since) / 1000) };
}

async function attack(row: Row): Promise<Outcome & { error?: string }> {
  const world = createWorld();
  const late = Promise.withResolvers<never>();
  const seconds = row.seconds * PACE.patience + (row.lasts ? PACE.seconds(row.lasts) - row.lasts : 0);
  const timer = setTimeout(() => late.reject(new Error(`not done within ${seconds} s`)), seconds * 1000);
  try {
    return await Promise.race([row.run(world), late.promise]);
  } catch (error) {
    const why = brokeFirst(error);
    if (why) return { figure: '', held: false, why };
    return { figure: '', held: false, error: String(error), why: [inspect(error), ...world.lastWords()].join('\n') };
  } finally {
    clearTimeout(timer);
    await world.close();
  }
}

async function controls(): Promise<Checked[]> {
  const checked: Checked[] = [];
  for (const row of wanted) checked.push(...(await checkControls(row, values.patience)));
  return checked;
}

function verdictOf({ held, skipped, error }: Outcome & { error?: string }): string {
  return error ? 'not run' : skipped ? 'NOT RUN HERE' : held ? 'yes' : 'no';
}
function fine(line: Result | Checked): boolean {
  return 'held' in line ? line.held : line.red;
}
function shown(line: Result | Checked): Record<string, unknown> {
  if (!('held' in line)) return line;
  const { row, figure, seconds, why, skipped, error } = line;
  return { row, figure, held: verdictOf(line), seconds, why: (error ?? why ?? skipped ?? '').slice(0, 200) };
}
