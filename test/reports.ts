import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** `again`: passed only at the second try. */
type Run = { name: string; ms: number; failed: boolean; again: boolean };
type VitestReport = {
  testResults: {
    name: string;
    status: string;
    assertionResults: { title: string; status: string; duration?: number | null }[];
  }[];
};
type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; status: string; results: { duration: number }[] }[] }[];
};

const ofVitest = ({ testResults }: VitestReport): Run[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, duration }) => ({
      name: `${name.replace(`${process.cwd()}/`, '')} › ${title}`,
      ms: duration ?? 0,
      failed: status === 'failed',
      again: false,
    })),
  );

const ofPlaywright = ({ file, suites = [], specs }: PlaywrightSuite): Run[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      name: `e2e/${file} [${projectName}] › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
      failed: status === 'unexpected',
      again: status === 'flaky',
    })),
  ),
  ...suites.flatMap(ofPlaywright),
];

/** Reads a JSON report of Vitest or Playwright; empty if the stage ended without a report. */
function runsOf(file: string): Run[] {
  if (!existsSync(file)) return [];
  const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport | { suites: PlaywrightSuite[] };
  return 'testResults' in report ? ofVitest(report) : report.suites.flatMap(ofPlaywright);
}
const runsIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => runsOf(join(folder, file)));

/** Returns the `count` slowest tests, one per line. */
export const slowest = (folder: string, count: number): string[] =>
  runsIn(folder)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);

/** Returns the test files that failed, in themselves or in a test, by a report of Vitest. */
export function failedFiles(file: string): string[] {
  if (!existsSync(file)) return [];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
  return testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name.replace(`${process.cwd()}/`, ''));
}

/** Returns the tests that failed, and the files that failed without a failed test. */
export function failedTests(file: string): string[] {
  const runs = runsOf(file).flatMap(({ name, failed, again }) => (failed || again ? [name] : []));
  const files = basename(file) === 'e2e.json' ? [] : failedFiles(file);
  return [...runs, ...files.filter((path) => !runs.some((name) => name.startsWith(path)))];
}

/** Returns the tests that failed at their last try, in a folder of reports, with the name of their stage. */
export function stillRed(folder: string): string[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const last = names.filter((file) => !names.includes(file.replace('.json', '.again.json')));
  const retried = new Set(runsIn(folder).flatMap(({ name, again }) => (again ? [name] : [])));
  return last.flatMap((file) =>
    failedTests(join(folder, file))
      .filter((test) => !retried.has(test))
      .map((test) => `${file.split('.')[0]}: ${test}`),
  );
}

/** Returns the names of the tests that passed only at the second try, in a folder of reports. */
export function passedLater(folder: string): string[] {
  const retried = readdirSync(folder).filter((file) => file.endsWith('.again.json'));
  return [
    ...runsIn(folder).flatMap(({ name, again }) => (again ? [name] : [])),
    ...retried.flatMap((file) => failedTests(join(folder, file.replace('.again', '')))),
  ];
}
