import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { listApiKeys } from '../../contract/api-keys/api-keys.ts';
import { getOpenapi } from '../../contract/openapi/openapi.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { address, expectAccessible, open } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { textsOf } from '../../test/web/list.ts';
import { theSettings } from '../../test/web/samples.ts';

/* API reference: search, details of a call, example. */

const KEY = [{ key: [] }];
const answered = (schema: object) => ({ '200': { content: { 'application/json': { schema } } } });
const DESCRIBED = {
  security: [],
  tags: [
    { name: 'pedidos', description: 'Orders' },
    { name: 'users', description: 'People' },
  ],
  paths: {
    '/api/pedidos': {
      post: {
        operationId: 'createPedido',
        summary: 'Create an order',
        description: 'Permission of a key: «Crear pedidos» (`pedido:create`).',
        tags: ['pedidos'],
        security: KEY,
        parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
        responses: answered({ $ref: '#/components/schemas/Pedido' }),
      },
    },
    '/api/users': {
      get: {
        operationId: 'listUsers',
        summary: 'People of one role',
        description: '',
        tags: ['users'],
        security: [],
        responses: answered({}),
      },
    },
  },
  components: {
    parameters: { IdempotencyKey: { name: 'Idempotency-Key', in: 'header', description: 'Once', schema: { type: 'string' } } },
    schemas: {
      Body: {
        type: 'object',
        required: ['cliente_nombre', 'cantidad'],
        properties: {
          cliente_nombre: { type: 'string', description: 'Nombre' },
          cantidad: { type: 'integer', default: 2, description: 'Units of `pack_id`, a lone ` stays' },
          nota: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        },
      },
      Pedido: { type: 'object', properties: { lineas: { type: 'array', items: { $ref: '#/components/schemas/Linea' } } } },
    },
  },
};

beforeEach(() => server.answer(getOpenapi, DESCRIBED));

const call = (name: RegExp) => page.getByText(name);

test('a call of the API is shown with its parameters, body, answer and an example', async () => {
  open('/referencia-api');
  await call(/^Create an order$/).click();
  const details = page.getByRole('region', { name: 'pedidos' });
  await expect.element(details).toMatchTextContent('Permission of a key: «Crear pedidos» (pedido:create).');
  expect(textsOf(details.getByRole('code'))).toEqual(['pedido:create', 'pack_id']);
  await expect.element(details).toMatchTextContent('Units of pack_id, a lone ` stays');
  for (const text of ['Contenido: Body', 'cliente_nombre (obligatorio)', 'texto · Nombre', 'texto o null', 'Respuesta: Pedido', 'Linea[]'])
    await expect.element(details).toMatchTextContent(text);
  const origin = window.location.origin;
  await expect.element(details).toMatchTextContent(`curl -X POST "${origin}/api/pedidos"`);
  await expect.element(details).toMatchTextContent('-H "Idempotency-Key: web-10482"');
  await expect.element(details).toMatchTextContent(`-d '{"cliente_nombre":"…","cantidad":2}'`);
  await expectAccessible();
});

test('the search in the API reference narrows the calls, and reports when no call matches', async () => {
  open('/referencia-api?search=people');
  await expect.element(call(/^People of one role$/)).toBeVisible();
  await expect.element(page.getByText('Sin clave')).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'pedidos' })).not.toBeInTheDocument();
  await page.getByRole('searchbox').fill('nada de esto');
  await expect.element(page.getByText('Nada coincide con la búsqueda')).toBeVisible();
});

test('the section of API keys links to the API reference', async () => {
  server.answer(getSettings, { data: theSettings() });
  server.answer(listApiKeys, { data: [] });
  open('/configuracion?tab=integrations');
  await page.getByRole('link', { name: 'Referencia de la API' }).click();
  await expect.poll(address).toBe('/referencia-api');
});
