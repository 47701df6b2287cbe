import { keepPreviousData, QueryClient, type MutateOptions as Sending, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { addressOf } from '../contract/address.ts';
import type { Answer, BodyIn, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../contract/kit.ts';
import { getCsrfToken, getUser, type SessionUser, UNATTENDED } from '../contract/session.ts';
import { isAttended } from './attended.ts';
import { heard, unheard } from './connection.ts';
import { keyed } from './keys.ts';
import { type FocusableForm, focusFirst } from './ui/form/focus-first.ts';
import { toast } from './ui/page/toast.tsx';
import { hasMessage, LATE, LIMIT_MS, LOST, NO_CONNECTION, unanswered, within, withReference } from './unanswered.ts';
import { useOnce } from './use-once.ts';

/*
 * The only way to the server: an endpoint of the contract plus what it takes, and its answer back with
 * the contract's types. Every failure is an ApiError.
 */

export { NO_CONNECTION };

/** Code of what asks for the password again. */
export const STEP_UP = 'step_up';

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

type Raw = {
  params?: object;
  query?: object;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Milliseconds for the answer, where it may take longer or be waited for less than others. */
  limit?: number;
};
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
    const response = await fetch(address, { method, headers, body, credentials: 'include', signal: input.signal ?? null });
    heard();
    return response;
  } catch (error) {
    if (input.signal?.aborted) throw error;
    throw silence(LOST, method, input);
  }
}

function silence(code: typeof LATE | typeof LOST, method: string, { headers }: Raw): ApiError {
  unheard();
  return new ApiError(0, unanswered(code, method, headers));
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

let askProof: (() => Promise<boolean>) | undefined;
let asking: Promise<boolean> | undefined;
/** How to ask the person for password and code; several requests that need it share one question. */
export function whenProofIsAsked(ask: () => Promise<boolean>): () => void {
  askProof = ask;
  return () => {
    askProof = undefined;
  };
}
function proven(): Promise<boolean> {
  asking ??= (askProof?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}

async function request<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
  const late = () => silence(LATE, endpoint.method, input);
  try {
    return await within(input.limit ?? LIMIT_MS, input.signal, (signal) => attempt(endpoint, { ...input, signal }), late);
  } catch (error) {
    // Outside the limit: typing the password takes a person's time.
    if (error instanceof ApiError && error.code === STEP_UP && (await proven())) return request(endpoint, input);
    throw error;
  }
}

async function attempt<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
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
  const refusal = hasMessage(body) ? withReference(body, response) : { message: NO_CONNECTION };
  if (response.status === 401) {
    forgetAntiForgery();
    sessionChanged(null);
  }
  // Something must be done in «Mi cuenta» first, since a moment ago: who it is has to be asked again.
  if (refusal.code?.startsWith('pending_')) sessionChanged();
  // A success whose body was cut off is an answer that got lost.
  throw response.ok ? silence(LOST, endpoint.method, input) : new ApiError(response.status, refusal);
}

/** Calls an endpoint of the contract; throws ApiError for every failure. */
export function call<E extends EndpointDef>(endpoint: E, ...[input]: Args<Input<E>>): Promise<Answer<E>> {
  return write(endpoint, input ?? {});
}

/** A request that was made on purpose, under a key if it writes. */
function write<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
  const isLost = (error: unknown) => error instanceof ApiError && error.status === 0;
  return keyed(endpoint, input, (headers) => request(endpoint, { ...input, headers }), isLost);
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
      refetchOnReconnect: true,
      // A refusal does not change by asking again; a lost connection may, but whoever has waited to the end is told.
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiError) || error.status === 503 || (error.status === 0 && error.code !== LATE)),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    // By default they would wait for the network without a word.
    mutations: { networkMode: 'always' },
  },
});

const keyOf = (endpoint: EndpointDef) => [endpoint.path];
export const SESSION_KEY = keyOf(getUser);

let onChange = (_gone: SessionUser | undefined) => {};
/** What to do when the server no longer knows this browser, which was `gone`'s, or lets it in no further. */
export function whenSessionChanges(listener: typeof onChange) {
  onChange = listener;
}
function sessionChanged(to?: null) {
  const user = queryClient.getQueryData<SessionUser | null>(SESSION_KEY);
  if (!user) return;
  if (to === null) queryClient.setQueryData(SESSION_KEY, to);
  else queryClient.removeQueries({ queryKey: SESSION_KEY });
  onChange(to === null ? user : undefined);
}

type ApiOptions = {
  enabled?: boolean;
  /** Milliseconds between refetches. */
  refetchInterval?: number;
  staleTime?: number;
  /** Keeps the rows of the last page on screen while the next one loads. */
  keepPrevious?: boolean;
};

