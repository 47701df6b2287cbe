import fc from 'fast-check';
import type { JSONSchema } from 'zod/v4/core';
import type { Operation } from './description.ts';

type Schema = JSONSchema.BaseSchema;
/** A request as sent over the wire. */
export type Fuzzed = { operation: Operation; path: string; body: string | undefined; contentType: string };

const NAMES = [
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  '',
  '0',
  'a.b',
  '\0',
  '$where',
  'ñandú',
  '😀',
  'x'.repeat(300),
];
const HOSTILE_TEXT = [
  '\0',
  'a\0b',
  '\ud800',
  '\u202eabc',
  "'; DROP TABLE pedidos; --",
  '%',
  '%00',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  'é'.repeat(6),
  '😀'.repeat(200),
  'x'.repeat(5000),
  ' ',
  '\u200b',
  '1e309',
  'NaN',
  '9'.repeat(400),
  '-1',
  '0001-01-01',
  '99999-01-01',
  '2026-02-30',
];
const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXT), fc.string({ unit: 'binary', maxLength: 60 }));
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, -1, 0, 1.5, -0, 1e308, 2 ** 53, 2 ** 31, -(2 ** 63), [], {}, [[[[[[]]]]]], ['x', null, {}]),
  fc.constantFrom(...NAMES).map((name) => ({ [name]: 1 })),
);

/** Values that mostly fit a schema of the description; identifiers come from `pool`. */
function valid(schema: Schema, pool: readonly string[]): fc.Arbitrary<unknown> {
  const of = (part: unknown) => valid(part as Schema, pool);
  const among = (schema.anyOf ??
    schema.oneOf ??
    (Array.isArray(schema.type) ? schema.type.map((type: string) => ({ ...schema, type })) : undefined)) as Schema[] | undefined;
  if (among) return fc.oneof(...among.map(of));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'string') return text(schema, pool);
  if (schema.type === 'integer' || schema.type === 'number')
    return fc.integer({ min: Math.max(-100, Number(schema.minimum ?? 0)), max: Math.min(500, Number(schema.maximum ?? 500)) });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') return fc.array(of(schema.items ?? {}), { maxLength: 3 });
  if (schema.type === 'object') return shape(schema, pool);
  return fc.constantFrom('x', 1, null);
}

function text({ format, maxLength }: Schema, pool: readonly string[]): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.constantFrom(...pool);
  if (format === 'date') return fc.constantFrom('2026-11-22', '2024-02-29', '1900-01-01', '2999-12-31');
  if (format === 'date-time') return fc.constantFrom('2026-11-22T10:00:00Z', '2026-03-29T02:30:00+02:00');
  if (format === 'email') return fc.constantFrom('ana@enruta.test', 'nadie@enruta.test');
  return fc.oneof(
    fc.constantFrom('Ana', 'calle', 'si', '2026', 'mrw', 'x@enruta.test', ...pool.slice(0, 2)),
    fc.string({ maxLength: Math.min(12, maxLength ?? 12) }),
  );
}

function shape({ properties = {}, required = [] }: Schema, pool: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const model = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valid(part as Schema, pool)]));
  return fc.record(model, { requiredKeys: required as string[] });
}

/** A body that fits, has one wrong field, has an extra field, or does not fit at all. */
function body(schema: Schema | undefined, pool: readonly string[]): fc.Arbitrary<string | undefined> {
  const fits = schema ? valid(schema, pool) : fc.constant({});
  const broken = fc
    .tuple(fits, fc.constantFrom(...NAMES), hostileValue, fc.nat(), fc.boolean())
    .map(([value, name, hostile, n, replaces]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return hostile;
      const names = Object.keys(value);
      const at = replaces && names.length > 0 ? (names[n % names.length] as string) : name;
      // Made from entries, because assigning to __proto__ adds no field.
      return Object.fromEntries([...Object.entries(value).filter(([key]) => key !== at), [at, hostile]]);
    });
  const raw = fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    `[${'['.repeat(2000)}`,
  );
  return fc.oneof(
    { weight: 3, arbitrary: fits.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: broken.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
  );
}

/** Requests of one operation: parameters, query and body, each valid or hostile. */
export function requestsOf(operation: Operation, pool: readonly string[]): fc.Arbitrary<Fuzzed> {
  const parameter = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pool) }, { weight: 1, arbitrary: hostileText });
  const query = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record(Object.fromEntries(Object.entries(operation.query).map(([name, schema]) => [name, valid(schema, pool)])), {
        requiredKeys: [],
      }),
    },
    { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(operation.query), ...NAMES), hostileText, { maxKeys: 3 }) },
  );
  const types = fc.constantFrom(
    ...Array<string>(12).fill('application/json'),
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'application/json; charset=latin1',
    '',
  );
  return fc
    .tuple(fc.array(parameter, { minLength: 2, maxLength: 2 }), query, body(operation.body, pool), types)
    .map(([parameters, asked, sent, contentType]) => {
      let n = 0;
      const path = operation.path.replace(/:\w+/g, () => encodeURIComponent((parameters[n++] as string).toWellFormed()) || '%20');
      const search = new URLSearchParams(
        Object.entries(asked).map(([name, value]) => [name, String(value)] as [string, string]),
      ).toString();
      return { operation, path: search ? `${path}?${search}` : path, body: operation.method === 'GET' ? undefined : sent, contentType };
    });
}
