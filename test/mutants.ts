import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, matchesGlob } from 'node:path';
import { changedFiles, changesBase, concernedTests, importers } from './concerned.ts';
import { type Planned, reach, tryFaults } from './fault-runs.ts';
import { FAULTS, type Fault } from './faults.ts';
import { MACHINE, UNIT } from './projects.ts';
import { type Change, changed, shortened, smallFaults } from './small-faults.ts';
import { isProgram } from './weight.ts';

/**
 * `npm run mutants`: puts each fault of test/faults.ts into the program, alone, and runs the tests that should notice it. Prints RED for a
 * fault that a test noticed and GREEN for one that none noticed, and fails if any is GREEN. `npm run mutants -- caja stats`: only faults with that
 * in their path or code.
 *
 * `npm run mutants -- changed [BASE]` makes the faults itself (test/small-faults.ts), for the lines changed since BASE or origin/main, in ten
 * minutes: what does not fit is left out by a seed. `npm run mutants -- sample [N] [SEED]` draws N faults of the code in SAMPLED and fails below
 * LEAST; with `--unit` it asks no API tests. Both run the tests that pass the fault's place, the nearest first. `// equivalent <change>: <reason>` on or above a line says that no
 * test can notice the change.
 */
/** Faults per run of vitest. Each holds all modules of the program in memory. */
const BATCH = 16;
/** Milliseconds after which `changed` asks no test file more without a fault, begins no batch, and stops. */
const LIMITS = { reach: 4 * 60_000, begin: 8.5 * 60_000, end: 9.5 * 60_000 };
/** Test files, and milliseconds of tests, that a fault gets at most. A busy machine must not lower the score of the night. */
const MOST = { changed: { files: 6, ms: 60_000 }, night: { files: 12, ms: 600_000 } };
/** API test files that `changed` asks for a file, the nearest of those that concern it. */
const MOST_NEAR = 12;
/** What knows the limits of each schema. */
const LIMITS_TEST = 'server/openapi/limits.unit.test.ts';
/** Code whose faults are drawn at night. */
const SAMPLED = [
  'server/{pedidos,caja,tienda,facturables,devoluciones,payments,archive,envios,ganancias}/**',
  'contract/{pedidos,iva,text}/**',
  'web/outbox/**',
];
/** Least share of the drawn faults that tests must notice. */
const LEAST = 0.85;

/** Performance.now() counts from the start of the process. */
const minutes = () => `${(performance.now() / 60_000).toFixed(1)} min`;
const words = process.argv.slice(2).filter((word) => word !== '--unit');
const withApi = !process.argv.includes('--unit');

/**
 * Tries the faults in batches, first with the nearest test file alone, since most faults need no other and each file may load the program
 * once more. Prints each; returns the survivors and the number tried in the given time.
 */
async function tryAll(faults: readonly Planned[], unsound: readonly string[], limits?: Times) {
  const survivors: string[] = [];
  let tried = 0;
  for (let i = 0; i < faults.length && performance.now() < (limits?.begin ?? Number.POSITIVE_INFINITY); i += BATCH) {
    const batch = faults.slice(i, i + BATCH);
    const found = await tryFaults(
      batch.map((fault) => ({ ...fault, tests: fault.tests.slice(0, 1) })),
      unsound,
      limits?.end,
    );
    const left = [...found.keys()].filter((at) => found[at] && !found[at].noticed && (batch[at]?.tests.length ?? 0) > 1);
    const later = await tryFaults(
      left.flatMap((at) => batch[at] ?? []).map((fault) => ({ ...fault, tests: fault.tests.slice(1) })),
      unsound,
      limits?.end,
    );
    for (const [i, at] of left.entries())
      found[at] = later[i] && (later[i].noticed ? later[i] : { loaded: Boolean(found[at]?.loaded || later[i].loaded) });
    for (const [at, { name, tests }] of batch.entries()) {
      if (!found[at]) continue;
      tried += 1;
      const note =
        found[at]?.noticed ?? (!tests.length ? 'no test passes it' : found[at]?.loaded ? 'no test noticed it' : 'its tests never load it');
      console.log(`${found[at]?.noticed ? 'RED  ' : 'GREEN'} ${name} · ${note}`);
      if (!found[at]?.noticed) survivors.push(`${name} · ${note}`);
    }
  }
  return { survivors, tried };
}

