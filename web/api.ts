import { keepPreviousData, QueryClient, type MutateOptions as Sending, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { addressOf } from '../contract/kit/address.ts';
import type { Answer, BodyIn, EndpointDef, ErrorBody, ParamsIn, QueryIn } from '../contract/kit/endpoint.ts';
import { UNATTENDED } from '../contract/session/fields.ts';
import { getCsrfToken, getUser, type SessionUser } from '../contract/session/session.ts';
import { antiForgery, clearAntiForgery } from './anti-forgery.ts';
import { isAttended } from './attended.ts';
import { markOffline, markOnline, recordServerTime } from './connection.ts';
import { isResting } from './ended.ts';
import { forgetFirstAnswers, takeFirstAnswer } from './first-answers.ts';
import { sendWithKey } from './keys.ts';
import { type FocusableForm, focusFirst } from './ui/form/form-actions.tsx';
import { writeName } from './ui/page/operation.ts';
import { toast } from './ui/page/toast.tsx';
import { hasMessage, inTime, LATE, LIMIT_MS, LOST, NO_CONNECTION, noAnswer, type Received, readBody, withReference } from './unanswered.ts';
import { useOnce } from './use-once.ts';

/* All access to the server: an endpoint of the contract with its input, and the typed answer. Every failure is an ApiError. */

export { NO_CONNECTION };
/** Error code: the password must be entered again. */
export const STEP_UP = 'step_up';

export class ApiError extends Error {
  /** HTTP status; 0 if no usable answer arrived. */
  readonly status: number;
  readonly errors: Record<string, string[]>;
  readonly code: string | undefined;
  about = '';
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
  /** Sent instead of `body`. */
  file?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Timeout in milliseconds, if not the default. */
  limit?: number;
};
// Makes a part of the input required if the endpoint declares it with a required field.
type Part<K extends string, T> = [T] extends [undefined]
  ? { [key in K]?: undefined }
  : undefined extends T
    ? { [key in K]?: T }
    : Record<never, never> extends T
      ? { [key in K]?: T }
      : { [key in K]: T };
export type Input<E extends EndpointDef> = Part<'params', ParamsIn<E>> & Part<'query', QueryIn<E>> & Part<'body', BodyIn<E>> & Raw;
type Args<I> = Record<never, never> extends I ? [input?: I] : [input: I];

let extra = (): Record<string, string> => ({});
/** Registers headers to send with every call: a carrier's phone reports how many orders have unsent steps. */
export function registerHeaders(headers: typeof extra): void {
  extra = headers;
}

async function send(method: string, address: string, input: Raw): Promise<Received> {
  const headers: Record<string, string> = { accept: 'application/json', ...extra(), ...input.headers };
  if (input.file || input.body !== undefined) headers['content-type'] = input.file?.type || 'application/json';
  if (method !== 'GET') headers['x-xsrf-token'] = antiForgery() ?? '';
  if (!isAttended()) headers[UNATTENDED] = '1';
  const body = input.file ?? (input.body === undefined ? null : JSON.stringify(input.body));
  try {
    const response = await fetch(address, { method, headers, body, credentials: 'include', signal: input.signal ?? null });
    const answer = await readBody(response);
    if (!answer) throw silence(LOST, method, input);
    markOnline();
    recordServerTime(response.headers.get('date'));
    return answer;
  } catch (error) {
    if (error instanceof ApiError || input.signal?.aborted) throw error;
    throw silence(LOST, method, input);
  }
}

function silence(code: typeof LATE | typeof LOST, method: string, { headers }: Raw): ApiError {
  markOffline();
  return new ApiError(0, noAnswer(code, method, headers));
}

/** Fetches the anti-forgery cookie, which every write needs; throws ApiError if the server refuses. */
export async function refreshAntiForgery(): Promise<void> {
  const { response } = await send('GET', getCsrfToken.path, {});
  if (!response.ok) throw new ApiError(0, { message: NO_CONNECTION });
}

let askProof: (() => Promise<boolean>) | undefined;
let asking: Promise<boolean> | undefined;
/** Registers the prompt for password and code; concurrent requests share one prompt. */
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
    return await inTime(input.limit ?? LIMIT_MS, input.signal, (signal) => attempt(endpoint, { ...input, signal }), late);
  } catch (error) {
    // Outside the timeout, because typing the password takes long.
    if (error instanceof ApiError && error.code === STEP_UP && (await proven())) return request(endpoint, input);
    throw error;
  }
}

