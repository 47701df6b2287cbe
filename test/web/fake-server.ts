import type { Answer, BodyOut, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../../contract/kit.ts';
import { getCsrfToken, login } from '../../contract/session.ts';
import { emptyOf } from './empty-answer.ts';

/*
 * Stands in for the server in component tests: replaces `fetch`. A test says what an endpoint answers, with the types
 * and the schemas of the contract. What nobody has said anything about is the answer of an empty shop to a read, and
 * fails the test when it is a write.
 */

type Asked<E extends EndpointDef> = { params: ParamsIn<E>; query: QueryIn<E>; body: BodyOut<E>; headers: Headers };
type AnyAsked = Asked<EndpointDef>;
type Handle = (asked: AnyAsked) => Response | Promise<Response>;
type Rule = { endpoint: EndpointDef; handle: Handle };

const contract = import.meta.glob<Record<string, unknown>>(['../../contract/*.ts', '!**/*.test.ts'], { eager: true });
const endpoints = Object.values(contract).flatMap((module) => Object.values(module).filter(isEndpoint));
function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;
}

let rules: Rule[] = [];
let cut = false;
let ended = false;
let asked: { endpoint: EndpointDef; input: AnyAsked }[] = [];
/** What went wrong on this side: writes that nothing answers, answers that break the contract. */
let complaints: string[] = [];

const json = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

function success({ method, path, response }: EndpointDef, body: unknown): Response {
  const status = response[201] ? 201 : 200;
  const problem = response[status]?.safeParse(body).error;
  if (problem) complaints.push(`The answer to ${method} ${path} is not of the contract: ${problem.message}`);
  return json(status, body);
}

const patternOf = ({ path }: EndpointDef) => new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`);
const matches = (endpoint: EndpointDef, method: string, pathname: string) =>
  endpoint.method === method && patternOf(endpoint).test(pathname);
// A path without parameters before one with: /api/pedidos/importar is no order.
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
  const parsed = endpoint.body?.safeParse(sent);
  if (parsed?.error) complaints.push(`The contract refuses what was sent to ${method} ${endpoint.path}: ${parsed.error.message}`);
  const input = {
    params: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    query: Object.fromEntries(url.searchParams),
    // As the server reads it: trimmed, and with what is absent filled in.
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
  const { method, path, response } = endpoint;
  if (method === 'GET' && response[200]) return success(endpoint, emptyOf(response[200]));
  complaints.push(`Nothing answers ${method} ${path}`);
  return json(500, { message: `Nothing answers ${method} ${path}` });
}

// The latest rule counts.
const add = (endpoint: EndpointDef, handle: Handle) => void (rules = [{ endpoint, handle }, ...rules]);

export const server = {
  /** An endpoint answers this from now on. */
  answer: <E extends EndpointDef>(endpoint: E, body: Answer<E>): void => add(endpoint, () => success(endpoint, body)),

  /** An endpoint answers from now on what a function makes of what is asked. */
  reply: <E extends EndpointDef>(endpoint: E, make: (asked: Asked<E>) => Answer<E>): void =>
    add(endpoint, (input) => success(endpoint, (make as (asked: AnyAsked) => unknown)(input))),

  /** An endpoint refuses from now on. */
  refuse: (endpoint: EndpointDef, status: number, body: ErrorBody): void => add(endpoint, () => json(status, body)),

  /** An endpoint keeps whoever asks waiting; returns how to let it answer as it did before. */
  hold: (endpoint: EndpointDef): (() => void) => {
    const over = Promise.withResolvers<void>();
    const before = rules;
    add(endpoint, async (input) => {
      await over.promise;
      const rule = before.find((one) => one.endpoint === endpoint);
      return rule ? rule.handle(input) : success(endpoint, emptyOf(endpoint.response[200] as never));
    });
    return () => {
      rules = before;
      over.resolve();
    };
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

  /** The session ends: until somebody signs in, the server knows this browser no more. */
  endSession: (): void => void (ended = true),

  /** What an endpoint has been asked, in order. */
  asked: <E extends EndpointDef>(endpoint: E): Asked<E>[] =>
    asked.filter((one) => one.endpoint === endpoint).map(({ input }) => input as unknown as Asked<E>),
};

/** Answers `fetch` from now on, as an empty shop. */
export function startServer(): void {
  [rules, cut, ended, asked, complaints] = [[], false, false, [], []];
  window.fetch = fakeFetch;
}

/** Gives `fetch` back. Throws when something was asked that nothing answers, or answered that the contract does not know. */
export function stopServer(): void {
  window.fetch = realFetch;
  if (complaints.length) throw new Error([...new Set(complaints)].join('\n'));
}