/** The faults of test/faults.ts, or those with one of the words in their path or code. */
async function tryListed(parts: readonly string[]): Promise<boolean> {
  const shown = ({ file, find, replace }: Fault) => `${file} · ${shortened(find)} → ${shortened(replace) || 'nothing'}`;
  const chosen = FAULTS.filter((fault) => !parts.length || parts.some((part) => shown(fault).includes(part)));
  const { unsound } = await reach([], [...new Set(chosen.flatMap(({ tests }) => tests))]);
  for (const key of unsound) console.log(`Fails without a fault: ${key}`);
  const planned = chosen.map((fault) => ({
    name: shown(fault),
    file: fault.file,
    tests: fault.tests,
    change: (source: string) => source.replace(fault.find, () => fault.replace),
  }));
  const { survivors } = await tryAll(planned, unsound);
  const sum = survivors.length ? `${survivors.length} of ${chosen.length} faults stay green:` : `All ${chosen.length} faults are red`;
  console.log(['', sum, ...survivors].join('\n'));
  return survivors.length === 0;
}

/** Lines of a file that are new or changed since the base. */
function changedLines(file: string, base: string): Set<number> {
  const diff = execFileSync('git', ['diff', '--unified=0', base, '--', file], { encoding: 'utf8' });
  const lines = new Set<number>();
  for (const [, first, count = '1'] of diff.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm))
    for (let line = Number(first); line < Number(first) + Number(count); line += 1) lines.add(line);
  // Git shows no diff of a file that it does not know yet.
  if (!diff) for (let line = 1; line <= readFileSync(file, 'utf8').split('\n').length; line += 1) lines.add(line);
  return lines;
}

type Drawn = Change & { file: string };

/** Faults of these files, in an order drawn by the seed. */
function draw(files: readonly string[], seed: string, isWanted: (file: string, line: number) => boolean): Drawn[] {
  const drawn: Drawn[] = [];
  for (const file of files) {
    const { faults, equivalent } = smallFaults(file, readFileSync(file, 'utf8'));
    drawn.push(...faults.filter(({ line }) => isWanted(file, line)).map((fault) => ({ ...fault, file })));
    for (const { line, was, text } of equivalent.filter((fault) => isWanted(file, fault.line)))
      console.log(`Equivalent: ${file}:${line} · ${shortened(was)} → ${shortened(text)}`);
  }
  const place = ({ file, start, end, text }: Drawn) => createHash('sha1').update([seed, file, start, end, text].join(' ')).digest('hex');
  const places = new Map(drawn.map((fault) => [fault, place(fault)]));
  return drawn.sort((a, b) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1));
}

/** Parts of two paths that are the same from their beginning, without the tree; the same folder is nearest. */
function nearness(test: string, file: string): number {
  if (dirname(test) === dirname(file)) return Number.POSITIVE_INFINITY;
  if (test === LIMITS_TEST && file.startsWith('contract/')) return 99;
  const [one, other] = [test, file].map((path) => dirname(path).split('/').slice(1));
  const apart = one?.findIndex((part, i) => part !== other?.[i]) ?? 0;
  return apart < 0 ? (one?.length ?? 0) : apart;
}

/** Order of tests by their nearness to a file. Two of its folder are alike (∞ − ∞ is no number). */
const byNearness = (file: string) => (a: string, b: string) => {
  const [one, other] = [nearness(a, file), nearness(b, file)];
  return one === other ? 0 : other > one ? 1 : -1;
};

type Times = typeof LIMITS;
type Bounds = { limits?: Times; count?: number; most?: number };

/**
 * Tries the first `count` faults, within limits of time, with the tests that pass their places. `most`: API test files that are asked for a
 * file. Returns the survivors, how many were tried, and of how many.
 */
