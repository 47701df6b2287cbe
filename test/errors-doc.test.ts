import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_STATUSES } from '../contract/kit/endpoint.ts';
import { defaultErrorCode, ERRORS } from '../contract/kit/errors.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
const ROW = /^\| <a id="(?<anchor>\w+)"><\/a>`(?<code>\w+)` \| (?<statuses>[\d, ]+) \| (?<meaning>[^|]+) \| (?<todo>[^|]+) \|$/;

test('docs/errors.md lists exactly the codes of the table, with their statuses', () => {
  const rows = page.split('\n').filter((line) => line.includes('<a id='));
  const listed = rows.map((line) => {
    const { anchor, code, statuses } = ROW.exec(line)?.groups ?? {};
    expect([line, anchor]).toEqual([line, code]);
    return [code, statuses];
  });
  const table = Object.entries(ERRORS).map(([code, { status }]) => [code, status.join(', ')]);
  expect(listed.toSorted()).toEqual(table.toSorted());
});

test('every status has a general code, and all codes are snake_case', () => {
  const statuses = new Set(Object.values(ERRORS).map(({ status }) => status[0]));
  for (const status of ERROR_STATUSES) expect(statuses).toContain(status);
  expect([400, 401, 403, 404, 409, 422, 429, 500, 503].map(defaultErrorCode)).toEqual([
    'bad_request',
    'not_signed_in',
    'permission_missing',
    'not_found',
    'conflict',
    'validation_failed',
    'rate_limited',
    'internal_error',
    'unavailable',
  ]);
  expect([defaultErrorCode(418), defaultErrorCode(507)]).toEqual(['bad_request', 'internal_error']);
  expect(Object.keys(ERRORS).filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
});
