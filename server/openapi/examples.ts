import { PROPERTIES } from './properties.ts';
import type { Json } from './schemas.ts';

/** Values of texts by their format. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '29920bcd-b17c-4b75-b40b-a5d79c1619f8',
  date: '2026-03-10',
  'date-time': '2026-03-10T09:12:00.000Z',
  email: 'agustin@example.es',
};

/** What an example of a body has although it may be left out. */
const TYPED = /^(cliente_\w+|pack_id|cantidad|instrucciones|pedidos)$/;

const typesOf = ({ type }: Json): unknown[] => [type].flat();

/** Longest chain of schemas that an example follows. */
const DEPTH = 8;

/**
 * Makes examples from the schemas of a finished document. A property has its value in `PROPERTIES`, else its default, its first choice, or
 * null where it may be null.
 */
export function exampleMaker(components: Readonly<Record<string, Json>>) {
  const resolved = (json: Json): Json => (typeof json.$ref === 'string' ? (components[json.$ref.split('/').at(-1) ?? ''] ?? {}) : json);
  const choicesOf = (json: Json) => ((json.anyOf ?? json.oneOf) as Json[] | undefined)?.map(resolved);
  const fits = (value: unknown, json: Json): boolean => {
    const choices = choicesOf(json);
    if (choices) return choices.some((choice) => fits(value, choice));
    if (Array.isArray(json.enum)) return json.enum.includes(value);
    if (Array.isArray(value)) return json.type === 'array' && value.every((item) => fits(item, resolved((json.items ?? {}) as Json)));
    return typesOf(json).some((type) => type === typeof value || (type === 'integer' && Number.isInteger(value)));
  };

  const make = (schema: Json, isBody: boolean, name = '', depth = 0): unknown => {
    const json = resolved(schema);
    const known = PROPERTIES[name]?.[1];
    if (known !== undefined && fits(known, json)) return known;
    const choices = choicesOf(json);
    const types = [json, ...(choices ?? [])].flatMap(typesOf);
    if ('const' in json) return json.const;
    if ('default' in json) return json.default;
    if (types.includes('null')) return null;
    if (Array.isArray(json.enum)) return json.enum[0];
    if (choices) return make(choices[0] ?? {}, isBody, name, depth);
    if (types.includes('object')) return depth < DEPTH ? objectOf(json, isBody, depth) : {};
    if (types.includes('array')) return [make((json.items ?? {}) as Json, isBody, '', depth + 1)];
    if (types.includes('number') || types.includes('integer')) return json.minimum ?? 1;
    if (types.includes('boolean')) return false;
    return BY_FORMAT[String(json.format)] ?? 'Texto';
  };
  const objectOf = ({ properties = {}, required = [] }: Json, isBody: boolean, depth: number) => {
    const isShown = (name: string, json: Json) =>
      (required as string[]).includes(name) || (isBody && TYPED.test(name) && fits(PROPERTIES[name]?.[1], resolved(json)));
    const shown = Object.entries(properties as Record<string, Json>).filter(([name, json]) => isShown(name, json));
    return Object.fromEntries(shown.map(([name, json]) => [name, make(json, isBody, name, depth + 1)]));
  };
  return make;
}
