import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HEIGHTS, SIZES, SPACES, WEIGHTS } from './tokens.ts';

const WEB = import.meta.dirname;
const sourcesOf = (glob: string) =>
  globSync(glob, { cwd: WEB })
    .filter((path) => !/test\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(WEB, path), 'utf8')] as const);
const sheets = sourcesOf('**/*.css');
const screens = sourcesOf('**/*.tsx');

/** Values of a property or attribute in the sources that `allowed` does not hold, with their files. */
const others = (sources: typeof sheets, what: RegExp, allowed: (value: string) => boolean) =>
  sources.flatMap(([path, source]) =>
    [...source.matchAll(what)].flatMap(([, value = '']) => (allowed(value.trim()) ? [] : [`${path}: ${value.trim()}`])),
  );
const px = (length: string) => Math.abs(Number.parseFloat(length)) * (length.endsWith('rem') ? 16 : 1);
const isOneOf = (values: Record<string, number>) => (value: string) => Object.values(values).includes(Number(value));

it('text has five sizes', () => {
  const isSize = (value: string) => /var\(--mantine-(font-size|h\d)|^(inherit|0)$/.test(value) || isOneOf(SIZES)(String(px(value)));
  expect(others(sheets, /\bfont-size: ([^;]+);/g, isSize)).toEqual([]);
  const named = (value: string) => /^"?(xs|sm|md|lg|xl|h[1-5]|inherit)"?$/.test(value);
  expect(others(screens, /\bfz[=:] ?\{?("[^"]+"|[\d.]+)/g, named)).toEqual([]);
  expect(Object.values(SIZES)).toHaveLength(5);
});

it('text has three weights', () => {
  const isWeight = (value: string) => value === 'inherit' || isOneOf(WEIGHTS)(value);
  expect(others(sheets, /\bfont-weight: ([^;]+);/g, isWeight).filter((found) => !found.startsWith('face.css'))).toEqual([]);
  expect(others(screens, /\bfw=\{(\d+)/g, isWeight)).toEqual([]);
  expect(others(screens, /\bfontWeight: '?(\d+)/g, isWeight)).toEqual([]);
});

it('distances are multiples of four, or two within one thing', () => {
  const isStep = (value: string) => px(value) % 4 === 0 || px(value) <= 2;
  const lengths = others(sheets, /^\s*(?:padding|margin|gap|row-gap|column-gap)[\w-]*: ([^;]+);/gm, (value) =>
    (value.match(/(?<![\w.-])-?[\d.]+(?:px|rem)\b/g) ?? []).every(isStep),
  );
  expect(lengths).toEqual([]);
  expect(others(screens, /\b(?:gap|[pm][xytblr]?)=\{(-?\d+)\}/g, isStep)).toEqual([]);
  expect(Object.values(SPACES).filter((space) => space % 4)).toEqual([]);
});

it('controls have three heights', () => {
  expect(others(screens, /<(?:Button|ActionIcon|CloseButton|TextInput)\b[^<]*?\b(?:mih|h|size)=\{(\d+)\}/g, isOneOf(HEIGHTS))).toEqual([]);
});

it('colours come from the theme; paper is white', () => {
  // The palette a person picks from, and sheets before or without the theme: the ground, the customer's page, paper.
  const own = /^(base\.css|pagar\/pagar\.css|pedidos\/print\/|settings\/setting-input\.tsx)/;
  const found = others([...sheets, ...screens], /[^&\w](#[0-9a-f]{3,8})\b(?!['"]?\s*\))/gi, (value) => /^#(fff|000|0000)$/.test(value));
  expect(found.filter((line) => !own.test(line))).toEqual([]);
});
