import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ERROR_STATUSES } from '../../contract/kit/endpoint.ts';
import type { Schemas } from '../../contract/kit/schemas.ts';
import { errorBody } from '../../contract/kit/schemas.ts';
import { live } from '../../contract/live/live.ts';
import { listPedidos } from '../../contract/pedidos/pedidos.ts';
import { listPacks, listProducts } from '../../contract/products/products.ts';
import { getSettings } from '../../contract/settings/settings.ts';
import { listUsers } from '../../contract/users/users.ts';
import { connect } from '../../e2e/api.ts';
import type { Client, RawReply } from '../../test/client.ts';
import { endpoints } from '../../test/endpoints.ts';
import { auditBooks } from '../books.ts';
import { operationsOf } from '../description.ts';
import { each, range } from '../each.ts';
import { type Fuzzed, requestsOf } from '../fuzz.ts';
import { headersOf } from '../held.ts';
import { type Row, tally, verdict } from '../row.ts';
import type { Member, Shop } from '../world.ts';

const REQUESTS = 35_000;
const BLOCK = 500;
const AT_ONCE = 8;
// Leaves out an endless stream, a slow backup, and the end of the caller's session.
const LEFT_OUT = [`GET ${live.path}`, 'POST /api/copias', 'POST /api/logout'];
const definitions = new Map(endpoints.map(({ endpoint, schemas }) => [`${endpoint.method} ${endpoint.path}`, schemas]));

type Sent = Fuzzed & { who: number };

/** Every response matches the API description, and refused requests change nothing. */
export const row: Row = {
  name: 'fuzz',
  what: 'random requests made from the description: sound, hostile and broken; those refused once are sent again and must change nothing',
  seconds: 300,
  run: async (world) => {
    const shop = await world.open({ instances: 2 });
    const callers = await callersOf(shop);
    const operations = (await operationsOf(shop.admin)).filter(({ title }) => !LEFT_OUT.includes(title));
    const pool = await poolOf(shop);
    const arbitrary = fc.tuple(
      fc.constantFrom(...operations).chain((o) => requestsOf(o, pool)),
      fc.nat({ max: callers.length - 1 }),
    );
    const { expect, outcome } = verdict();
    const statuses: number[] = [];
    let again = 0;
    const send = async (sent: Sent): Promise<number> => {
      const reply = await ask(callers[sent.who] as Caller, sent);
      statuses.push(reply.status);
      const complaint = wrong(reply, sent);
      expect(!complaint, () => `${sent.operation.title}: ${complaint}: ${sent.path.slice(0, 80)} ${String(sent.body).slice(0, 80)}`);
      return reply.status;
    };
    for (let block = 0; statuses.length < REQUESTS; block += 1) {
      const sents = fc.sample(arbitrary, { numRuns: BLOCK, seed: 20261122 + block }).map(([sent, who]) => ({ ...sent, who }));
      const answered = await each(sents, AT_ONCE, send);
      const refused = sents.filter((sent, i) => sent.operation.method !== 'GET' && (answered[i] as number) >= 400);
      const before = await state(shop);
      const replayed = await each(refused, AT_ONCE, send);
      again += refused.length;
      // A request refused before can succeed now, for example because a deleted order was restored meanwhile.
      if (replayed.every((status) => status >= 400))
        expect((await state(shop)) === before, () => `block ${block}: refused requests changed something`);
    }
    for (const { child } of shop.instances) expect(child.exitCode === null, () => 'the process is gone');
    for (const line of await auditBooks(shop, shop.admin)) expect(false, () => line);
    return outcome(
      `${statuses.length} requests on ${operations.length} operations, ${again} of them repeated refusals: ${tally(statuses)}`,
    );
  },
  control: [
    {
      guard: 'errors without a prototype, for fields called `constructor`',
      edits: [{ file: 'server/kit/errors.ts', find: 'Object.create(null)', replace: '{}' }],
    },
  ],
};

type Caller = { url: string; client: Client };

async function callersOf(shop: Shop): Promise<Caller[]> {
  const [admins, others] = [
    await shop.crew('superadmin', 2),
    [...(await shop.crew('revendedor', 1)), ...(await shop.crew('transportista', 1))],
  ];
  const members = [...admins, ...others] as Member[];
  for (const member of members) await member.request('GET', '/api/csrf-token');
  const nobody = connect(shop.url(1));
  await nobody.request('GET', '/api/csrf-token');
  return [...members, nobody].map((client, turn) => ({ client, url: shop.url(turn) }));
}

/** Returns identifiers of existing records, which callers may change or delete. */
async function poolOf(shop: Shop): Promise<string[]> {
  const pack = await shop.pack({ product_id: (await shop.product({ stock: 1_000_000 })).id });
  const pedidos = await each(range(12), 4, () => shop.pedido({ pack_id: pack.id, estado: 'pendiente_pago' }));
  const victims = await Promise.all([shop.user('transportista'), shop.user('revendedor'), shop.user('superadmin')]);
  const tokens = pedidos.slice(0, 3).flatMap(({ payment_link }) => payment_link?.split('/').at(-1) ?? []);
  return [
    ...pedidos.map(({ id }) => id),
    pack.id,
    pack.product_id,
    ...victims.map(({ id }) => id),
    ...tokens,
    '00000000-0000-4000-8000-000000000000',
  ];
}

/** Sends the request as its caller, with the CSRF token. Uses no client library, which could change the bytes. */
async function ask({ url, client }: Caller, { operation, path, body, contentType }: Sent): Promise<RawReply> {
  const { 'content-type': _, ...headers } = headersOf(client);
  // Sends a wrong version, which is always refused: changed settings would change the rules for later requests.
  const sent = operation.title === 'PUT /api/settings' && body?.startsWith('{"') ? `{"version":999999999,${body.slice(1)}` : body;
  const response = await fetch(url + path, {
    method: operation.method,
    headers: { ...headers, ...(contentType && sent !== undefined ? { 'content-type': contentType } : {}) },
    ...(sent === undefined ? {} : { body: sent }),
    redirect: 'manual',
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

function wrong({ status, headers, text }: RawReply, { operation }: Sent): string | undefined {
  const definition = definitions.get(operation.title) as Schemas;
  if (status >= 500) return `${status} ${text.slice(0, 120)}`;
  const json = String(headers['content-type']).includes('json');
  if (status < 300 && definition.response.file) return undefined;
  const schema =
    status === 200 || status === 201 ? definition.response[status] : ERROR_STATUSES.some((s) => s === status) ? errorBody : undefined;
  if (!schema) return `undeclared status ${status}`;
  if (!json) return `${status} is not JSON: ${headers['content-type']}`;
  const body: unknown = JSON.parse(text);
  const { success, data } = schema.safeParse(body);
  // Compares for equality, because a schema lets unknown fields through.
  return success && isDeepStrictEqual(data, body) ? undefined : `${status} is not as described: ${text.slice(0, 120)}`;
}

/** Returns the visible orders, people, products, packs and settings, to compare before and after. */
async function state({ admin }: Shop): Promise<string> {
  const replies = await Promise.all([
    admin.call(listPedidos, { query: { per_page: 100 } }),
    admin.call(listUsers),
    admin.call(listProducts),
    admin.call(listPacks),
    admin.call(getSettings),
  ]);
  // Leaves out the last access, which any request updates.
  return replies.map(({ text }) => text.replace(/"last_access_at":"[^"]*"/g, '')).join('\n');
}
