import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildWebIfStale } from '../server/kit/build-web.ts';

/*
 * `npm run audit`: asks the registry for known vulnerabilities of the packages that are shipped, by the server and in the screens,
 * and compares them with those explained in docs/audit.json. Exits with 1 for a finding without a reason or a reason without its finding, and
 * with 2 if the registry gives no report.
 */
type Advisory = { source: number; name: string; title: string; url: string; severity: string };
/** Output of `npm audit --json`: findings by package name, or an error. A `via` that is a package name stands for the findings of that package. */
export type Report = {
  vulnerabilities?: Record<string, { via: readonly (Advisory | string)[] }>;
  message?: string;
  statusCode?: number;
};
/** Reasons why a finding does not concern this program, by advisory id. */
export type Explained = Record<string, string>;
type Verdict = { exitCode: 0 | 1 | 2; lines: string[] };

// Statuses of a registry that serves packages but no advisories.
const NO_ENDPOINT = [404, 405, 501];

/** Compares the findings of a report of shipped packages with their explanations. */
export function judge(
  { vulnerabilities, message = 'npm audit printed nothing that can be read', statusCode }: Report,
  explained: Explained,
  isShipped: (name: string) => boolean = () => true,
): Verdict {
  if (!vulnerabilities) {
    if (statusCode && NO_ENDPOINT.includes(statusCode))
      return { exitCode: 0, lines: [`NOT CHECKED: this registry has no audit endpoint. ${message}`] };
    return { exitCode: 2, lines: [`Not checked: ${message}`] };
  }
  const found = new Map<string, Advisory>();
  for (const [, { via }] of Object.entries(vulnerabilities).filter(([name]) => isShipped(name)))
    for (const advisory of via) if (typeof advisory !== 'string') found.set(idOf(advisory), advisory);
  const open = [...found].filter(([id]) => !explained[id]?.trim());
  const gone = Object.keys(explained).filter((id) => !found.has(id));
  if (open.length || gone.length)
    return {
      exitCode: 1,
      lines: [
        ...open.map(([id, { name, severity, title, url }]) => `${id} (${severity}) ${name}: ${title} ${url}`),
        ...gone.map((id) => `${id} is explained in docs/audit.json and no longer found: delete it there`),
      ],
    };
  return { exitCode: 0, lines: [found.size ? `${found.size} known, each explained in docs/audit.json` : 'Nothing known'] };
}

/** Returns GitHub's id if the URL has one, because npm's number changes; else npm's number. */
const idOf = ({ url, source }: Advisory) => /GHSA(-\w{4}){3}/.exec(url)?.[0] ?? String(source);

if (import.meta.main) {
  const explained = JSON.parse(readFileSync(join(import.meta.dirname, '../docs/audit.json'), 'utf8')) as Explained;
  buildWebIfStale();
  const bill = JSON.parse(readFileSync(join(import.meta.dirname, '../dist/sbom.json'), 'utf8')) as { components: { name: string }[] };
  const shipped = new Set(bill.components.map(({ name }) => name));
  const { stdout } = spawnSync('npm audit --json', { shell: true, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const { exitCode, lines } = judge(stdout ? (JSON.parse(stdout) as Report) : {}, explained, (name) => shipped.has(name));
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}
