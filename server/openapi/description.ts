import type { z } from 'zod';
import { errorBody, problemBody } from '../../contract/kit/schemas.ts';
import { WEBHOOK_PAYLOADS } from '../../contract/webhooks/payload.schemas.ts';
import { endpoints } from '../kit/endpoints.ts';
import { VERSION } from '../kit/release.ts';
import { exampleMaker } from './examples.ts';
import { describeOperation, openapiPath, SHARED, SIGNED, shareParameters, USUAL_SECURITY } from './operations.ts';
import { type Json, jsonSchemas } from './schemas.ts';

const ABOUT = `Everything the screens do they do over this API. Amounts are euros, instants ISO 8601 in UTC, days yyyy-MM-dd in the
business's time zone. A program sends its key as \`Authorization: Bearer enr_…\`; \`x-action\` of an operation is the permission its key
needs. Errors are \`{ message, errors?, code? }\` with Spanish sentences, or a problem of RFC 9457 for \`Accept: application/problem+json\`;
a published \`code\` never changes. 429 and 503 say when to come back in \`Retry-After\`. Every answer names its request in \`X-Request-Id\`.`;

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const inReadingOrder = endpoints.toSorted(
  ({ endpoint: a }, { endpoint: b }) => a.path.localeCompare(b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
);

/** Returns the description of the API as OpenAPI 3.1 (design, section 5). Needs no database and takes tens of milliseconds. */
export function describeApi(publicUrl: string | undefined): Json {
  const bodies = [...WEBHOOK_PAYLOADS.values()].map(({ body }) => body);
  const present = (schemas: (z.ZodType | undefined)[]) => schemas.filter((schema) => schema !== undefined);
  const json = jsonSchemas({
    input: endpoints.flatMap(({ schemas: { params, query, body } }) => present([params, query, body])),
    output: [
      errorBody,
      problemBody,
      ...bodies,
      ...endpoints.flatMap(({ schemas: { response } }) => present([response[200], response[201]])),
    ],
  });
  const paths: Record<string, Json> = {};
  for (const operation of inReadingOrder) {
    const path = (paths[openapiPath(operation.endpoint)] ??= {});
    path[operation.endpoint.method.toLowerCase()] = describeOperation(operation, json.of, json.whole);
  }
  const parameters = {
    ...shareParameters(Object.values(paths).flatMap((methods) => Object.values(methods) as Json[])),
    ...SHARED.parameters,
  };
  const document = json.finish({
    openapi: '3.1.0',
    info: {
      title: 'Enruta',
      version: VERSION,
      description: ABOUT,
      contact: { name: 'Who runs this installation', ...(publicUrl && { url: publicUrl }) },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl ?? '/', description: 'This program' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: USUAL_SECURITY,
    paths,
    webhooks: Object.fromEntries(
      [...WEBHOOK_PAYLOADS].map(([type, { label, body }]) => [type, describeWebhook(type, label, json.of(body, 'output'))]),
    ),
    components: { ...SHARED, parameters },
  });
  addExamples(document);
  return document;
}

type Media = { schema?: Json; example?: unknown };
type WithContent = { content?: { 'application/json'?: Media } };
type Described = { requestBody?: WithContent; responses: Record<string, WithContent> };

/** Gives each operation one example, in place: of its body, or of its answer if it takes none. */
function addExamples(document: { paths: Record<string, Json>; components: Json }): void {
  const { schemas, responses } = document.components as { schemas: Record<string, Json>; responses: { Done: WithContent } };
  const make = exampleMaker(schemas);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods) as Described[]);
  for (const { requestBody, responses: own } of operations) {
    const media = (requestBody ?? own[201] ?? own[200])?.content?.['application/json'];
    if (media?.schema) media.example = make(media.schema, !!requestBody);
  }
  const done = responses.Done.content?.['application/json'];
  if (done?.schema) done.example = make(done.schema, false);
}

function describeWebhook(type: string, label: string, schema: Json): Json {
  const post = {
    operationId: `webhook.${type}`,
    summary: label,
    tags: ['webhooks'],
    security: [],
    parameters: Object.keys(SIGNED).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received' }, '410': { description: 'No longer wanted: the webhook is deactivated' } },
  };
  return { post };
}

/** Tags of the API's description, one per contract module, most used first. */
const TAGS: Readonly<Record<string, string>> = {
  pedidos: 'Orders: list, read, create, change, move from one `estado` to another, many at once, import',
  comentarios: 'Comments on an order',
  entrega: 'Proof of delivery: signature and photo',
  deshacer: 'Steps of orders taken back',
  devoluciones: 'Returns of delivered orders',
  payments: 'Payments of an order, refunds, and transfers to review',
  etiquetas: 'Labels, scanning and loading',
  transportista: 'Orders that a carrier can take',
  ruta: 'The day’s route of a carrier',
  clientes: 'Customers, made of the orders',
  products: 'Products, packs and the stock ledger',
  precios: 'Own prices of a reseller',
  sheets: 'Formats of files, as a person has set them',
  cambios: 'What has changed since a cursor, to keep a copy',
  webhooks: 'Addresses that are told of events',
  events: 'Events of the last days, to read what a webhook missed',
  stats: 'Figures of the dashboards',
  liquidaciones: 'Monthly statements of what people earn',
  banco: 'Bank statements, and their credits that wait',
  caja: 'Cash that carriers collect and hand over',
  envios: 'Shipments handed to other companies',
  tienda: 'Orders of a web shop: received by themselves, and those that wait for a person',
  facturables: 'What ought to be invoiced, for an invoicing program',
  exports: 'Exports as Excel and CSV',
  vistas: 'Saved views of lists',
  vitals: 'How long people’s screens take',
  mensajes: 'Texts to send to customers',
  pagar: 'The customer’s page of payment and tracking; no key',
  users: 'People: resellers, carriers, superadmins',
  account: 'Own account, second factor, devices',
  session: 'Sign-in and session of a browser',
  notifications: 'Notifications in the app',
  push: 'Push notifications',
  live: 'Stream of changes to a browser',
  audit: 'Log of actions and refusals',
  privacidad: 'Personal data of customers',
  settings: 'Settings of the business',
  'api-keys': 'Keys of other programs',
  openapi: 'This description',
  version: 'Version of the program',
  backups: 'Backups',
  cuadre: 'Nightly recount',
  failures: 'Background jobs that fail',
};
