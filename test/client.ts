import type { Answer, BodyIn, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../contract/kit/endpoint.ts';

import { refuseWrongText } from './wrong-texts.ts';

export type RawReply = { status: number; headers: Record<string, string | string[] | undefined>; text: string };
export type RawRequest = { method: string; path: string; headers: Record<string, string>; body: string | Buffer<ArrayBuffer> | undefined };
/** Transport of requests: `app.inject` in API tests, `fetch` in browser tests. */
export type Send = (request: RawRequest) => Promise<RawReply>;

type Input<E extends EndpointDef> = {
  params?: ParamsIn<E>;
  query?: Partial<QueryIn<E>>;
  body?: BodyIn<E>;
  headers?: Record<string, string>;
  /** False omits the anti-forgery token. */
  xsrf?: boolean;
};
type RawInput = { body?: unknown; headers?: Record<string, string>; xsrf?: boolean };
/** `body` combines the success type with the error fields; tests check `status` first. */
export type Reply<T> = { status: number; headers: RawReply['headers']; text: string; body: T };

export type Client = ReturnType<typeof createClient>;

/** A client with a cookie jar that echoes the anti-forgery token on every write, as the browser does. */
export function createClient(send: Send) {
  const cookies = new Map<string, string>();

  async function request<T>(method: string, path: string, { body, headers = {}, xsrf = true }: RawInput = {}): Promise<Reply<T>> {
    const write = method !== 'GET' && method !== 'HEAD';
    if (write && xsrf && !cookies.has('XSRF-TOKEN')) await request('GET', '/api/csrf-token');
    const reply = await send({
      method,
      path,
      headers: {
        ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
        ...(write && xsrf ? { 'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '' } : {}),
        ...(body === undefined ? {} : { 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json' }),
        ...headers,
      },
      body:
        body === undefined ? undefined : typeof body === 'string' ? body : Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body),
    });
    for (const line of [reply.headers['set-cookie'] ?? []].flat()) keep(line);
    const type = String(reply.headers['content-type'] ?? '');
    if (/html|csv/.test(type)) refuseWrongText(reply.text.replace(/<(script|style)[\s\S]*?<\/\1>/g, ''), path);
    const read = (_: string, value: unknown) => (typeof value === 'string' ? checkedText(value, path) : value);
    return { ...reply, body: (type.includes('json') ? JSON.parse(reply.text, read) : undefined) as T };
  }

  function keep(line: string) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const gone = attributes.some((a) => /^max-age=0$/i.test(a) || (/^expires=/i.test(a) && Date.parse(a.slice(8)) <= Date.now()));
    if (gone) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  return {
    cookies,
    /** Sends any request, including ones the contract's types would reject. */
    request: (method: string, path: string, input?: RawInput) => request<unknown>(method, path, input),
    call: <E extends EndpointDef>(endpoint: E, { params, query, ...rest }: Input<E> = {}) =>
      request<Answer<E> & Partial<ErrorBody>>(endpoint.method, address(endpoint.path, params ?? {}, query ?? {}), rest),
  };
}

/** Returns a text of an answer; throws if it has a value without words. The description of the API names such values. */
function checkedText(text: string, path: string): string {
  if (!path.endsWith('/openapi.json')) refuseWrongText(text, path);
  return text;
}

/** Fills in the `:names` of `path` and appends `query`. */
export function address(path: string, params: Record<string, unknown>, query: Record<string, unknown> = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${path} needs the parameter ${name}`);
    return encodeURIComponent(String(params[name]));
  });
  const values = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${filled}?${search}` : filled;
}
