import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorBody } from '../../contract/kit/endpoint.ts';
import { ERRORS, ERRORS_PAGE, type ErrorCode, PROBLEM } from '../../contract/kit/errors.ts';
import type { problemBody } from '../../contract/kit/schemas.ts';

type Body = ErrorBody & { code: ErrorCode };

/** Sends an error body with the status of `reply`, as an RFC 9457 problem if the caller accepts one. */
export function sendError({ headers: { accept } }: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, body: Body): FastifyReply {
  if (!accept || !acceptsProblem(accept)) return reply.send(body);
  // Serialised here, because the route's schema would drop the fields of problem+json.
  return reply.type(PROBLEM).send(JSON.stringify(problemOf(reply.statusCode, body)));
}

const acceptsProblem = (accept: string): boolean =>
  accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === PROBLEM && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

function problemOf(status: number, { message, code, errors, ...rest }: Body): z.infer<typeof problemBody> {
  const found = Object.entries(errors ?? {}).flatMap(([path, messages]) => messages.map((text) => ({ path, message: text })));
  return {
    type: `${ERRORS_PAGE}#${code}`,
    title: ERRORS[code].title,
    status,
    detail: message,
    code,
    ...rest,
    ...(errors && { errors: found }),
  };
}
