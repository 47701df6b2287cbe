import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyAction } from '../../contract/api-keys/fields.ts';
import {
  type Answer,
  type BodyOut,
  type EndpointDef,
  ERROR_STATUSES,
  type ParamsOut,
  type QueryOut,
  UNRESTRICTED,
} from '../../contract/kit/endpoint.ts';
import { errorBody } from '../../contract/kit/schemas.ts';
import { type Caller, isAction, type Person } from '../../contract/policy/policy.ts';
import { endpointSchemas } from './endpoints.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Authorized caller; null when not signed in. */
    actor: Caller | null;
  }
  interface FastifyInstance {
    /** Rejects callers who cannot use `endpoint`. Installed by `server/session/guard.ts`. */
    authorize: (request: FastifyRequest, endpoint: EndpointDef) => Promise<void>;
    /** Calls `onEnd` when the session ends, on any instance; returns a stop function. */
    followSession: (request: FastifyRequest, onEnd: () => void) => () => void;
    requireProof: (request: FastifyRequest, endpoint?: EndpointDef) => void;
    /** Refuses an Idempotency-Key that is malformed or not honoured by `endpoint`. */
    checkKey: (request: FastifyRequest, endpoint: EndpointDef) => void;
    /** Does `work` once per caller and key: of the request, or `caller` where neither a session nor a header has them. */
    withIdempotencyKey: <A>(request: FastifyRequest, work: () => Promise<A>, caller?: { who: string; key: string }) => Promise<A>;
  }
}

/** Excludes programs unless API keys can have the permission, and null unless the endpoint needs no session. */
type CallerOf<E extends EndpointDef> = E['action'] extends 'public' | 'signed'
  ? Caller | null
  : E['action'] extends KeyAction
    ? Caller
    : Person;
export type Context<E extends EndpointDef> = {
  actor: CallerOf<E>;
  params: ParamsOut<E>;
  query: QueryOut<E>;
  body: BodyOut<E>;
  request: FastifyRequest;
  reply: FastifyReply;
};

const ERRORS = Object.fromEntries(ERROR_STATUSES.map((status) => [status, errorBody]));

/** Registers an endpoint. Checks access before and after reading the body, because access can end during a slow upload. */
export function route<E extends EndpointDef, const A extends Answer<E>>(
  app: FastifyInstance,
  endpoint: E,
  handler: (context: Context<E>) => Promise<A>,
): void {
  const { method, path, action, bodyLimit, stepUp } = endpoint;
  if (!isAction(action) && !UNRESTRICTED.includes(action)) throw new Error(`${method} ${path} does not say who may call it`);
  const { params, query, body, response } = endpointSchemas(endpoint);
  const status = response[201] ? 201 : 200;
  app.route({
    method,
    url: path,
    ...(bodyLimit && { bodyLimit }),
    config: { action },
    schema: {
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      response: { ...ERRORS, ...(response[status] ? { [status]: response[status] } : {}) },
    },
    onRequest: async (request) => {
      await app.authorize(request, endpoint);
      app.checkKey(request, endpoint);
    },
    ...(method === 'GET' ? {} : { preValidation: (request) => app.authorize(request, endpoint) }),
    handler: async (request, reply) => {
      if (typeof stepUp === 'function' && stepUp(request.body as never)) app.requireProof(request, endpoint);
      const result = await app.withIdempotencyKey(request, () =>
        handler({
          actor: request.actor as Context<E>['actor'],
          params: request.params as ParamsOut<E>,
          query: request.query as QueryOut<E>,
          body: request.body as BodyOut<E>,
          request,
          reply,
        }),
      );
      // The handler has already sent the file or taken over the stream.
      return response.file ? reply : reply.code(status).send(chosen(result, request.query));
    },
  });
}

/** Answers a write without data, once `work` is done. */
export async function doneAfter(work: Promise<unknown>, message: string) {
  await work;
  return { success: true as const, message };
}

/** Filters a list without pages by the query's `ids`. Returns any other response unchanged. */
function chosen<A>(answer: A, query: unknown): A {
  const { ids } = (query ?? {}) as { ids?: readonly string[] };
  if (!ids || !isWholeList(answer)) return answer;
  return { ...answer, data: answer.data.filter(({ id }) => ids.includes(String(id))) };
}

// Lists with pages are filtered by `ids` in SQL, because the total must match.
const isWholeList = (answer: unknown): answer is { data: { id?: unknown }[] } =>
  typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data) && !('current_page' in answer);
