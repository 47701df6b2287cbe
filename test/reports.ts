import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `again`: passed only on a retry. */
type Run = { name: string; ms: number; again: boolean };
type VitestReport = {
  testResults: {
    name: string;
    assertionResults: { title: string; status: string; duration?: number | null; failureMessages: string[] }[];
  }[];
};
type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; status: string; results: { duration: number }[] }[] }[];
};

const ofVitest = ({ testResults }: VitestReport): Run[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status, duration, failureMessages }) => ({
      name: `${name.replace(`${process.cwd()}/`, '')} › ${title}`,
      ms: duration ?? 0,
      // The failures of earlier attempts stay in the report.
      again: status === 'passed' && failureMessages.length > 0,
    })),
  );

const ofPlaywright = ({ file, suites = [], specs }: PlaywrightSuite): Run[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, status, results }) => ({
      name: `e2e/${file} [${projectName}] › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
      again: status === 'flaky',
    })),
  ),
  ...suites.flatMap(ofPlaywright),
];

/** Reads the JSON reports of Vitest and Playwright in a folder. */
function runsIn(folder: string): Run[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as VitestReport | { suites: PlaywrightSuite[] })
    .flatMap((report) => ('testResults' in report ? ofVitest(report) : report.suites.flatMap(ofPlaywright)));
}

/** Returns the `count` slowest tests, one per line. */
export const slowest = (folder: string, count: number): string[] =>
  runsIn(folder)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);

/** Returns the names of the tests that passed only on a retry. */
export const passedLater = (folder: string): string[] => runsIn(folder).flatMap(({ name, again }) => (again ? [name] : []));