const queryOf = <E extends EndpointDef>(endpoint: E, input: Raw) => ({
  queryKey: [...keyOf(endpoint), addressOf(endpoint.path, input), input.body],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Answer<E>> => request(endpoint, { ...input, signal }),
});

/** Asks before a screen does: what then reads the same from the server has it already. */
export const fetchApi = (endpoint: EndpointDef, input: Raw): void => void queryClient.prefetchQuery(queryOf(endpoint, input));

/** Reads from the server: `const { data, error, refetch } = useApi(listPedidos, { query }, { keepPrevious: true })`. */
export function useApi<E extends EndpointDef>(endpoint: E, input: Input<E>, { keepPrevious, ...options }: ApiOptions = {}) {
  return useQuery<Answer<E>, ApiError>({
    ...queryOf(endpoint, input),
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

type MutateOptions<E extends EndpointDef> = {
  onSuccess?: (answer: Answer<E>, input: Input<E>) => void;
  onError?: (error: ApiError, input: Input<E>) => void;
  /** Shows what somebody else, who saved first, has changed; instead of a toast. */
  onStale?: () => void;
  /** Toast text; without it the server's `message`; `false` for no toast. */
  success?: string | false | ((answer: Answer<E>, input: Input<E>) => string);
  /** Toast text when the server gave no sentence of its own; `false` for no toast. */
  failure?: string | false;
  /** Endpoints whose queries become stale; without it everything but the session does. */
  invalidates?: readonly EndpointDef[];
  /**
   * Looks, after a refusal or a lost answer, whether what was wanted is there all the same, and answers as if it had
   * just been done: nobody's own success is an error.
   */
  achieved?: (input: Input<E>) => Promise<Answer<E> | undefined>;
  /** Milliseconds for the answer, where it may take longer than others. */
  limit?: number;
  /** The @mantine/form form that shows the server's field errors; the first of them takes the focus. */
  form?: FocusableForm & { setErrors: (errors: Record<string, string>) => void };
};

/** Writes to the server: `const save = useMutate(updatePedido, { success: 'Guardado', form }); save.mutate({ params, body })`. */
export function useMutate<E extends EndpointDef>(endpoint: E, options: MutateOptions<E> = {}) {
  const client = useQueryClient();
  const { success, failure, invalidates, form, achieved, limit } = options;
  const about = (input: Raw) => `${endpoint.method} ${addressOf(endpoint.path, input)}`;
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path] }) => (invalidates ? invalidates.some((e) => e.path === path) : path !== getUser.path),
    });
  const repeats = useRef(new Set<unknown>());
  const mutation = useMutation<Answer<E>, ApiError, Input<E>>({
    mutationFn: (input) =>
      write(endpoint, { ...(limit && { limit }), ...input }).catch(async (error: ApiError) => {
        // Who has just waited to the end does not wait for this too.
        const doubtful = [404, 409].includes(error.status) || error.code === LOST;
        const answer = doubtful ? await achieved?.(input).catch(() => undefined) : undefined;
        if (!answer) throw error;
        if (error.status) repeats.current.add(answer);
        return answer;
      }),
    onSuccess: (answer, input) => {
      const message = hasMessage(answer) ? answer.message : undefined;
      // Of a repeat the answer's own sentence says that it was done before.
      const text = repeats.current.delete(answer) ? message : typeof success === 'function' ? success(answer, input) : (success ?? message);
      if (text) toast.success(text);
      toast.clear(about(input));
      void refresh();
      options.onSuccess?.(answer, input);
    },
    onError: (error, input) => {
      if (error.code === 'version' && options.onStale) {
        void refresh();
        return options.onStale();
      }
      // The person has closed the question: nothing was done, and they know.
      if (error.code === STEP_UP) return options.onError?.(error, input);
      form?.setErrors(fieldErrors(error));
      if (form) focusFirst(form, error.errors);
      if (failure !== false) toast.failure(error, failure, about(input));
      // Somebody else was first, or nobody knows whether it was done: what is on screen may be out of date.
      if (error.status === 404 || error.status === 409 || error.code === LATE || error.code === LOST) void refresh();
      options.onError?.(error, input);
    },
  });
  const once = useOnce();
  const mutateAsync = (input: Input<E>, on?: Sending<Answer<E>, ApiError, Input<E>>): Promise<Answer<E>> =>
    once(`${about(input)} ${JSON.stringify([input.body, input.headers])}`, () =>
      mutation.mutateAsync(...([input, on] as Parameters<typeof mutation.mutateAsync>)),
    );
  const mutate = (input: Input<E>, on?: Sending<Answer<E>, ApiError, Input<E>>): void => void mutateAsync(input, on).catch(() => undefined);
  return { ...mutation, mutateAsync, mutate };
}
