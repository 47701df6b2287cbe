import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Timed = { name: string; ms: number };
type VitestReport = { testResults: { name: string; assertionResults: { title: string; duration?: number | null }[] }[] };
type PlaywrightSuite = {
  file: string;
  suites?: PlaywrightSuite[];
  specs: { title: string; tests: { projectName: string; results: { duration: number }[] }[] }[];
};

const ofVitest = ({ testResults }: VitestReport): Timed[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, duration }) => ({ name: `${name.replace(`${process.cwd()}/`, '')} › ${title}`, ms: duration ?? 0 })),
  );

const ofPlaywright = ({ file, suites = [], specs }: PlaywrightSuite): Timed[] => [
  ...specs.flatMap(({ title, tests }) =>
    tests.map(({ projectName, results }) => ({
      name: `e2e/${file} [${projectName}] › ${title}`,
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  ),
  ...suites.flatMap(ofPlaywright),
];

/** The `count` tests that took longest, by the JSON reports of Vitest and Playwright in a folder, a line each. */
export function slowest(folder: string, count: number): string[] {
  return readdirSync(folder)
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as VitestReport | { suites: PlaywrightSuite[] })
    .flatMap((report) => ('testResults' in report ? ofVitest(report) : report.suites.flatMap(ofPlaywright)))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
}
