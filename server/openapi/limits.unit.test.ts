import { expect, test } from 'vitest';
import { describeApi } from './description.ts';

/*
 * What other programs are held to and rely on: each limit, default and status of the API. `npm run columns` writes limits.txt, a paragraph per
 * schema or endpoint, so that any change shows in its diff.
 */

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'default', 'const'];
/** Parts of a path in the description that say nothing. */
const PLUMBING = /^(?:properties|schema|content|application\/json|requestBody|parameters|anyOf|allOf|items|\d)$/;
const isObject = (json: unknown): json is Record<string, unknown> => typeof json === 'object' && json !== null;

/** Limits as «place limit value», such as `cliente.nombre maxLength 160`. */
function limitsOf(json: unknown, where: readonly string[] = []): string[] {
  if (!isObject(json)) return [];
  const at = json.in === 'query' ? [...where, String(json.name)] : where;
  const own = LIMITS.flatMap((limit) => (limit in json && !isObject(json[limit]) ? [`${limit} ${String(json[limit])}`] : []));
  const deeper = Object.entries(json).flatMap(([key, part]) =>
    /^(?:examples?|description|summary|default|responses)$/.test(key) ? [] : limitsOf(part, PLUMBING.test(key) ? at : [...at, key]),
  );
  return [...(own.length ? [`${at.join('.')} ${own.join(' ')}`] : []), ...deeper];
}

test('the limits, defaults and statuses of the API are those of limits.txt', async () => {
  const { paths, components } = describeApi('https://pedidos.example.es') as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    components: Record<string, Record<string, unknown>>;
  };
  const ofEndpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method} ${path} ${Object.keys(operation.responses).join(' ')}`,
      ...limitsOf(operation),
      ...Object.values(operation.responses).flatMap((response) => limitsOf(response, ['answer'])),
    ]),
  );
  const ofSchemas = Object.entries({ ...components.parameters, ...components.schemas })
    .map(([name, schema]) => [name, ...limitsOf(schema)])
    .filter(({ length }) => length > 1);
  const text = [...ofEndpoints, ...ofSchemas].map(([name, ...limits]) => [name, ...limits].join('; ')).join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot('./limits.txt');
});
