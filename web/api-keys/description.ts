/* Parts of the API's description (OpenAPI 3.1) that the reference shows. */

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Content = { content?: Record<string, { schema?: Schema }> };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** If absent, the document's security applies. */
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
export type Description = {
  security: Record<string, unknown>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

export type Call = Omit<Operation, 'parameters' | 'security'> &
  Required<Pick<Operation, 'parameters' | 'security'>> & { method: string; path: string };
export type Row = { name: string; type: string; required: boolean; description: string };

const nameOf = (ref: string) => ref.split('/').at(-1) ?? '';

/** Calls of the API by tag, in the order of the tags. */
export function callsByTag({ security, tags, paths, components }: Description) {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => {
      const parameters = (operation.parameters ?? []).map((one) => (one.$ref ? components.parameters[nameOf(one.$ref)] : one) ?? one);
      return { security, ...operation, method: method.toUpperCase(), path, parameters };
    }),
  );
  return tags.map((tag) => ({ ...tag, calls: calls.filter((call) => call.tags.includes(tag.name)) }));
}

/** Type of a value in a few characters: `texto`, `Pedido[]`, `número o null`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts) return [...new Set(parts.map(typeOf))].join(' o ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' o ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return schema.format ?? TYPES[schema.type ?? ''] ?? schema.type ?? 'cualquiera';
}
const TYPES: Record<string, string> = { string: 'texto', number: 'número', integer: 'entero', boolean: 'sí o no', object: 'objeto' };

const resolved = (description: Description, schema: Schema): Schema =>
  schema.$ref ? (description.components.schemas[nameOf(schema.$ref)] ?? {}) : schema;

/** Properties of an object schema, or of the schema that a `$ref` names. */
export function rowsOf(description: Description, schema: Schema): Row[] {
  const { properties = {}, required = [] } = resolved(description, schema);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: required.includes(name),
    description: property.description ?? '',
  }));
}

/** Sample for a schema: an example, constant, default or first allowed value, else only the required properties. */
export function sampleOf(description: Description, given: Schema): unknown {
  const schema = resolved(description, given);
  const fixed = schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (fixed !== undefined) return fixed;
  const part = (schema.anyOf ?? schema.oneOf)?.[0];
  if (part) return sampleOf(description, part);
  if (schema.type === 'array') return [sampleOf(description, schema.items ?? {})];
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sampleOf(description, schema.properties?.[name] ?? {})]));
  return schema.type === 'integer' || schema.type === 'number' ? 1 : schema.type === 'boolean' ? true : '…';
}

const JSON_TYPE = 'application/json';
export const bodyOf = ({ requestBody }: Call): Schema | undefined => requestBody?.content?.[JSON_TYPE]?.schema;
export const answerOf = ({ responses }: Call): Schema | undefined => (responses['201'] ?? responses['200'])?.content?.[JSON_TYPE]?.schema;
export const isForKeys = ({ security }: Call): boolean => security.some((one) => 'key' in one);

/** Shell command that makes the call with curl. */
export function curlOf(description: Description, call: Call, origin: string): string {
  const body = bodyOf(call);
  const query = call.parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => `${name}=…`);
  return [
    `curl${call.method === 'GET' ? '' : ` -X ${call.method}`} "${origin}${call.path}${query.length ? `?${query.join('&')}` : ''}"`,
    ...(call.security.length ? ['-H "Authorization: Bearer $ENRUTA_KEY"'] : []),
    ...(call.parameters.some(({ name }) => name === 'Idempotency-Key') ? ['-H "Idempotency-Key: web-10482"'] : []),
    ...(body ? [`-H "Content-Type: ${JSON_TYPE}"`, `-d '${JSON.stringify(sampleOf(description, body)).replaceAll("'", "'\\''")}'`] : []),
  ].join(' \\\n  ');
}
