import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROLES, type Role } from '../../contract/policy/policy.ts';
import { findScreen, mayOpen } from '../access.ts';
import { INSIDE } from '../routes.ts';
import { type Drawn, findAll, readGuide } from './read-guide.ts';
import { guideSection, SECTION, TAB_SECTION } from './sections.ts';

/* The guide has a section for each screen, links that open, and only pictures that e2e/guia.spec.ts checks. */

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'docs/guia');
const GUIDES = ['administrador', 'revendedor', 'transportista', 'todos'] as const;
type Name = (typeof GUIDES)[number];
const OWN: Record<Role, Name> = { superadmin: 'administrador', revendedor: 'revendedor', transportista: 'transportista' };

const textOf = (name: Name) => readFileSync(join(FOLDER, `${name}.md`), 'utf8');
const guideOf = (name: Name) => readGuide(textOf(name));
const bodyOf = (name: Name) => guideOf(name).body;
const idsIn = (name: Name) => ['h2', 'h3'].flatMap((tag) => findAll(bodyOf(name), tag)).map(([, { id = '' }]) => id);
/** Anchors of the page of a guide, which ends in the sections for everyone. */
const anchorsOf = (name: Name) => [...idsIn(name), ...(name === 'todos' ? [] : idsIn('todos'))];

const screens = INSIDE.filter(({ path }) => !path.startsWith('/ayuda'));

test.each(screens)('the screen $path has a section in the guide of each of its roles', (screen) => {
  const address = screen.path.replace('$id', '42');
  expect(guideSection(address)).toBe(SECTION[screen.path as keyof typeof SECTION]);
  // `/` is the dashboard of superadmins, and redirects everyone else home.
  const readers = screen.path === '/' ? (['superadmin'] as const) : ROLES.filter((role) => mayOpen(screen, { role }));
  expect(readers.length).toBeGreaterThan(0);
  expect(readers.filter((role) => !anchorsOf(OWN[role]).includes(guideSection(address) ?? ''))).toEqual([]);
});

test('every tab mapped to its own section has that section in the guide', () => {
  const wanted = Object.entries(TAB_SECTION).flatMap(([path, tabs]) => Object.keys(tabs).map((tab) => `${path}?tab=${tab}`));
  expect(wanted.filter((address) => !anchorsOf('administrador').includes(guideSection(address) ?? ''))).toEqual([]);
  expect(guideSection('/configuracion?tab=database')).toBe('copias-de-seguridad');
  expect(guideSection('/configuracion?tab=appearance')).toBe('configuración');
  expect(guideSection('/nada')).toBeUndefined();
});

test.each(GUIDES)('the guide «%s» has a title and no duplicate anchor', (name) => {
  expect(guideOf(name).title).not.toBe('');
  const anchors = anchorsOf(name);
  expect(anchors.filter((anchor, i) => anchors.indexOf(anchor) !== i)).toEqual([]);
});

/** File that the build writes beside the screens; test/release.test.ts reads it. */
const LICENCES = '/licencias.txt';

test.each(GUIDES)('every link of the guide «%s» opens for its readers', (name) => {
  const readers = name === 'todos' ? ROLES : ROLES.filter((role) => OWN[role] === name);
  const broken = findAll(bodyOf(name), 'a')
    .map(([, { href = '' }]) => href)
    .filter((href) => !href.startsWith('https://') && href !== LICENCES)
    .filter((href) => {
      const [, file, anchor] = /^(?:(\w+)\.md)?(?:#(.+))?$/.exec(href) ?? [];
      const target = (file ?? name) as Name;
      if (!GUIDES.includes(target) || (anchor !== undefined && !anchorsOf(target).includes(decodeURIComponent(anchor)))) return true;
      const screen = findScreen(`/ayuda/${target}`);
      return target !== name && target !== 'todos' && !(screen && readers.every((role) => mayOpen(screen, { role })));
    });
  expect(broken).toEqual([]);
});

type Picture = { name: string; role: string; address: string; labels: string[] };
const pictures: Picture[] = JSON.parse(readFileSync(join(FOLDER, 'img/pictures.json'), 'utf8'));
const shown = GUIDES.flatMap((name) => findAll(bodyOf(name), 'img')).map(([, { src = '', alt = '' }]) => ({ src, alt }));

// e2e/guia.spec.ts opens the screen of each picture and looks for its labels.
test('the guide shows exactly the listed pictures, each small and with an alternative text', () => {
  expect(shown.map(({ src }) => basename(src, '.webp')).toSorted()).toEqual(pictures.map(({ name }) => name).toSorted());
  expect(shown.filter(({ alt }) => alt.length < 15)).toEqual([]);
  const files = readdirSync(join(FOLDER, 'img')).filter((file) => file !== 'pictures.json');
  expect(files.toSorted()).toEqual(pictures.map(({ name }) => `${name}.webp`).toSorted());
  expect(files.filter((file) => statSync(join(FOLDER, 'img', file)).size > 60_000)).toEqual([]);
  expect(pictures.length).toBeLessThanOrEqual(28);
});

test.each(pictures)('the picture «$name» shows a screen that its role may open', ({ role, address, labels }) => {
  const screen = findScreen(address.replace(/\?.*/, ''));
  // The customer's page is no screen of the program.
  if (role === 'cliente') expect(address).toBe('/pagar/$token');
  else expect(screen && mayOpen(screen, { role: role as Role })).toBe(true);
  expect(labels.length).toBeGreaterThan(1);
});

const program = globSync('{contract,server,web}/**/*.{ts,tsx}', { cwd: ROOT, exclude: (path) => /\.test\.tsx?$/.test(path) })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')
  .replace(/\s+/g, ' ');

/** Texts that the program composes; e2e/guia.spec.ts finds them on the screen. */
const COMPOSED = ['Más filtros'];

test.each(GUIDES)('every text quoted in «» by the guide «%s» occurs in the program', (name) => {
  const texts = [
    ...textOf(name)
      .replace(/\s+/g, ' ')
      .matchAll(/«([^»]+)»/g),
  ].map(([, text = '']) => text);
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter((text) => !COMPOSED.includes(text) && !text.split('…').every((part) => program.includes(part)))).toEqual([]);
});

test('Markdown that the guide cannot draw is refused, so that no text is lost', () => {
  expect(() => readGuide('# Guía\n\n<b>no</b>')).toThrow(/html/);
  const [list] = findAll(readGuide('- uno\n- **dos**').body, 'ul');
  expect(list satisfies Drawn | undefined).toEqual(['ul', {}, ['li', {}, 'uno'], ['li', {}, ['strong', {}, 'dos']]]);
});
