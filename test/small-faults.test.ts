import { expect, test } from 'vitest';
import { concernedTests, quickApiTests } from './concerned.ts';
import { changed, smallFaults, withProbes } from './small-faults.ts';
import { sqlFaults } from './sql-faults.ts';

/** The sources that one fault each makes of this one. */
const made = (source: string) => smallFaults('a.ts', source).faults.map((fault) => changed(source, fault));
/** The templates that one fault each makes of this one, without their backticks. */
const sqlMade = (template: string) =>
  sqlFaults(`\`${template}\``).map(({ from, to, text }) => `\`${template}\``.slice(1, from) + text + `\`${template}\``.slice(to, -1));

test.each([
  ['x = a < b;', ['x = (a <= b);', 'x = (a >= b);']],
  ['x = a >= b;', ['x = (a > b);', 'x = (a < b);']],
  ['x = a === b;', ['x = (a !== b);']],
  ['x = a ?? b;', ['x = a;']],
  ['x = a && b;', ['x = a;', 'x = b;']],
  ['x = a - b;', ['x = a;']],
  ['x = !a;', ['x = a;']],
  ['x = a ? b : c;', ['x = b;', 'x = c;']],
  ['x = { a: true };', ['x = { a: false };']],
  ['x = 7;', ['x = 8;', 'x = 6;']],
  ['x = 0;', ['x = 1;']],
  ['x = 10_000;', ['x = 10001;', 'x = 9999;']],
  ['x = Math.min(a, b);', ['x = a;', 'x = b;']],
  ['x = Math.max(0, a - b);', ['x = (a - b);', 'x = Math.max(1, a - b);', 'x = Math.max(0, a);']],
  ['x = list.some(f);', ['x = list.every(f);']],
  ['x = a.toString();', []],
  ['x = list.filter(f).sort(g);', ['x = list.sort(g);', 'x = list.filter(f);']],
])('«%s» becomes each of %j', (source, faults) => {
  expect(made(source).toSorted()).toEqual(faults.toSorted());
});

test('a guard goes, an unguarded block runs always, a call for its effect is forgotten', () => {
  expect(made('if (a) return;')).toEqual(['if (false) return;']);
  expect(made("if (a) { throw new Error('no'); }")).toEqual(["if (false) { throw new Error('no'); }"]);
  expect(made('if (a) x = y;')).toEqual(['if (true) x = y;']);
  expect(made('if (a) x = y; else x = z;')).toEqual([]);
  expect(made('await check(a);')).toEqual([';']);
});

test('links of a query go one by one, and its operators move', () => {
  expect(made("x = db.where('a', '<=', b).orderBy('a').execute();")).toEqual([
    "x = db.orderBy('a').execute();",
    "x = db.where('a', ('<'), b).orderBy('a').execute();",
    "x = db.where('a', '<=', b).execute();",
  ]);
  expect(made("x = eb('a', '>', sql`now()`);")).toEqual(["x = eb('a', ('<='), sql`now()`);"]);
});

test('no fault is made of types, imports, errors, logs, locks, sizes of portions and the step of a loop', () => {
  for (const source of [
    'type A = 1 | 2;',
    "throw new Refusal('no', a > b ? 1 : 2);",
    "log.warn('a', b - c);",
    'await lockCash(tx, id);',
    'await sql`LOCK TABLE pedidos IN SHARE MODE`.execute(tx);',
    'route(app, api.list, read);',
    "import a from 'a';",
    'const BATCH = 50;',
    'x = db.limit(1).executeTakeFirst();',
  ])
    expect(made(source), source).toEqual([]);
  expect(made('for (;a < b;) x();')).not.toContain('for (;(a >= b);) x();');
});

test('a condition of SQL goes, and its edges and numbers move', () => {
  expect(sqlMade('SELECT a FROM b WHERE c <= d AND e BETWEEN f AND g')).toEqual([
    'SELECT a FROM b WHERE true AND e BETWEEN f AND g',
    'SELECT a FROM b WHERE c < d AND e BETWEEN f AND g',
    'SELECT a FROM b WHERE c <= d ',
  ]);
  expect(sqlMade("now() - interval '1 hour' < x - 3")).toEqual(["now() - interval '1 hour' >= x - 3", "now() - interval '1 hour' < x - 4"]);
  expect(sqlMade('SELECT least(a, coalesce(b, 0)) FROM t')).toEqual([
    'SELECT a FROM t',
    'SELECT coalesce(b, 0) FROM t',
    'SELECT least(a, b) FROM t',
    'SELECT least(a, coalesce(b, 1)) FROM t',
  ]);
  expect(sqlMade('UPDATE t SET a = b WHERE c = d')).toEqual(['UPDATE t SET a = b WHERE true', 'UPDATE t SET a = b WHERE c <> d']);
});