async function tryDrawn(found: readonly Drawn[], { limits, count, most }: Bounds) {
  const isUnit = (test: string) => UNIT.some((glob) => matchesGlob(test, glob));
  const all = globSync('{contract,server,web,demo,test}/**/*.test.ts').filter(
    (test) => !MACHINE.some((glob) => matchesGlob(test, glob)) && (withApi || isUnit(test)),
  );
  const imports = importers();
  const concerned = new Map(
    [...new Set(found.map(({ file }) => file))].map((file) => {
      const tests = concernedTests(file, all, isUnit, imports);
      const api = tests.filter((test) => !isUnit(test)).sort(byNearness(file));
      return [file, [...tests.filter(isUnit), ...api.slice(0, most)]];
    }),
  );
  const blind = [...concerned].flatMap(([file, tests]) => (tests.length ? [] : [file]));
  if (blind.length) console.log(`Left out, since only tests in a browser or with processes load them: ${blind.sort().join(', ')}`);
  const drawn = found.filter(({ file }) => !blind.includes(file)).slice(0, count);
  // The nearest test of each fault's file first, then the second: what is left out at the limit is far.
  const asked = drawn.map(({ file }) => (concerned.get(file) ?? []).toSorted(byNearness(file)));
  const ranks = Array.from({ length: Math.max(0, ...asked.map(({ length }) => length)) }, (_, rank) => rank);
  const tests = [...new Set(ranks.flatMap((rank) => asked.flatMap((each) => each[rank] ?? [])))];
  console.log(`${drawn.length} faults; ${tests.length} test files concern them`);
  const { files, times, unsound } = await reach(drawn, tests, limits?.reach);
  if (times.size < tests.length) console.log(`${tests.length - times.size} test files were not asked for want of time`);
  console.log(`The tests have passed ${files.filter((found) => found?.size !== 0).length} of the places (${minutes()})`);
  for (const key of unsound) console.log(`Fails without a fault: ${key}`);
  // Tests in a browser pass what no test in Node does; these faults are not tried.
  const unseen = (at: number) => drawn[at]?.file.startsWith('web/') && files[at]?.size === 0;
  const planned = drawn.flatMap((fault, at) => {
    if (unseen(at)) console.log(`Left out, since only tests in a browser may pass it: ${fault.file}:${fault.line}`);
    if (unseen(at)) return [];
    const { file, line, was, text } = fault;
    const passing = files[at] ?? new Map((concerned.get(file) ?? []).flatMap((test) => (times.has(test) ? [[test, 1] as const] : [])));
    // The most tests for the time: a long file must not use up what the others need.
    const worth = (test: string) => (passing.get(test) ?? 0) / (times.get(test) ?? 1);
    const near = [...passing.keys()].sort((a, b) => byNearness(file)(a, b) || worth(b) - worth(a));
    const bound = MOST[limits ? 'changed' : 'night'];
    let left = bound.ms;
    const chosen = near.slice(0, bound.files).filter((test, i) => (left -= times.get(test) ?? 0) > 0 || i === 0);
    return {
      name: `${file}:${line} · ${shortened(was).slice(0, 90)} → ${shortened(text).slice(0, 90) || 'nothing'}`,
      file,
      tests: chosen,
      change: (source: string) => changed(source, fault),
    };
  });
  return { ...(await tryAll(planned, unsound, limits)), all: planned.length };
}

async function tryChanged(base = changesBase()): Promise<boolean> {
  const files = changedFiles(base).filter((file) => /\.tsx?$/.test(file) && /^(contract|server|web|demo)\//.test(file) && isProgram(file));
  const lines = new Map(files.map((file) => [file, changedLines(file, base)]));
  const seed = process.env.SEED ?? String(Date.now() % 1_000_000);
  const drawn = draw(files, seed, (file, line) => lines.get(file)?.has(line) ?? false);
  if (!drawn.length) console.log(`No fault to make in what changed since ${base}`);
  if (!drawn.length) return true;
  const { survivors, tried, all } = await tryDrawn(drawn, { limits: LIMITS, most: MOST_NEAR });
  if (tried < all) console.log(`\n${all - tried} of ${all} faults were left out by SEED=${seed} for want of time`);
  console.log([`\n${tried - survivors.length} of ${tried} faults were noticed (${minutes()}), not:`, ...survivors.sort()].join('\n'));
  return survivors.length === 0;
}

async function trySample(count = 200, seed = String(Date.now() % 1_000_000), globs = SAMPLED): Promise<boolean> {
  const files = globs.flatMap((glob) => globSync(glob.endsWith('.ts') ? glob : `${glob}/*.ts`)).filter(isProgram);
  const { survivors, tried } = await tryDrawn(
    draw([...new Set(files)].sort(), seed, () => true),
    { count },
  );
  const share = 1 - survivors.length / tried;
  console.log(
    [
      `\n${tried - survivors.length} of ${tried} faults of sample ${seed} were noticed, ${(100 * share).toFixed(1)} % (${minutes()}); not:`,
      ...survivors.sort(),
    ].join('\n'),
  );
  return share >= LEAST;
}

const [mode, first, second, ...rest] = words;
const isAllSeen =
  mode === 'changed'
    ? await tryChanged(first)
    : mode === 'sample'
      ? await trySample(Number(first ?? 200), second, rest.length ? rest : SAMPLED)
      : await tryListed(words);
process.exit(isAllSeen ? 0 : 1);