async function attempt<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
  const address = addressOf(endpoint.path, input);
  const writes = endpoint.method !== 'GET';
  const first = writes ? forgetFirstAnswers() : takeFirstAnswer(address);
  if (first) return first as Answer<E>;
  if (writes && !antiForgery()) await refreshAntiForgery();
  let { response, body } = await send(endpoint.method, address, input);
  if (writes && response.status === 419) {
    await refreshAntiForgery();
    ({ response, body } = await send(endpoint.method, address, input));
  }
  if (response.ok) return body as Answer<E>;
  const refusal = hasMessage(body) ? withReference(body, response) : { message: NO_CONNECTION };
  if (response.status === 401) {
    clearAntiForgery();
    sessionChanged(null);
  }
  // A step in «Mi cuenta» has just become pending: refetch the session.
  if (refusal.code?.startsWith('pending_')) sessionChanged();
  throw new ApiError(response.status, refusal);
}

/** Calls an endpoint of the contract; throws ApiError for every failure. */
export const call = <E extends EndpointDef>(endpoint: E, ...[input]: Args<Input<E>>): Promise<Answer<E>> => write(endpoint, input ?? {});

/** Sends a request, with an idempotency key if the endpoint honours keys. */
function write<E extends EndpointDef>(endpoint: E, input: Raw): Promise<Answer<E>> {
  const isLost = (error: unknown) => error instanceof ApiError && error.status === 0;
  return sendWithKey(endpoint, input, (headers) => request(endpoint, { ...input, headers }), isLost);
}

/** First error message of each field, for `form.setErrors` of @mantine/form. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(Object.entries(error.errors).map(([field, [first = error.message]]) => [field, first]));
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Fetches offline too, so that the screen reports the failure.
      networkMode: 'always',
      refetchOnReconnect: true,
      // Retries lost connections, 503 and unexpected errors, not refusals or timeouts.
      retry: (failures, error) =>
        failures < 2 && (!(error instanceof ApiError) || error.status === 503 || (error.status === 0 && error.code !== LATE)),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    // The default pauses a mutation silently until the network is back.
    mutations: { networkMode: 'always' },
  },
});

const keyOf = (endpoint: EndpointDef) => [endpoint.path];
export const SESSION_KEY = keyOf(getUser);

let outlives = (_user: SessionUser) => false;
/** Registers a predicate for users whose screen stays after the session has ended: carriers whose phone keeps the day's list. */
export function whenSessionEnds(decide: typeof outlives): void {
  outlives = decide;
}

let onChange = (_gone: SessionUser | undefined) => {};
/** Registers a listener for the end of a session (`gone` is its user), and for a step that becomes pending. */
export function whenSessionChanges(listener: typeof onChange) {
  onChange = listener;
}
function sessionChanged(to?: null) {
  const user = queryClient.getQueryData<SessionUser | null>(SESSION_KEY);
  if (!user || (to === null && outlives(user))) return;
  if (to === null) queryClient.setQueryData(SESSION_KEY, to);
  else queryClient.removeQueries({ queryKey: SESSION_KEY });
  onChange(to === null ? user : undefined);
}

type ApiOptions = {
  enabled?: boolean;
  refetchInterval?: number;
  staleTime?: number;
  /** Keeps the previous page on screen while the next one loads. */
  keepPrevious?: boolean;
};

/** Cache key and query function of an answer. */
export const apiQuery = <E extends EndpointDef>(endpoint: E, input: Raw) => ({
  queryKey: [...keyOf(endpoint), addressOf(endpoint.path, input), input.body],
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Answer<E>> =>
    isResting() ? Promise.reject(new ApiError(401, { message: 'Tu sesión ha terminado' })) : request(endpoint, { ...input, signal }),
});

/** Prefetches an answer, so that the screen's own request finds it in the cache. */
export const fetchApi = (endpoint: EndpointDef, input: Raw): void => void queryClient.prefetchQuery(apiQuery(endpoint, input));

