import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Answer,
  type BodyOut,
  type EndpointDef,
  ERROR_STATUSES,
  errorBody,
  type ParamsOut,
  type QueryOut,
  UNRESTRICTED,
} from '../../contract/kit.ts';
import { isAction, type Person } from '../../contract/policy.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, once authorized; null for nobody. */
    actor: Person | null;
  }
  interface FastifyInstance {
    /** Rejects whoever may not call `endpoint`; `server/session/guard.ts` installs it. */
    authorize: (request: FastifyRequest, endpoint: EndpointDef) => Promise<void>;
  }
}

export type Context<E extends EndpointDef> = {
  /** Null only where the endpoint is public and nobody is signed in. */
  actor: E['action'] extends 'public' | 'signed' ? Person | null : Person;
  params: ParamsOut<E>;
  query: QueryOut<E>;
  body: BodyOut<E>;
  request: FastifyRequest;
  reply: FastifyReply;
};

const ERRORS = Object.fromEntries(ERROR_STATUSES.map((status) => [status, errorBody]));

/**
 * Registers one endpoint of the contract. Session, anti-forgery value and permission are checked before the body
 * is read; the answer is filtered by the endpoint's schema. Throws at start when `action` or a schema is missing.
 */
export function route<E extends EndpointDef, const A extends Answer<E>>(
  app: FastifyInstance,
  endpoint: E,
  handler: (context: Context<E>) => Promise<A>,
): void {
  const { method, path, action, summary, params, query, body, response } = endpoint;
  if (!isAction(action) && !UNRESTRICTED.includes(action)) throw new Error(`${method} ${path} does not say who may call it`);
  if (!response[200] && !response[201] && !response.file) throw new Error(`${method} ${path} has no schema for its answer`);
  const status = response[201] ? 201 : 200;
  app.route({
    method,
    url: path,
    schema: {
      summary,
      ...{ 'x-action': action },
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      response: { ...ERRORS, ...(response[status] ? { [status]: response[status] } : {}) },
    },
    onRequest: (request) => app.authorize(request, endpoint),
    handler: async (request, reply) => {
      const result = await handler({
        actor: request.actor as Context<E>['actor'],
        params: request.params as ParamsOut<E>,
        query: request.query as QueryOut<E>,
        body: request.body as BodyOut<E>,
        request,
        reply,
      });
      // A file has been sent, or taken over as a stream, by the handler itself.
      return response.file ? reply : reply.code(status).send(result);
    },
  });
}
