import { beforeAll, expect, test } from 'vitest';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { endpoints } from '../../test/endpoints.ts';
import { createWorld, type World } from '../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});

test('every endpoint is described, with its permission, input and output', async () => {
  const { status, body } = await (await world.as('superadmin')).call(getOpenapi);
  expect(status).toBe(200);
  const paths = body.paths as Record<string, Record<string, { requestBody?: unknown; responses: object; 'x-action': string }>>;
  for (const { endpoint, schemas } of endpoints) {
    const described = paths[endpoint.path.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()];
    expect(described, `${endpoint.method} ${endpoint.path}`).toBeDefined();
    expect(described?.['x-action']).toBe(endpoint.action);
    expect(described?.requestBody !== undefined).toBe(schemas.body !== undefined || schemas.bytes !== undefined);
    if (schemas.response[200]) expect(described?.responses).toHaveProperty('200');
  }
});

test('only a superadmin can read the API description', async () => {
  expect((await world.nobody().call(getOpenapi)).status).toBe(401);
  for (const role of ['revendedor', 'transportista'] as const) expect((await (await world.as(role)).call(getOpenapi)).status).toBe(403);
});