/** Reads from the server: `const { data, error, refetch } = useApi(listPedidos, { query }, { keepPrevious: true })`. */
export const useApi = <E extends EndpointDef>(endpoint: E, input: Input<E>, { keepPrevious, ...options }: ApiOptions = {}) =>
  useQuery<Answer<E>, ApiError>({
    ...apiQuery(endpoint, input),
    ...options,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });

type MutateOptions<E extends EndpointDef> = {
  onSuccess?: (answer: Answer<E>, input: Input<E>) => void;
  onError?: (error: ApiError, input: Input<E>) => void;
  /** Handles a version conflict, instead of a toast. */
  onStale?: () => void;
  /** Toast text; by default the server's `message`; `false` for no toast, unless `achieved` found the change. */
  success?: string | false | ((answer: Answer<E>, input: Input<E>) => string);
  /** Toast text if the server sends no message; `false` for no toast. */
  failure?: string | false;
  /** Endpoints to invalidate; by default everything but the session and `keeps`. */
  invalidates?: readonly EndpointDef[];
  keeps?: EndpointDef;
  /** After 404, 409 or a lost answer: returns the answer if the change is already in place, so that a retry counts as success. */
  achieved?: (input: Input<E>) => Promise<Answer<E> | undefined>;
  /** Timeout in milliseconds, if not the default. */
  limit?: number;
  /** The @mantine/form form that shows field errors; the first field with one gets the focus. */
  form?: FocusableForm & { setErrors: (errors: Record<string, string>) => void };
};

/** Writes to the server: `const save = useMutate(updatePedido, { success: 'Guardado', form }); save.mutate({ params, body })`. */
export function useMutate<E extends EndpointDef>(endpoint: E, options: MutateOptions<E> = {}) {
  const client = useQueryClient();
  const { success, failure, invalidates, keeps, form, achieved, limit } = options;
  const refresh = () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path] }) =>
        invalidates?.some((e) => e.path === path) ?? ![getUser.path, keeps?.path].includes(path as string),
    });
  const repeats = useRef(new Set<unknown>());
  const mutation = useMutation<Answer<E>, ApiError, Input<E>>({
    mutationFn: (input) =>
      write(endpoint, { ...(limit && { limit }), ...input }).catch(async (error: ApiError) => {
        // Skips `achieved` after a timeout: the person has waited long enough.
        const doubtful = [404, 409].includes(error.status) || error.code === LOST;
        const answer = doubtful ? await achieved?.(input).catch(() => undefined) : undefined;
        if (!answer) throw error;
        if (error.status) repeats.current.add(answer);
        return answer;
      }),
    onSuccess: (answer, input) => {
      const message = hasMessage(answer) ? answer.message : undefined;
      // For a repeat, the message of `achieved` says that the change was already made.
      const text = repeats.current.delete(answer) ? message : typeof success === 'function' ? success(answer, input) : (success ?? message);
      if (text) toast.success(text);
      toast.clear(writeName(endpoint, input));
      void refresh();
      options.onSuccess?.(answer, input);
    },
    onError: (error, input) => {
      if (error.code === 'version' && options.onStale) {
        void refresh();
        return options.onStale();
      }
      // The person cancelled, so no message is needed.
      if (error.code === STEP_UP) return options.onError?.(error, input);
      form?.setErrors(fieldErrors(error));
      if (form) focusFirst(form, error.errors);
      error.about = writeName(endpoint, input);
      if (failure !== false) toast.failure(error, failure);
      // Another user changed the data, or the outcome is unknown: the screen may be stale.
      if (error.status === 404 || error.status === 409 || error.code === LATE || error.code === LOST) void refresh();
      options.onError?.(error, input);
    },
  });
  const once = useOnce();
  const mutateAsync = (input: Input<E>, on?: Sending<Answer<E>, ApiError, Input<E>>): Promise<Answer<E>> =>
    once(`${writeName(endpoint, input)} ${JSON.stringify([input.body, input.headers])}`, () =>
      mutation.mutateAsync(...([input, on] as Parameters<typeof mutation.mutateAsync>)),
    );
  const mutate = (input: Input<E>, on?: Sending<Answer<E>, ApiError, Input<E>>): void => void mutateAsync(input, on).catch(() => undefined);
  return { ...mutation, mutateAsync, mutate };
}
