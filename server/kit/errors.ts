import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { ErrorBody } from '../../contract/kit/endpoint.ts';
import { defaultErrorCode, ERRORS, ERRORS_PAGE, type ErrorCode, PROBLEM } from '../../contract/kit/errors.ts';
import type { problemBody } from '../../contract/kit/schemas.ts';
import type { Action } from '../../contract/policy/policy.ts';
import { isContended } from '../db/open.ts';
import { logSparingly } from '../log/log.ts';

type Body = Omit<ErrorBody, 'code'> & { code: ErrorCode };
/**
 * `cause`: logged instead of the error, if the status is 500 or more. `expected`: not logged. `counted`: the refusal has written something,
 * so its response is stored under the idempotency key.
 */
type Extra = Partial<Omit<Body, 'message'>> & { headers?: Record<string, string>; cause?: unknown; expected?: boolean; counted?: boolean };

/** Error that domain functions throw on purpose, with a Spanish sentence. `code` defaults to the general code of the status. */
export class DomainError extends Error {
  readonly status: number;
  readonly body: Body;
  readonly headers: Record<string, string>;
  readonly expected: boolean;
  readonly counted: boolean;
  constructor(
    status: number,
    message: string,
    { code = defaultErrorCode(status), headers, cause, expected, counted, ...rest }: Extra = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.body = { message, ...rest, code };
    this.headers = headers ?? {};
    this.expected = expected ?? false;
    this.counted = counted ?? false;
  }
}

/** 404. Used for other people's rows too, so as not to reveal that the rows exist (design, section 4.14). */
export const notFound = (message = 'No encontrado') => new DomainError(404, message);
/** 405 for a path that supports only other methods. */
export const methodNotAllowed = (allowed: readonly string[]) =>
  new DomainError(405, `Esta dirección no admite ese método, solo ${allowed.join(', ')}`, { headers: { allow: allowed.join(', ') } });
/** 403, with the missing permission if a permission would help. */
export const forbidden = (permission?: Action, message = 'No tienes permisos para realizar esta acción') =>
  new DomainError(403, message, permission ? { permission } : {});
export const conflict = (message: string, code?: ErrorCode) => new DomainError(409, message, code ? { code } : {});
/** 422 with a message for a field. */
export const invalid = (field: string, message: string, code?: ErrorCode) =>
  new DomainError(422, message, { errors: { [field]: [message] }, ...(code && { code }) });

/** Returns a DomainError itself, or 409 for repeated transaction conflicts; undefined for an unexpected error. */
export function asRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isContended(error) ? conflict(CONTENDED, 'contended') : undefined;
}
const CONTENDED = 'Otras personas estaban cambiando lo mismo y no se ha guardado. Vuelve a intentarlo.';

/** 503 for a disk that is full or nearly full. */
export const diskFull = () => new DomainError(503, DISK_FULL, { code: 'disk_full', headers: { 'retry-after': '60' } });
const DISK_FULL = 'Queda muy poco sitio en el disco del servidor: se puede consultar, pero no guardar. Avisa a quien lo administra.';

const FRAMEWORK: Record<number, string> = {
  400: 'La petición no se entiende',
  404: 'No encontrado',
  405: 'Método no permitido',
  408: 'La petición ha tardado demasiado en llegar',
  413: 'El contenido enviado es demasiado grande',
  414: 'La dirección es demasiado larga',
  415: 'Tipo de contenido no admitido: envía JSON',
  431: 'Las cabeceras son demasiado largas',
};

export const statusSentence = (status: number): string => FRAMEWORK[status] ?? 'La petición no es válida';

/** Converts a JSON pointer to a field name: `pack_id`, or `lineas.0.pack_id` in a list. */
function fieldAt(pointer: string): string {
  const [field = '', index, inner] = pointer.split('/').slice(1);
  return inner === undefined || Number.isNaN(Number(index)) ? field || 'body' : `${field}.${index ?? ''}.${inner}`;
}

/** Sends any error as `ErrorBody`, or as a problem of RFC 9457. An unexpected error reveals only the request's id. */
export function errorHandler(error: FastifyError | DomainError, request: FastifyRequest, reply: FastifyReply) {
  const answer = asAnswer(error, request);
  return sendError(request, reply.code(answer.status).headers(answer.headers), answer.body);
}

