import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERRORS } from '../../contract/kit/errors.ts';
import { PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { pedido } from '../../contract/pedidos/schemas.ts';
import { WEBHOOK_PAYLOADS } from '../../contract/webhooks/payload.schemas.ts';
import { endpoints, schemaModules } from '../kit/endpoints.ts';
import { describeApi } from './description.ts';

type Schema = { properties?: Record<string, { description?: string }>; examples?: unknown[] };
type Parameter = { $ref?: string; in?: string; name?: string; required?: boolean };
type Operation = {
  operationId: string;
  summary?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  responses: Record<string, { $ref?: string }>;
};
type Document = {
  info: { license?: { name: string }; contact?: { url: string } };
  servers: { url: string }[];
  security: Record<string, unknown>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, Schema> };
};

const described = describeApi('https://pedidos.example.es');
const document = described as unknown as Document;
const text = JSON.stringify(described);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ where: `${method} ${path}`, path, operation })),
);
const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => ({ where: name, path: '', operation: post }));
const bad = (broken: (fields: (typeof operations)[number]) => boolean) =>
  [...operations, ...webhooks].filter(broken).map(({ where }) => where);

// Covers findings of `redocly lint` and Spectral (`spectral:oas`), whose 200 MB would be too much for the tests.
describe('a linter of OpenAPI finds nothing', () => {
  test('every operation has a unique name, a summary, a 4xx response and known security schemes', () => {
    expect(operations.length).toBe(endpoints.length);
    const names = [...operations, ...webhooks].map(({ operation }) => operation.operationId);
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
    expect(bad(({ operation }) => !operation.summary)).toEqual([]);
    expect(bad(({ operation }) => !Object.keys(operation.responses).some((status) => /^4/.test(status)))).toEqual([]);
    const schemes = Object.keys(document.components.securitySchemes ?? {});
    expect(
      bad(
        ({ operation: { security = document.security } }) =>
          !security.every((scheme) => Object.keys(scheme).every((name) => schemes.includes(name))),
      ),
    ).toEqual([]);
  });

  const resolved = (parameter: Parameter): Parameter =>
    (parameter.$ref && (document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)) || parameter;

  test('the path parameters of an operation are exactly the variables of its path', () => {
    const wrong = operations.filter(({ path, operation: { parameters = [] } }) => {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = parameters
        .map(resolved)
        .filter((parameter) => parameter.in === 'path' && parameter.required)
        .map(({ name }) => name);
      return named.toSorted().join() !== declared.toSorted().join();
    });
    expect(wrong.map(({ where }) => where)).toEqual([]);
  });

  test('no two paths of the API are ambiguous', () => {
    const paths = Object.keys(document.paths).map((path) => path.split('/'));
    const isVariable = (part: string) => part.startsWith('{');
    const same = (a: string[], b: string[]) =>
      a.length === b.length && a.every((part, n) => part === b[n] || isVariable(part) || isVariable(b[n] ?? ''));
    // Every router matches a fixed path before a path with a variable.
    const isWithin = (a: string[], b: string[]) => a.every((part, n) => part === b[n] || isVariable(b[n] ?? ''));
    const ambiguous = paths.flatMap((a, n) =>
      paths
        .slice(n + 1)
        .filter((b) => same(a, b) && !isWithin(a, b) && !isWithin(b, a))
        .map((b) => [a.join('/'), b.join('/')]),
    );
    expect(ambiguous).toEqual([]);
  });

  test('no choice between schemas contains a schema that matches anything', () => {
    expect(text).not.toMatch(/[[,]\{\}[\],]/);
  });

  test('every reference has its component, and every component a reference', () => {
    const used = new Set([...text.matchAll(/"#\/components\/(\w+\/[\w.]+)"/g)].map(([, name]) => name));
    const { securitySchemes: _, ...referred } = document.components;
    const declared = Object.entries(referred).flatMap(([kind, named]) => Object.keys(named).map((name) => `${kind}/${name}`));
    expect([...used].toSorted()).toEqual(declared.toSorted());
  });

  test('every list describes its items, and every closed choice has the type of its values', () => {
    const wrong: string[] = [];
    const visit = (json: unknown, where: string): void => {
      if (typeof json !== 'object' || json === null) return;
      const { type, items, enum: choices } = json as { type?: unknown; items?: unknown; enum?: unknown[] };
      if (type === 'array' && !items) wrong.push(where);
      if (typeof type === 'string' && Array.isArray(choices) && choices.some((choice) => typeof choice !== type)) wrong.push(where);
      for (const [name, part] of Object.entries(json)) visit(part, `${where}/${name}`);
    };
    visit(described, '');
    expect(wrong).toEqual([]);
  });

  test('the API description names licence, contact, server and every tag in use', () => {
    expect(document.info.license?.name).toBe('MIT');
    expect(document.info.contact?.url).toBe('https://pedidos.example.es');
    expect(document.servers).toEqual([{ url: 'https://pedidos.example.es', description: 'This program' }]);
    const tags = document.tags.map(({ name }) => name).toSorted();
    expect(tags).toEqual([...new Set([...operations, ...webhooks].flatMap(({ operation }) => operation.tags))].toSorted());
  });
});

