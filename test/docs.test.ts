import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const documents = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: ROOT, exclude: ['node_modules'] }).toSorted();
const decisions = documents.filter((path) => /^docs\/decisions\/\d{3}-/.test(path));
const sources = globSync('{contract,server,demo,web,test,e2e,bench,torture,deploy}/**/*.{ts,tsx}', { cwd: ROOT });

const STATUS = /^Date: (\d{4}-\d{2}-\d{2})\. Status: (accepted|superseded by \d{3})\./m;
const HEADINGS = ['Context', 'Decision', 'Consequences', 'Rejected'];

test.each(decisions)('%s has a date, a status and the required headings', (path) => {
  const text = read(path);
  expect(text).toMatch(STATUS);
  expect(all(text, /^## (.+)$/gm)).toEqual(HEADINGS);
});

test('the index of decisions lists every decision with its title, date and status', () => {
  const expected = decisions.map((path) => {
    const text = read(path);
    const [, number, title] = /^# (\d{3}) (.+)$/m.exec(text) ?? [];
    const [, date, status] = STATUS.exec(text) ?? [];
    return `| [${number}](${path.slice('docs/decisions/'.length)}) | ${title} | ${date} | ${status} |`;
  });
  expect(read('docs/decisions/README.md').match(/^\| \[\d{3}\].*$/gm)).toEqual(expected);
});

test('a decision names the decision that it supersedes', () => {
  const numbered = new Map(decisions.map((path) => [path.slice('docs/decisions/'.length).slice(0, 3), read(path)]));
  for (const [number, text] of numbered) {
    const [, by] = /Status: superseded by (\d{3})/.exec(text) ?? [];
    if (by) expect(numbered.get(by), `${by} says that it supersedes ${number}`).toMatch(new RegExp(`Supersedes [^.]*${number}`));
  }
});

/** Returns the anchors of the headings, as GitHub generates them. */
const anchorsOf = (text: string) =>
  all(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('every relative link of %s has a target', (path) => {
  // The guide links a file of the running program.
  const links = all(read(path), /\]\((?!\w+:|\/licencias\.txt)([^)\s]+)\)/g);
  const dead = links.filter((link) => {
    const [file, anchor] = link.split('#') as [string, string | undefined];
    const target = file ? join(dirname(path), file) : path;
    return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(read(target)).includes(anchor));
  });
  expect(dead).toEqual([]);
});

const PATH = /`((?:contract|server|web|test|e2e|docs|bench|torture|deploy)\/[\w./-]*|[\w-]+\.md)`/g;

test.each(documents.filter((path) => !/superseded by/.test(read(path))))('every file that %s names exists', (path) => {
  const gone = all(read(path), PATH).filter((name) => !existsSync(join(ROOT, name)) && !existsSync(join(ROOT, dirname(path), name)));
  expect(gone).toEqual([]);
});

/** Citations such as «specification, section 2.4», «sections 3 and 9», «design, 4.26»; a comment can break the line inside a citation. */
const NUMBERS = String.raw`\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*\b`;
const CITED = [
  new RegExp(String.raw`\b(specification|design)(?:['’]s[\w ]+)?(?: first)?[,;]?\s\(?(?:sections? (?=\d)|(?=\d\.\d))(${NUMBERS})`, 'g'),
  new RegExp(String.raw`\bsections? (${NUMBERS}) of the (specification|design)\b`, 'g'),
];
function citedIn(text: string): string[] {
  const flat = text.replace(/\n\s*(?:\*|\/\/)\s*/g, ' ');
  return CITED.flatMap((pattern) => [...flat.matchAll(pattern)]).flatMap(([, before = '', after = '']) => {
    const [name, numbers] = /\d/.test(before) ? [after, before] : [before, after];
    return numbers.split(/, | and /).map((number) => `${name} ${number}`);
  });
}
const sectionsOf = (name: string) =>
  all(read(`docs/${name}.md`), /^(?:#+ |\*\*)(\d+(?:\.\d+)?)\b/gm).map((section) => `${name} ${section}`);

test('a citation is found in each of its forms', () => {
  const forms = [
    '(specification, section 2.4)',
    'section 7 of the specification',
    '(specification, section 7; design, 4.26)',
    'the specification first (section 2.11)',
    "The design's state table (section 4.1)",
    '(design, section\n * 4.6)',
    '(specification, sections 3 and 9)',
  ];
  expect(forms.flatMap(citedIn)).toEqual([
    'specification 2.4',
    'specification 7',
    ...['specification 7', 'design 4.26'],
    'specification 2.11',
    'design 4.1',
    'design 4.6',
    ...['specification 3', 'specification 9'],
  ]);
});

test('every cited section of the specification and of the design exists', () => {
  const sections = new Set([...sectionsOf('specification'), ...sectionsOf('design')]);
  const cited = [...sources, ...documents].flatMap((path) => citedIn(read(path)).map((section) => ({ path, section })));
  expect(cited.length).toBeGreaterThan(90);
  expect(cited.filter(({ section }) => !sections.has(section)).map(({ path, section }) => `${path}: ${section}`)).toEqual([]);
});

const screens = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT, exclude: (path) => /\.test\.tsx?$/.test(path) });

test('every Spanish text of the specification occurs in the program', () => {
  const program = screens.map(read).join('\n').replace(/\s+/g, ' ');
  const texts = all(
    read('docs/specification.md')
      .replace(/^[\s\S]*?^## 1/m, '')
      .replace(/\s+/g, ' '),
    /«([^»]+)»/g,
  );
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => !text.split('…').every((part) => program.includes(part.trim())))).toEqual([]);
});

test('docs/architecture.md lists every feature with the first comment of its file', () => {
  const expected = globSync('server/*/*.feature.ts', { cwd: ROOT }).map((path) => {
    const [, comment = ''] = /\/\*\*\s*([\s\S]*?)\s*\*\//.exec(read(path)) ?? [];
    return `| [${path.split('/')[1]}](../${path}) | ${comment.replace(/\s*\n \*\s*/g, ' ')} |`;
  });
  expect(
    read('docs/architecture.md')
      .match(/^\| \[.*\.feature\.ts\).*$/gm)
      ?.toSorted(),
  ).toEqual(expected.toSorted());
});

const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT });

test('every npm script that a document or a workflow names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const current = documents.filter((path) => path !== 'CHANGELOG.md');
  const named = [...current, ...workflows].flatMap((path) =>
    all(read(path), /\bnpm run (?:--silent )?([a-z]\w*)\b/g).map((name) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ name }) => !(name in scripts)).map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test('README.md has the lines that start, demonstrate and test the program', () => {
  const lines = read('README.md').split('\n');
  expect(
    ['npm ci && npm start', 'npm ci && npm run demo', 'npm ci && npm test', 'npm run test:all'].filter((line) => !lines.includes(line)),
  ).toEqual([]);
});

test('the workflows are valid YAML, and each job has several steps', () => {
  const parsed = workflows.map((path) => parse(read(path)) as { jobs: Record<string, { steps: unknown[] }> });
  expect(parsed.length).toBe(2);
  for (const { jobs } of parsed) for (const { steps } of Object.values(jobs)) expect(steps.length).toBeGreaterThan(3);
});