/** Returns the answer to any error, and logs an unexpected one. */
export function asAnswer(error: FastifyError | DomainError, request: FastifyRequest): DomainError {
  const refusal = asRefusal(error);
  if (refusal) {
    if (refusal.status >= 500 && !refusal.expected) logUnexpected(request, refusal.cause ?? refusal);
    // Logs repeated transaction conflicts, which are rare and a sign of inconsistent lock order.
    if (refusal !== error) request.log.warn(error);
    return refusal;
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    // Treats a malformed id like an unknown id.
    if (error.validationContext === 'params') return notFound();
    // Has no prototype, because a field can be called `constructor`.
    const errors: Record<string, string[]> = Object.create(null);
    for (const { instancePath, keyword, message, params } of error.validation) {
      const unknown = keyword === 'unrecognized_keys' ? ((params as { keys?: string[] }).keys ?? []) : null;
      const field = unknown ? [...instancePath.split('/').filter(Boolean), unknown[0]].join('.') : fieldAt(instancePath);
      (errors[field] ??= []).push(unknown ? `Campo desconocido: ${unknown.join(', ')}` : (message ?? 'Datos inválidos'));
    }
    return new DomainError(422, Object.values(errors)[0]?.[0] ?? 'Datos inválidos', { errors });
  }
  const status = (error as FastifyError).statusCode ?? 500;
  if (status >= 400 && status < 500) return new DomainError(status, statusSentence(status));
  // SQLSTATE disk_full has its own response, because a full disk lasts longer than other causes of a 503.
  if ((error as { code?: unknown }).code === '53100') {
    request.log.error(error);
    return diskFull();
  }
  if (status === 503 || isDatabaseAway(error)) {
    if (!isCut(request)) logAway(request, error);
    return new DomainError(503, AWAY, { headers: { 'retry-after': '2' } });
  }
  logUnexpected(request, error);
  const { id } = request;
  return new DomainError(500, `Ha ocurrido un error inesperado. Si se repite, indica este código: ${id}`, { request_id: id });
}
/** True if closing this instance has cut the request's connection. */
const isCut = ({ raw, server }: FastifyRequest) => raw.socket.destroyed && !server.server.listening;

// Logs requests cut by closing as warnings, because only errors raise an alarm.
function logUnexpected(request: FastifyRequest, error: unknown): void {
  request.log[isCut(request) ? 'warn' : 'error'](error as Error);
}
const AWAY = 'El servicio no está disponible en este momento. Inténtalo de nuevo en unos segundos.';

const logAway = logSparingly((leftOut, { log }: FastifyRequest, err: Error) => log.error({ err, leftOut }, 'the database is away'));

/** True while the embedded PostgreSQL is restarting: its socket does not exist. */
const isNoSocket = (error: NodeJS.ErrnoException) => error.code === 'ENOENT' && error.syscall === 'connect';

// SQLSTATE classes: 08 connection lost; 57 shutdown or timeout; 53 out of connections. 25006: a replica that is not promoted yet.
function isDatabaseAway(error: NodeJS.ErrnoException): boolean {
  const { code = '' } = error;
  return (
    /^((08|57|53)...|25006)$/.test(code) ||
    isNoSocket(error) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) ||
    /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not queryable|^Query read timeout/.test(
      error.message ?? '',
    )
  );
}

/** Sends an error body with the status of `reply`, as an RFC 9457 problem if the caller accepts one. */
function sendError({ headers: { accept } }: Pick<FastifyRequest, 'headers'>, reply: FastifyReply, body: Body): FastifyReply {
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

const OPEN = {
  'este pedido': 'lo tenías abierto',
  'este producto': 'lo tenías abierto',
  'este pack': 'lo tenías abierto',
  'este usuario': 'lo tenías abierto',
  'este cliente': 'lo tenías abierto',
  'este webhook': 'lo tenías abierto',
  'esta vista': 'la tenías abierta',
  'lo que gana': 'lo tenías abierto',
  'esta liquidación': 'la tenías abierta',
  'la configuración': 'la tenías abierta',
};

/** Throws 409 with code `version` if the caller has seen an older version. Accepts callers without `seen`. */
export function refuseStale(row: { version: number }, seen: number | undefined, what: keyof typeof OPEN): void {
  if (seen !== undefined && seen !== row.version) throw conflict(`Otra persona ha cambiado ${what} mientras ${OPEN[what]}`, 'version');
}

/** Returns the next version of a row, or the current version if `changed` is empty. */
export const nextVersion = ({ version }: { version: number }, changed: object) =>
  Object.keys(changed).length ? { version: version + 1 } : { version };
