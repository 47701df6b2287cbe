import { proveIdentity } from '../../contract/account.ts';
import type { Answer, BodyOut, EndpointDef, ErrorBody, ParamsIn, QueryIn, Schemas } from '../../contract/kit.ts';
import { getCsrfToken, login } from '../../contract/session.ts';
import { emptyOf } from './empty-answer.ts';

/*
 * Stands in for the server in component tests: replaces `fetch`. A test sets an endpoint's answer, with the types
 * and the schemas of the contract. A read without an answer gets that of an empty shop; a write without one fails the
 * test.
 */

type Asked<E extends EndpointDef> = { params: ParamsIn<E>; query: QueryIn<E>; body: BodyOut<E>; headers: Headers };
type AnyAsked = Asked<EndpointDef>;
type Handle = (asked: AnyAsked) => Response | Promise<Response>;
type Rule = { endpoint: EndpointDef; handle: Handle };

type Module = Record<string, unknown>;
const contract = import.meta.glob<Module>(['../../contract/*.ts', '!**/*.test.ts', '!**/*.schemas.ts'], { eager: true });
const schemas = import.meta.glob<Module>('../../contract/*.schemas.ts', { eager: true });
const SCHEMAS = new Map(
  Object.entries(contract).flatMap(([file, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, EndpointDef] => isEndpoint(entry[1]))
      .map(([name, endpoint]) => [endpoint, schemas[file.replace('.ts', '.schemas.ts')]?.[name] as Schemas] as const),
  ),
);
const endpoints = [...SCHEMAS.keys()];
const schemasOf = (endpoint: EndpointDef) => SCHEMAS.get(endpoint) as Schemas;
function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;
}

/** The least that an endpoint answers: empty lists, zeros, nulls. */
export function emptyAnswer<E extends EndpointDef>(endpoint: E): Answer<E> {
  const { response } = schemasOf(endpoint);
  return emptyOf((response[201] ?? response[200]) as never) as Answer<E>;
}

let rules: Rule[] = [];
let cut = false;
let ended = false;
let asked: { endpoint: EndpointDef; input: AnyAsked }[] = [];
/** Faults of the test itself: writes without an answer, answers that break the contract. */
let complaints: string[] = [];

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

function success(endpoint: EndpointDef, body: unknown): Response {
  const { method, path } = endpoint;
  const { response } = schemasOf(endpoint);
  const status = response[201] ? 201 : 200;
  const problem = response[status]?.safeParse(body).error;
  if (problem) complaints.push(`The answer to ${method} ${path} is not of the contract: ${problem.message}`);
  return json(status, body);
}

