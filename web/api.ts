import { keepPreviousData, QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer, BodyIn, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../contract/kit.ts';
import { getCsrfToken, getUser, UNATTENDED } from '../contract/session.ts';
import { isAttended } from './attended.ts';
import { toast } from './ui/page/toast.tsx';

/*
 * The only way to the server: an endpoint of the contract plus what it takes, and its answer back with
 * the contract's types. Every failure is an ApiError.
 */

export const NO_CONNECTION = 'Error al conectar con el servidor';

export class ApiError extends Error {
  /** 0 when no answer arrived. */
  readonly status: number;
  readonly errors: Record<string, string[]>;
  readonly code: string | undefined;
  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.errors = body.errors ?? {};
    this.code = body.code;
  }
}

type Raw = { params?: object; query?: object; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal };
// A part of the input is required when the endpoint declares it and it has a required field.
type Part<K extends string, T> = [T] extends [undefined]
  ? { [key in K]?: undefined }
  : undefined extends T
    ? { [key in K]?: T }
    : Record<never, never> extends T
      ? { [key in K]?: T }
      : { [key in K]: T };
export type Input<E extends EndpointDef> = Part<'params', ParamsIn<E>> & Part<'query', QueryIn<E>> & Part<'body', BodyIn<E>> & Raw;
// `call(listUsers)` needs no second argument when nothing in it is required.
type Args<I> = Record<never, never> extends I ? [input?: I] : [input: I];

function addressOf(path: string, { params = {}, query = {} }: Raw): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size ? `${filled}?${search}` : filled;
}

function antiForgery(): string | undefined {
  const value = document.cookie.match(/(?:^|;\s*)XSRF-TOKEN=([^;]*)/)?.[1];
  return value && decodeURIComponent(value);
}

async function send(method: string, address: string, input: Raw): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...input.headers };
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-xsrf-token'] = antiForgery() ?? '';
  if (!isAttended()) headers[UNATTENDED] = '1';
  const body = input.body === undefined ? null : JSON.stringify(input.body);
  try {
    return await fetch(address, { method, headers, body, credentials: 'include', signal: input.signal ?? null });
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw new ApiError(0, { message: NO_CONNECTION });
  }
}

/** A session brings the anti-forgery cookie with it: without one there is nobody to ask for. */
export const mayHaveSession = (): boolean => antiForgery() !== undefined;
export function forgetAntiForgery(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=; Max-Age=0; Path=/';
}

/** Asks for the anti-forgery cookie; the sign-in screen does so before its one write. */
export async function refreshAntiForgery(): Promise<void> {
  const response = await send('GET', getCsrfToken.path, {});
  if (!response.ok) throw new ApiError(0, { message: NO_CONNECTION });
}

const hasMessage = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string';

async function request<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
  const address = addressOf(endpoint.path, input);
  const writes = endpoint.method !== 'GET';
  if (writes && !antiForgery()) await refreshAntiForgery();
  let response = await send(endpoint.method, address, input);
  if (writes && response.status === 419) {
    await refreshAntiForgery();
    response = await send(endpoint.method, address, input);
  }
  // An answer that is not JSON did not come from the application (a proxy's page, a cut connection).
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body as Answer<E>;
  const refusal = hasMessage(body) ? body : { message: NO_CONNECTION };
  if (response.status === 401) {
    forgetAntiForgery();
    sessionChanged(null);
  }
  // Something must be done in «Mi cuenta» first, since a moment ago: who it is has to be asked again.
  if (refusal.code?.startsWith('pending_')) sessionChanged();
  throw new ApiError(response.status, refusal);
}

/** Calls an endpoint of the contract; throws ApiError for every failure. */
export function call<E extends EndpointDef>(endpoint: E, ...[input]: Args<Input<E>>): Promise<Answer<E>> {
  return request(endpoint, input ?? {});
}

/** The first sentence about each field, for `form.setErrors` of @mantine/form. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(Object.entries(error.errors).map(([field, [first = error.message]]) => [field, first]));
}

/* ---- the cache ---- */

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a network too, so that the screen says so.
      networkMode: 'always',
      // A refusal does not change by asking again; a lost connection may.
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status === 503),
    },
  },
});

const keyOf = (endpoint: EndpointDef) => [endpoint.path];
export const SESSION_KEY = keyOf(getUser);

let onChange = () => {};
/** What to do when the server no longer knows this browser, or lets it in no further: the router runs its guards again. */
export function whenSessionChanges(listener: () => void) {
  onChange = listener;
}
function sessionChanged(to?: null) {
  if (!queryClient.getQueryData(SESSION_KEY)) return;
  if (to === null) queryClient.setQueryData(SESSION_KEY, to);
  else queryClient.removeQueries({ queryKey: SESSION_KEY });
  onChange();
}

type ApiOptions = {
  enabled?: boolean;
  /** Milliseconds between refetches. */
  refetchInterval?: number;
  staleTime?: number;
  /** Keeps the rows of the last page on screen while the next one loads. */
  keepPrevious?: boolean;
};

/** Reads from the server: `const { data, error, refetch } = useApi(listPedidos, { query }, { keepPrevious: true })`. */
export function useApi<E extends EndpointDef>(endpoint: E, input: Input<E>, { keepPrevious, ...options }: ApiOptions = {}) {
  const { params, query, body } = input;
  return useQuery<Answer<E>, ApiError>({
    queryKey: [...keyOf(endpoint), { params, query, body }],
    queryFn: ({ signal }) => request(endpoint, { ...input, signal }),
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

type MutateOptions<E extends EndpointDef> = {
  onSuccess?: (answer: Answer<E>, input: Input<E>) => void;
  onError?: (error: ApiError, input: Input<E>) => void;
  /** Toast text; without it the server's `message`; `false` for no toast. */
  success?: string | false | ((answer: Answer<E>, input: Input<E>) => string);
  /** Toast text when the server gave no sentence of its own; `false` for no toast. */
  failure?: string | false;
  /** Endpoints whose queries become stale; without it everything but the session does. */
  invalidates?: readonly EndpointDef[];
  /** The @mantine/form form that shows the server's field errors. */
  form?: { setErrors: (errors: Record<string, string>) => void };
};

/** Writes to the server: `const save = useMutate(updatePedido, { success: 'Guardado', form }); save.mutate({ params, body })`. */
export function useMutate<E extends EndpointDef>(endpoint: E, options: MutateOptions<E> = {}) {
  const client = useQueryClient();
  const { success, failure, invalidates, form } = options;
  const about = (input: Raw) => `${endpoint.method} ${addressOf(endpoint.path, input)}`;
  const refresh = () =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => (invalidates ? invalidates.some((e) => e.path === path) : path !== getUser.path),
    });
  return useMutation<Answer<E>, ApiError, Input<E>>({
    mutationFn: (input) => request(endpoint, input),
    onSuccess: (answer, input) => {
      const message = hasMessage(answer) ? answer.message : undefined;
      const text = typeof success === 'function' ? success(answer, input) : (success ?? message);
      if (text) toast.success(text);
      toast.clear(about(input));
      refresh();
      options.onSuccess?.(answer, input);
    },
    onError: (error, input) => {
      form?.setErrors(fieldErrors(error));
      if (failure !== false) toast.failure(error, failure, about(input));
      // Somebody else was first: what is on screen is out of date.
      if (error.status === 404 || error.status === 409) refresh();
      options.onError?.(error, input);
    },
  });
}
