import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../server/kit/release.ts';
import PARTS from './parts.json' with { type: 'json' };

/* What is shipped: the server's dependencies, the packages that bundles have modules of, and the programs and data of parts.json. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const parsed = <T>(path: string) => JSON.parse(read(path)) as T;

/** Folder of the package of a module, like `node_modules/react`; undefined for sources. Bundlers add modules of their own, after a NUL. */
export function packageFolder(moduleId: string): string | undefined {
  const [, bundler] = /^\0(vite|rolldown)\//.exec(moduleId) ?? [];
  return bundler ? `node_modules/${bundler}` : /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0];
}

/** Returns the package folders of the last bill. */
export const billedPackages = (): string[] =>
  parsed<{ components: { 'bom-ref': string }[] }>('dist/sbom.json').components.map((each) => each['bom-ref']);

/** Writes dist/sbom.json (CycloneDX) and dist/web/licencias.txt, the same for the same modules and dependencies. */
export function writeBill(modules: Iterable<string>): void {
  const { packages } = parsed<{ packages: Record<string, { dev?: boolean }> }>('package-lock.json');
  const ofServer = Object.keys(packages).filter((path) => path && !packages[path]?.dev && existsSync(join(ROOT, path)));
  const shipped = [...new Set([...ofServer, ...[...modules].flatMap((id) => packageFolder(id) ?? [])])].toSorted();
  const texts = (globs: string[]) => globs.flatMap((glob) => globSync(glob, { cwd: ROOT })).map(read);
  const all = [...PARTS.map((part) => ({ ...part, ref: part.name, texts: texts(part.texts) })), ...shipped.map(library)];
  const components = all.map(({ ref, type, name, version, licence, source, ...more }) => ({
    ...{ type, 'bom-ref': ref, name, version, licenses: [{ expression: licence }] },
    ...('purl' in more ? { purl: more.purl } : {}),
    externalReferences: [{ type: 'distribution', url: source }],
  }));
  const metadata = { component: { type: 'application', name: 'enruta', version: VERSION, licenses: [{ expression: 'MIT' }] } };
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components };
  writeFileSync(join(ROOT, 'dist/sbom.json'), `${JSON.stringify(bill, null, 2)}\n`);
  const titled = all.map(({ name, version, licence, ...more }) => ({ ...more, title: `${name} ${version} (${licence})` }));
  const text = [
    'Licencias de Enruta\n\nEnruta tiene licencia MIT. Con ella van estos datos, programas y bibliotecas, cada uno con la suya.\n\n',
    ...titled.map(({ title, source, notice = '' }) => `${`- ${title}: ${source} ${notice}`.trim()}\n`),
    ...titled.flatMap(({ title, texts }) => (texts.length ? `\n${'='.repeat(80)}\n${title}\n\n${texts.join('\n').trim()}\n` : [])),
  ].join('');
  writeFileSync(join(ROOT, 'dist/web/licencias.txt'), text);
}

type Manifest = { name: string; version: string; license?: string; author?: string | { name: string } };
/** Describes a package by its own files: its licence files, or what its README says of the licence. */
function library(ref: string) {
  const { name, version, license: licence = 'NOASSERTION', author } = parsed<Manifest>(join(ref, 'package.json'));
  const notice = typeof author === 'object' ? author.name : author;
  const names = readdirSync(join(ROOT, ref)).toSorted();
  const files = names.filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file)).map((file) => read(join(ref, file)));
  const readme = names.find((file) => /^readme/i.test(file));
  const texts = files.length || !readme ? files : (/^#+ *licen[cs]e[\s\S]*/im.exec(read(join(ref, readme)))?.slice(0, 1) ?? []);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { ref, type: 'library', name, version, licence, source: `https://www.npmjs.com/package/${name}`, purl, notice, texts };
}