const patternOf = ({ path }: EndpointDef) => new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`);
const matches = (endpoint: EndpointDef, method: string, pathname: string) =>
  endpoint.method === method && patternOf(endpoint).test(pathname);
// Paths without parameters come first: /api/pedidos/importar is no order.
const byPrecision = (a: EndpointDef, b: EndpointDef) => Number(a.path.includes(':')) - Number(b.path.includes(':'));

const realFetch = window.fetch.bind(window);
async function fakeFetch(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(target instanceof Request ? target.url : target, location.href);
  if (!url.pathname.startsWith('/api/')) return realFetch(target, init);
  if (cut) throw new TypeError('Failed to fetch');
  const method = init.method ?? 'GET';
  const endpoint = endpoints.filter((one) => matches(one, method, url.pathname)).sort(byPrecision)[0];
  if (!endpoint) throw new Error(`The contract has no ${method} ${url.pathname}`);
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const values = patternOf(endpoint).exec(url.pathname)?.slice(1).map(decodeURIComponent) ?? [];
  const sent: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const parsed = schemasOf(endpoint).body?.safeParse(sent);
  if (parsed?.error) complaints.push(`The contract refuses what was sent to ${method} ${endpoint.path}: ${parsed.error.message}`);
  const input = {
    params: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    query: Object.fromEntries(url.searchParams),
    // Parsed as on the server: trimmed, with defaults filled in.
    body: parsed?.data ?? sent,
    headers: new Headers(init.headers),
  } as unknown as AnyAsked;
  asked.push({ endpoint, input });
  const gone = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
  return Promise.race([handle(endpoint, input), gone]);
}

async function handle(endpoint: EndpointDef, input: AnyAsked): Promise<Response> {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  if (endpoint === getCsrfToken) document.cookie = 'XSRF-TOKEN=x; Path=/';
  if (ended && endpoint.action !== 'public') return json(401, { message: 'Usuario no autenticado' });
  const rule = rules.find((one) => one.endpoint === endpoint);
  if (rule) {
    const response = await rule.handle(input);
    if (endpoint === login && response.ok) ended = false;
    return response;
  }
  const { method, path } = endpoint;
  if (method === 'GET' && schemasOf(endpoint).response[200]) return success(endpoint, emptyAnswer(endpoint));
  complaints.push(`Nothing answers ${method} ${path}`);
  return json(500, { message: `Nothing answers ${method} ${path}` });
}

// The latest rule wins.
const add = (endpoint: EndpointDef, handle: Handle) => void (rules = [{ endpoint, handle }, ...rules]);

export const server = {
  /** Sets the answer of an endpoint. */
  answer: <E extends EndpointDef>(endpoint: E, body: Answer<E>): void => add(endpoint, () => success(endpoint, body)),

  /** Sets a function that answers an endpoint from its request. */
  reply: <E extends EndpointDef>(endpoint: E, make: (asked: Asked<E>) => Answer<E>): void =>
    add(endpoint, (input) => success(endpoint, (make as (asked: AnyAsked) => unknown)(input))),

  /** Lets an endpoint refuse. */
  refuse: (endpoint: EndpointDef, status: number, body: ErrorBody): void => add(endpoint, () => json(status, body)),

  /** Holds the answers of an endpoint back; returns a function that releases them. */
  hold: (endpoint: EndpointDef): (() => void) => {
    const over = Promise.withResolvers<void>();
    const before = rules;
    add(endpoint, async (input) => {
      await over.promise;
      const rule = before.find((one) => one.endpoint === endpoint);
      return rule ? rule.handle(input) : success(endpoint, emptyAnswer(endpoint));
    });
    return () => {
      rules = before;
      over.resolve();
    };
  },

  /** An endpoint asks for the password, and answers as it did before once that is given. */
  askProof: (endpoint: EndpointDef): void => {
    const before = rules;
    add(endpoint, () => json(403, { message: 'Confirma quién eres', code: 'step_up' }));
    add(proveIdentity, () => {
      rules = before;
      return success(proveIdentity, { success: true, message: 'Hecho' });
    });
  },

  /** The answer of an endpoint is lost on its way back, after the server has done what was asked. */
  lose: (endpoint: EndpointDef): void =>
    add(endpoint, () => {
      throw new TypeError('Failed to fetch');
    }),

  /** Cuts the network, or brings it back; the browser notices too. */
  offline: (isCut: boolean): void => {
    cut = isCut;
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !cut });
    window.dispatchEvent(new Event(isCut ? 'offline' : 'online'));
  },

  /** Ends the session: the server answers 401 until the next sign-in. */
  endSession: (): void => void (ended = true),

  /** Requests to an endpoint, in order. */
  asked: <E extends EndpointDef>(endpoint: E): Asked<E>[] =>
    asked.filter((one) => one.endpoint === endpoint).map(({ input }) => input as unknown as Asked<E>),
};

/** Replaces `fetch` with an empty shop. */
export function startServer(): void {
  [rules, cut, ended, asked, complaints] = [[], false, false, [], []];
  window.fetch = fakeFetch;
}

/** Restores `fetch`. Throws for a write without an answer, and for an answer that the contract does not allow. */
export function stopServer(): void {
  window.fetch = realFetch;
  if (complaints.length) throw new Error([...new Set(complaints)].join('\n'));
}