test('the API description has at most 570 KB, in 90 KB compressed', () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(570_000);
  expect(gzipSync(text).length).toBeLessThanOrEqual(90_000);
});

test('main schemas are named, and referred to by their names', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([
      'Cliente',
      'CreatePedidoBody',
      'Error',
      'Linea',
      'Pack',
      'Pedido',
      'PedidoTransportista',
      'Producto',
      'Usuario',
      'Webhook',
    ]),
  );
  const names = schemaModules.flatMap((module) =>
    Object.entries(module)
      .filter(([, value]) => value === pedido)
      .map(([name]) => name),
  );
  expect(names).toEqual(['pedido']);
  expect(text.match(/"#\/components\/schemas\/Pedido"/g)?.length).toBeGreaterThan(15);
});

test('no two schemas of the contract have one name', () => {
  const named = schemaModules.flatMap((module) => Object.entries(module).filter(([, value]) => value instanceof z.ZodObject));
  const names = [...new Map(named.map(([name, value]) => [value, name])).values()];
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
});

test('a property of the order is described by the label of its field', () => {
  const { properties = {} } = document.components.schemas.Pedido as Schema;
  for (const [name, { label }] of Object.entries(PEDIDO_FIELDS)) expect(properties[name]?.description, name).toBe(label);
});

type Media = { schema?: object; example?: unknown };
type Content = { content?: { 'application/json'?: Media } };
const mediaOf = (part: Content | { $ref: string } | undefined): Media | undefined =>
  part && '$ref' in part
    ? (document.components.responses as Record<string, Content>)[part.$ref.split('/').at(-1) ?? '']?.content?.['application/json']
    : part?.content?.['application/json'];

test.each(endpoints)('$endpoint.method $endpoint.path has one example, which fits its schema', ({ endpoint, schemas }) => {
  const { body, bytes, response } = schemas;
  const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()] as unknown as {
    requestBody?: Content;
    responses: Record<string, Content>;
  };
  const media = mediaOf(operation.requestBody ?? operation.responses[201] ?? operation.responses[200]);
  const schema = body ?? response[201] ?? response[200];
  if (bytes || !schema) return expect(media?.example).toBeUndefined();
  expect(schema.safeParse(media?.example).error?.issues ?? [], JSON.stringify(media?.example)).toEqual([]);
});

test('at least 70 % of the properties in bodies and answers say what they are', () => {
  const all: string[] = [];
  const bare: string[] = [];
  const visit = (json: unknown, where: string): void => {
    if (typeof json !== 'object' || json === null) return;
    const { properties = {} } = json as { properties?: Record<string, { $ref?: string; description?: string }> };
    for (const [name, { $ref, description }] of Object.entries(properties)) {
      all.push(`${where}.${name}`);
      const referred = document.components.schemas[$ref?.split('/').at(-1) ?? ''] as { description?: string } | undefined;
      if (!description && !referred?.description) bare.push(`${where}.${name}`);
    }
    for (const [key, part] of Object.entries(json)) if (!/^examples?$/.test(key)) visit(part, where);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  for (const { where, operation } of operations) visit([(operation as { requestBody?: unknown }).requestBody, operation.responses], where);
  expect(bare.length / all.length, bare.join(', ')).toBeLessThanOrEqual(0.3);
});

test('every refusal in the API description is an error or a problem, and names the codes of its status', () => {
  const { Done: _, ...refusals } = document.components.responses as Record<
    string,
    { description: string; content: Record<string, { schema: object }> }
  >;
  for (const [name, { content }] of Object.entries(refusals))
    expect(content, name).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
  const codes = Object.keys(ERRORS);
  for (const name of ['Error', 'Problem']) expect(document.components.schemas[name]?.properties?.code, name).toMatchObject({ enum: codes });
  expect(codes.filter((code) => !Object.values(refusals).some(({ description }) => description.includes(`\`${code}\``)))).toEqual([]);
  expect(refusals.Conflict?.description).toMatch(/`version`.*`estado`/);
  expect(refusals.Conflict?.description).not.toContain('`validation_failed`');
});

test('every event of the webhooks is described', () => {
  expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_PAYLOADS.keys()]);
});
