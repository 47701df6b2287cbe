import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { schemaModules } from '../kit/endpoints.ts';
import { PROPERTIES } from './properties.ts';

export type Json = Record<string, unknown>;
type Io = 'input' | 'output';

/** Schema names that differ from the name of the export in the contract. */
const NAMES: Readonly<Record<string, string>> = {
  doneMessage: 'Done',
  errorBody: 'Error',
  problemBody: 'Problem',
  product: 'Producto',
  shown: 'Settings',
  user: 'Usuario',
};
const nameOf = (exported: string) => NAMES[exported] ?? exported.charAt(0).toUpperCase() + exported.slice(1);

const isNamed = (value: unknown): value is z.ZodType =>
  value instanceof z.ZodObject || value instanceof z.ZodUnion || value instanceof z.ZodDiscriminatedUnion;

/** Objects and unions that the contract exports, by the name of their export. */
const NAMED: ReadonlyMap<z.ZodType, string> = new Map(
  schemaModules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]): [z.ZodType, string][] => (isNamed(value) ? [[value, nameOf(name)]] : [])),
  ),
);

// Until `finish`, a reference includes its direction, because a schema can differ between requests and responses.
const REF = '#/components/schemas/';
const REFS = new RegExp(`"${REF}(input|output)\\.(\\w+)"`, 'g');

/** Converts `asked` to JSON Schema. Named schemas become references; `finish` adds their components. */
export function jsonSchemas(asked: Record<Io, readonly z.ZodType[]>) {
  const all = { input: convert(asked.input, 'input'), output: convert(asked.output, 'output') };
  const found = (io: Io, name: string) => all[io].components[name] as Json;
  const merged = (json: unknown) => JSON.stringify(json).replace(REFS, '"$2"');

  return {
    /** Returns the JSON Schema of a schema in `asked`. */
    of: (schema: z.ZodType, io: Io): Json =>
      NAMED.has(schema) ? { $ref: `${REF}${io}.${NAMED.get(schema) ?? ''}` } : (all[io].anonymous.get(schema) as Json),

    /** Like `of`, with a named schema written out. */
    whole: (schema: z.ZodType, io: Io): Json =>
      (NAMED.has(schema) ? found(io, NAMED.get(schema) ?? '') : all[io].anonymous.get(schema)) as Json,

    /** Adds the named schemas that the document refers to. A schema that differs in requests gets the suffix `Input`. */
    finish: <D extends { components: object }>(document: D): D => {
      const used = new Set<string>();
      const visit = (json: unknown) => {
        for (const [, io = '', name = ''] of JSON.stringify(json).matchAll(REFS)) {
          const key = `${io}.${name}`;
          if (used.has(key)) continue;
          used.add(key);
          visit(found(io as Io, name));
        }
      };
      visit(document);
      const finalName = (io: string, name: string) => {
        const differs = io === 'input' && used.has(`output.${name}`) && merged(found('input', name)) !== merged(found('output', name));
        return differs ? `${name}Input` : name;
      };
      const named = [...used].map((key): [string, Json] => {
        const [io, name] = key.split('.') as [Io, string];
        return [finalName(io, name), found(io, name)];
      });
      const schemas = Object.fromEntries(named.toSorted(([a], [b]) => a.localeCompare(b)));
      const text = JSON.stringify({ ...document, components: { ...document.components, schemas } });
      return JSON.parse(text.replace(REFS, (_, io: string, name: string) => `"${REF}${finalName(io, name)}"`));
    },
  };
}

function convert(asked: readonly z.ZodType[], io: Io) {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of NAMED) registry.add(schema, { id });
  const anonymous = [...new Set(asked)].filter((schema) => !NAMED.has(schema));
  for (const [n, schema] of anonymous.entries()) registry.add(schema, { id: String(n) });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `${REF}${io}.${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as Json, io),
  });
  const components = Object.fromEntries(Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema as Json]));
  describeProperties(components);
  return { components, anonymous: new Map(anonymous.map((schema, n) => [schema, components[n] as Json])) };
}

/** Words for a property or parameter without a description of its own. */
export const propertyWords = (name: string): string | undefined => (Object.hasOwn(PROPERTIES, name) ? PROPERTIES[name]?.[0] : undefined);

/** Gives the properties in `json` that have no description the usual words for their name, in place. */
function describeProperties(json: unknown): void {
  if (typeof json !== 'object' || json === null) return;
  const { properties } = json as { properties?: Record<string, Json> };
  for (const [name, property] of Object.entries(properties ?? {})) {
    const says = propertyWords(name);
    if (says && !property.description) property.description = says;
  }
  for (const part of Object.values(json)) describeProperties(part);
}

function tidy(schema: z.core.$ZodType, json: Json, io: Io): void {
  // A response may gain properties in a later version.
  if (io === 'output' && schema instanceof z.ZodObject && !schema.def.catchall) delete json.additionalProperties;
  // `format` says the same as the pattern in a tenth of the characters.
  if (['uuid', 'date', 'date-time', 'email'].includes(String(json.format))) delete json.pattern;
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  // Describes a tuple of one kind as a list of fixed length, for tools of older drafts.
  const [kind, ...others] = (json.prefixItems as Json[] | undefined) ?? [];
  if (kind && others.every((other) => isDeepStrictEqual(other, kind))) {
    delete json.prefixItems;
    json.items = kind;
  }
  // Drops the empty schema that Zod emits for a transformation; the other choices describe the result.
  const known = (json.anyOf as Json[] | undefined)?.filter((choice) => Object.keys(choice).length > 0);
  if (!known) return;
  if (known.length > 1) json.anyOf = known;
  else {
    delete json.anyOf;
    Object.assign(json, { ...known[0], ...json });
  }
}
