import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const asvs = readFileSync(join(import.meta.dirname, '../docs/asvs.md'), 'utf8');

/** Number of requirements of levels 1 and 2 in each section of ASVS 5.0.0; these requirements come first in a section. */
const SECTIONS = Object.entries({
  ...{ '1.1': 2, '1.2': 9, '1.3': 11, '1.4': 3, '1.5': 2, '2.1': 3, '2.2': 3, '2.3': 4, '2.4': 1, '3.2': 2, '3.3': 4, '3.4': 6, '3.5': 5 },
  ...{ '3.7': 2, '4.1': 3, '4.2': 1, '4.3': 2, '4.4': 4, '5.1': 1, '5.2': 3, '5.3': 2, '5.4': 3, '6.1': 3, '6.2': 12, '6.3': 4, '6.4': 4 },
  ...{ '6.5': 5, '6.6': 3, '6.8': 4, '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 2, '7.6': 2, '8.1': 2, '8.2': 3, '8.3': 1, '8.4': 1 },
  ...{ '9.1': 3, '9.2': 4, '10.1': 2, '10.2': 2, '10.3': 4, '10.4': 11, '10.5': 5, '10.6': 2, '10.7': 3, '11.1': 2, '11.2': 3, '11.3': 3 },
  ...{ '11.4': 4, '11.5': 1, '11.6': 1, '12.1': 3, '12.2': 2, '12.3': 4, '13.1': 1, '13.2': 5, '13.3': 2, '13.4': 5, '14.1': 2, '14.2': 4 },
  ...{ '14.3': 3, '15.1': 3, '15.2': 3, '15.3': 7, '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 3, '17.1': 1, '17.2': 4, '17.3': 2 },
});
const REQUIREMENTS = SECTIONS.flatMap(([section, count]) => Array.from({ length: count }, (_, i) => `${section}.${i + 1}`));

/** Requirements named in a text: single ones, whole sections or chapters, and ranges. */
function requirementsOf(text: string): string[] {
  return [...text.matchAll(/(\d+(?:\.\d+){0,2})(?:–(\d+\.\d+\.\d+))?/g)].flatMap(([, first = '', last]) =>
    last
      ? REQUIREMENTS.slice(REQUIREMENTS.indexOf(first), REQUIREMENTS.indexOf(last) + 1)
      : REQUIREMENTS.filter((id) => `${id}.`.startsWith(`${first}.`)),
  );
}

const rows = [...asvs.matchAll(/^\| (\d[\d., –]*) \|.*\|$/gm)].map(([row, ids = '']) => ({ row, ids: requirementsOf(ids) }));
const [absent = ''] = /^Not at all here:[\s\S]*?\n\n/m.exec(asvs) ?? [];

test('every requirement of ASVS levels 1 and 2 is answered once', () => {
  expect(REQUIREMENTS).toHaveLength(253);
  const answered = [...rows.flatMap(({ ids }) => ids), ...requirementsOf(absent)];
  expect(answered.toSorted()).toEqual(REQUIREMENTS.toSorted());
});

test('every requirement that is not met, or only in part, is explained', () => {
  const short = rows.filter(({ row }) => /\*\*(in part|not met)\*\*/.test(row)).flatMap(({ ids }) => ids);
  const explained = requirementsOf(asvs.split('## Not met, and met in part')[1] ?? '');
  expect(short.length).toBeGreaterThan(10);
  expect(short.filter((id) => !explained.includes(id))).toEqual([]);
});