test('conditions in brackets and holes of a template stay whole', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's source
  const source = 'SELECT 1 WHERE (a OR b AND c) AND d = ${f(`x AND ${y}`)} ORDER BY e';
  expect(sqlMade(source)).toContain('SELECT 1 WHERE (a OR b AND c)  ORDER BY e');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template's source
  expect(sqlMade(source)).toContain('SELECT 1 WHERE (a OR b ) AND d = ${f(`x AND ${y}`)} ORDER BY e');
});

test('a mark with a reason says that one change is equivalent, on its line or the next', () => {
  const source = ['// equivalent (a <= b): both are zero then', 'x = a < b;', 'y = a < b; // equivalent (a >= b): never'].join('\n');
  const { faults, equivalent } = smallFaults('a.ts', source);
  expect(equivalent.map(({ line, text }) => [line, text])).toEqual([
    [2, '(a <= b)'],
    [3, '(a >= b)'],
  ]);
  expect(faults.map(({ line, text }) => [line, text])).toEqual([
    [2, '(a >= b)'],
    [3, '(a <= b)'],
  ]);
  expect(smallFaults('a.ts', 'x = !a; // equivalent a:').equivalent).toEqual([]);
});

test('a probe stands before the statement, or in the arrow, that holds a fault; none for what runs at loading', () => {
  const source = 'const n = 3;\nconst f = (a) => a ?? n;\nfunction g() {\n  h();\n  return !n;\n}';
  const { faults } = smallFaults('a.ts', source);
  expect(withProbes('a.ts', source, faults, (at) => `p(${faults[at]?.line})`)).toBe(
    'const n = 3;\nconst f = (a) => (p(2), a ?? n);\nfunction g() {\n  p(4); h();\n  p(5); return !n;\n}',
  );
  expect(faults.map(({ isPlaced }) => isPlaced)).toEqual([false, false, true, true, true]);
});

test('a file concerns the unit tests that load it, and the API tests of its folder and of those that use it', () => {
  const imports = new Map([
    ['server/a/a.ts', new Set(['server/b/b.ts', 'server/a/a.unit.test.ts', 'server/app.ts'])],
    ['server/b/b.ts', new Set(['server/c/c.ts'])],
    ['server/c/c.ts', new Set(['server/d/d.ts'])],
    ['server/app.ts', new Set(['server/e/e.ts'])],
  ]);
  const tests = ['server/a/a.unit.test.ts', ...['a', 'b', 'c', 'd', 'e'].map((name) => `server/${name}/x.test.ts`)];
  expect(concernedTests('server/a/a.ts', tests, (test) => test.includes('unit'), imports)).toEqual([
    'server/a/a.unit.test.ts',
    'server/a/x.test.ts',
    'server/b/x.test.ts',
    'server/c/x.test.ts',
  ]);
});

test('a quick run has the API tests that a change concerns, a test that changed itself, and by the seed a quarter of the others', () => {
  const imports = new Map([['server/a/a.ts', new Set(['server/a/a.test.ts'])]]);
  const others = Array.from({ length: 400 }, (_, n) => `server/other/${n}.test.ts`);
  const tests = ['server/a/a.test.ts', 'server/b/b.test.ts', ...others];
  const run = (seed: string) => quickApiTests(['server/a/a.ts', 'server/b/b.test.ts'], tests, seed, imports);
  const drawn = (seed: string) => run(seed).slice(2);
  for (const seed of ['1', '2']) {
    expect(run(seed).slice(0, 2)).toEqual(['server/a/a.test.ts', 'server/b/b.test.ts']);
    expect(drawn(seed).length).toBeGreaterThan(70);
    expect(drawn(seed).length).toBeLessThan(130);
  }
  expect(drawn('1')).not.toEqual(drawn('2'));
});
