import { proveIdentity } from '../../contract/account/account.ts';
import type { Answer, BodyOut, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../../contract/kit/endpoint.ts';
import type { Schemas } from '../../contract/kit/schemas.ts';
import { getCsrfToken, login } from '../../contract/session/session.ts';
import { emptyOf } from './empty-answer.ts';
import { unasked } from './final-acts.ts';

/*
 * Fake server for component tests: replaces `fetch`. A test sets the answer of an endpoint with the contract's types and schemas. By
 * default, a read returns an empty shop and a write fails the test.
 */

type Asked<E extends EndpointDef> = { params: ParamsIn<E>; query: QueryIn<E>; body: BodyOut<E>; headers: Headers };
type AnyAsked = Asked<EndpointDef>;
type Handle = (asked: AnyAsked) => Response | Promise<Response>;
type Rule = { endpoint: EndpointDef; handle: Handle };

type Module = Record<string, unknown>;
const contract = import.meta.glob<Module>(['../../contract/*/*.ts', '!**/*.test.ts', '!**/{*.,}schemas.ts'], { eager: true });
const schemas = import.meta.glob<Module>('../../contract/*/{*.,}schemas.ts', { eager: true });
/** `caja/caja.ts` has its schemas in `caja/schemas.ts`, `pedidos/lote.ts` in `pedidos/lote.schemas.ts`. */
const schemasBeside = (file: string) => file.replace(/\/([\w-]+)\/\1\.ts$/, '/$1/schemas.ts').replace(/(?<!schemas)\.ts$/, '.schemas.ts');
const ENDPOINTS = new Map(
  Object.entries(contract).flatMap(([file, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, EndpointDef] => isEndpoint(entry[1]))
      .map(([name, endpoint]) => [endpoint, { name, schemas: schemas[schemasBeside(file)]?.[name] as Schemas }] as const),
  ),
);
const endpoints = [...ENDPOINTS.keys()];
const schemasOf = (endpoint: EndpointDef) => ENDPOINTS.get(endpoint)?.schemas as Schemas;
function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;
}

/** Returns the smallest answer of an endpoint: empty lists, zeros, nulls. */
export function emptyAnswer<E extends EndpointDef>(endpoint: E): Answer<E> {
  const { response } = schemasOf(endpoint);
  return emptyOf((response[201] ?? response[200]) as never) as Answer<E>;
}

let rules: Rule[] = [];
let cut = false;
let ended = false;
let silence: Promise<void> | undefined;
let asked: { endpoint: EndpointDef; input: AnyAsked }[] = [];
/** Mistakes in the test: writes without an answer, answers that break the contract. */
let complaints: string[] = [];

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', date: new Date(real.now() + ahead).toUTCString() },
  });

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
// Sorts paths without parameters first, so that /api/pedidos/importar does not match /api/pedidos/:id.
const byPrecision = (a: EndpointDef, b: EndpointDef) => Number(a.path.includes(':')) - Number(b.path.includes(':'));

const realFetch = window.fetch.bind(window);
async function fakeFetch(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(target instanceof Request ? target.url : target, location.href);
  if (!url.pathname.startsWith('/api/')) return realFetch(target, init);
  if (cut) throw new TypeError('Failed to fetch');
  const method = init.method ?? 'GET';
  const endpoint = endpoints.filter((candidate) => matches(candidate, method, url.pathname)).sort(byPrecision)[0];
  if (!endpoint) throw new Error(`The contract has no ${method} ${url.pathname}`);
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const values = patternOf(endpoint).exec(url.pathname)?.slice(1).map(decodeURIComponent) ?? [];
  const sent: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
  const parsed = schemasOf(endpoint).body?.safeParse(sent);
  const silent = unasked(ENDPOINTS.get(endpoint)?.name ?? '');
  if (silent) complaints.push(silent);
  if (parsed?.error) complaints.push(`The contract refuses what was sent to ${method} ${endpoint.path}: ${parsed.error.message}`);
  const input = {
    params: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    query: Object.fromEntries(url.searchParams),
    // Parsed as by the server: trimmed, with defaults.
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
  await silence;
  const rule = rules.find((each) => each.endpoint === endpoint);
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

// Does not use Date.now(), because tests move the browser's clock forward.
const { timeOrigin } = performance;
const real = { now: () => Math.round(timeOrigin + performance.now()) };
let ahead = 0;

// The latest rule wins.
const add = (endpoint: EndpointDef, handle: Handle) => void (rules = [{ endpoint, handle }, ...rules]);

export const server = {
  answer: <E extends EndpointDef>(endpoint: E, body: Answer<E>): void => add(endpoint, () => success(endpoint, body)),

  /** Computes an endpoint's answer from the request. */
  reply: <E extends EndpointDef>(endpoint: E, make: (asked: Asked<E>) => Answer<E>): void =>
    add(endpoint, (input) => success(endpoint, (make as (asked: AnyAsked) => unknown)(input))),

  /** Makes an endpoint fail. */
  refuse: (endpoint: EndpointDef, status: number, body: ErrorBody): void => add(endpoint, () => json(status, body)),

  /** Delays an endpoint's answers until the returned function is called. */
  hold: (endpoint: EndpointDef): (() => void) => {
    const over = Promise.withResolvers<void>();
    const before = rules;
    add(endpoint, async (input) => {
      await over.promise;
      const rule = before.find((each) => each.endpoint === endpoint);
      return rule ? rule.handle(input) : success(endpoint, emptyAnswer(endpoint));
    });
    return () => {
      rules = before;
      over.resolve();
    };
  },

  /** Makes an endpoint demand the password, then answer as before. */
  askProof: (endpoint: EndpointDef): void => {
    const before = rules;
    add(endpoint, () => json(403, { message: 'Confirma quién eres', code: 'step_up' }));
    add(proveIdentity, () => {
      rules = before;
      return success(proveIdentity, { success: true, message: 'Hecho' });
    });
  },

  /** Records the request and then fails, as if the answer were lost. */
  lose: (endpoint: EndpointDef): void =>
    add(endpoint, () => {
      throw new TypeError('Failed to fetch');
    }),

  /** Delays every answer until the returned function is called. */
  silent: (): (() => void) => {
    const over = Promise.withResolvers<void>();
    silence = over.promise;
    return () => {
      silence = undefined;
      over.resolve();
    };
  },

  /** Cuts or restores the network, and tells the browser. */
  offline: (isCut: boolean): void => {
    cut = isCut;
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !cut });
    window.dispatchEvent(new Event(isCut ? 'offline' : 'online'));
  },

  /** Ends the session: answers 401 until the next sign-in. */
  endSession: (): void => void (ended = true),

  /** Moves the server's clock forward. */
  ahead: (ms: number): void => {
    ahead = ms;
  },

  /** Requests received by an endpoint, in order. */
  asked: <E extends EndpointDef>(endpoint: E): Asked<E>[] =>
    asked.filter((call) => call.endpoint === endpoint).map(({ input }) => input as unknown as Asked<E>),
};

/** Replaces `fetch`, starting with an empty shop. */
export function startServer(): void {
  [rules, cut, ended, silence, ahead, asked, complaints] = [[], false, false, undefined, 0, [], []];
  window.fetch = fakeFetch;
}

/** Restores `fetch`. Throws if a write had no answer or an answer broke the contract. */
export function stopServer(): void {
  window.fetch = realFetch;
  if (complaints.length) throw new Error([...new Set(complaints)].join('\n'));
}
