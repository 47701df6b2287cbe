import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { KEY_ACTIONS } from '../../contract/api-keys/fields.ts';
import { type EndpointDef, honoursKey, IDEMPOTENCY_KEY, UNRESTRICTED } from '../../contract/kit/endpoint.ts';
import { ERRORS, PROBLEM } from '../../contract/kit/errors.ts';
import type { Operation } from '../kit/endpoints.ts';
import { type Json, propertyWords } from './schemas.ts';

export type JsonOf = (schema: z.ZodType, io: 'input' | 'output') => Json;
type ObjectSchema = { properties?: Record<string, Json>; required?: string[] };

const ref = (kind: 'responses' | 'parameters' | 'headers', name: string) => ({ $ref: `#/components/${kind}/${name}` });

const SAYS = {
  Forbidden: [403, 'The key or the person has no permission'],
  Missing: [404, 'There is no such record, or it is not for the caller to see'],
  Conflict: [409, 'The state or the version of the record is another, or others were changing it at that moment'],
  Gone: [410, 'The cursor is from before a restored backup, or the link has expired'],
  Unprocessable: [422, 'The contents break a rule; `errors` names the fields'],
} as const;
const CODES = Object.entries(ERRORS) as [string, { status: readonly number[] }][];
const withCodes = (says: string, isMeant: (status: number) => boolean): string => {
  const codes = CODES.filter(([, { status }]) => status.some(isMeant)).map(([code]) => `\`${code}\``);
  return `${says}. Codes: ${codes.join(', ')}.`;
};
const STATUSES: readonly number[] = Object.values(SAYS).map(([status]) => status);

const refusal = (description: string, headers = {}) => ({
  description,
  headers: { 'X-Request-Id': ref('headers', 'RequestId'), ...headers },
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/output.Error' } },
    [PROBLEM]: { schema: { $ref: '#/components/schemas/output.Problem' } },
  },
});

/** Usual response of a write, shared by the operations. */
const DONE = { description: 'Done', content: { 'application/json': { schema: { $ref: '#/components/schemas/output.Done' } } } };

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } });
/** Headers of each webhook. */
export const SIGNED = {
  WebhookId: header('webhook-id', 'The same when it is sent again'),
  WebhookTimestamp: header('webhook-timestamp', 'Seconds since 1970'),
  WebhookSignature: header('webhook-signature', 'After Standard Webhooks: check it over the body as it arrived'),
};

/** Components of the OpenAPI document to which operations and webhooks refer. */
export const SHARED = {
  headers: {
    RequestId: { description: 'Names the request in the server’s log', schema: { type: 'string' } },
    RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' } },
  },
  parameters: {
    ...SIGNED,
    IdempotencyKey: {
      name: IDEMPOTENCY_KEY,
      in: 'header',
      description: 'For eight days the same key and request do nothing more and get the same answer',
      schema: { type: 'string', minLength: 8, maxLength: 200 },
      example: 'web-10482',
    },
  },
  responses: {
    Done: DONE,
    ...Object.fromEntries(Object.entries(SAYS).map(([name, [status, says]]) => [name, refusal(withCodes(says, (of) => of === status))])),
    Failed: refusal(
      withCodes(
        'Another refusal: the request cannot be read (400), no key or session, or one that is no longer valid (401), too many requests (429), or the server cannot answer now (503); `Retry-After` says when to come back',
        (status) => !STATUSES.includes(status),
      ),
      { 'Retry-After': ref('headers', 'RetryAfter') },
    ),
  },
  securitySchemes: {
    key: { type: 'http', scheme: 'bearer', description: 'A key made in «Configuración › Integraciones», `enr_…`' },
    session: { type: 'apiKey', in: 'cookie', name: 'enruta', description: 'A browser’s session; `__Host-enruta` over https' },
    xsrf: {
      type: 'apiKey',
      in: 'header',
      name: 'X-XSRF-TOKEN',
      description: 'For writes of a browser: the value of the cookie XSRF-TOKEN',
    },
  },
} as const;

const isUnrestricted = ({ action }: EndpointDef) => UNRESTRICTED.some((open) => open === action);
const isOpen = ({ action }: EndpointDef) => action === 'public' || action === 'signed';

/** True if a key may call the endpoint, given its permission. */
export const isForKeys = (endpoint: EndpointDef): boolean =>
  (endpoint.stepUp !== true || endpoint.keysWithoutProof === true) && !isUnrestricted(endpoint) && endpoint.action in KEY_ACTIONS;

/** Returns the path of an endpoint in OpenAPI's notation. */
export const openapiPath = ({ path }: EndpointDef): string => path.replace(/:(\w+)/g, '{$1}');

/** Returns the operation object of an endpoint (OpenAPI 3.1, section 4.8.10). */
export function describeOperation({ name, module, endpoint, schemas }: Operation, json: JsonOf, whole: JsonOf): Json {
  const { summary, params, query, body, bytes, response } = schemas;
  const parameters = [
    ...parametersOf('path', params && whole(params, 'input')),
    ...parametersOf('query', query && whole(query, 'input')),
    ...(honoursKey(endpoint) ? [ref('parameters', 'IdempotencyKey')] : []),
  ];
  const answer = response[201] ?? response[200];
  const content = response.file
    ? { [response.file.split(';')[0] as string]: {} }
    : { 'application/json': { schema: answer ? json(answer, 'output') : {} } };
  const success = { description: response[201] ? 'Made' : 'Done', content };
  return {
    operationId: name,
    summary,
    description: whoMay(endpoint),
    tags: [module],
    'x-action': endpoint.action,
    ...(isDeepStrictEqual(securityOf(endpoint), USUAL_SECURITY) ? {} : { security: securityOf(endpoint) }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: json(body, 'input') } } } } : {}),
    ...(bytes ? { requestBody: { required: true, content: Object.fromEntries(bytes.map((type) => [type, {}])) } } : {}),
    responses: {
      [response[201] ? '201' : '200']: isDeepStrictEqual(success, DONE) ? ref('responses', 'Done') : success,
      ...Object.fromEntries(refusalsOf(endpoint, schemas).map((kind) => [SAYS[kind][0], ref('responses', kind)])),
      default: ref('responses', 'Failed'),
    },
  };
}

const parametersOf = (where: 'path' | 'query', { properties = {}, required = [] }: ObjectSchema = {}): Json[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    ...(where === 'path' || required.includes(name) ? { required: true } : {}),
    ...(description || propertyWords(name) ? { description: description ?? propertyWords(name) } : {}),
    schema,
  }));

/** Replaces parameters that several operations share by references, in place, and returns them as components by name. */
export function shareParameters(operations: readonly Json[]): Record<string, Json> {
  const all = operations.flatMap(({ parameters = [] }) => parameters as Json[]).filter(({ $ref }) => !$ref);
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter));
  const named = new Map<string, string>();
  const shared: Record<string, Json> = {};
  for (const [text, same] of [...uses].toSorted(([, a], [, b]) => b.length - a.length)) {
    const [parameter] = same;
    const name = componentName(String(parameter?.name));
    // Of different parameters with one name, only the most frequent becomes a component.
    if (same.length < 2 || !parameter || name in shared) continue;
    shared[name] = parameter;
    named.set(text, name);
  }
  for (const operation of operations)
    operation.parameters &&= (operation.parameters as Json[]).map((parameter) => {
      const name = named.get(JSON.stringify(parameter));
      return name ? ref('parameters', name) : parameter;
    });
  return shared;
}
const componentName = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Default security of the document: that of a write open to API keys. Other operations state their own. */
export const USUAL_SECURITY: Json[] = [{ key: [] }, { session: [], xsrf: [] }];

function securityOf(endpoint: EndpointDef): Json[] {
  if (isOpen(endpoint)) return [];
  const byBrowser = { session: [], ...(endpoint.method === 'GET' ? {} : { xsrf: [] }) };
  return [...(isForKeys(endpoint) ? [{ key: [] }] : []), byBrowser];
}

function whoMay(endpoint: EndpointDef): string {
  const { action } = endpoint;
  if (action === 'signed') return 'Called by a payment provider or web shop, whose signature is checked.';
  if (isOpen(endpoint)) return 'Open to all.';
  if (action === 'session') return 'For a signed-in person.';
  if (!isForKeys(endpoint)) return 'Closed to keys.';
  return `Permission of a key: «${KEY_ACTIONS[action as keyof typeof KEY_ACTIONS]}».`;
}

function refusalsOf(endpoint: EndpointDef, { params, query, body }: Operation['schemas']): (keyof typeof SAYS)[] {
  const writes = endpoint.method !== 'GET';
  return [
    ...(isOpen(endpoint) ? [] : (['Forbidden'] as const)),
    ...(params ? (['Missing'] as const) : []),
    ...(writes ? (['Conflict'] as const) : []),
    ...(endpoint.action === 'public' || endpoint.path.startsWith('/api/cambios/') ? (['Gone'] as const) : []),
    ...(params || query || body ? (['Unprocessable'] as const) : []),
  ];
}
