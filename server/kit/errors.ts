import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { ErrorBody } from '../../contract/kit.ts';
import { isContended } from '../db/open.ts';
import { sparingly } from '../log/log.ts';

/** From status 500, `cause` is logged instead of the error; `expected` errors are not logged. */
type Extra = Omit<ErrorBody, 'message'> & { headers?: Record<string, string>; cause?: unknown; expected?: boolean };

/** The only error that domain functions throw on purpose; its message is a Spanish sentence for the user. */
export class DomainError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Record<string, string>;
  readonly expected: boolean;
  constructor(status: number, message: string, { headers, cause, expected = false, ...rest }: Extra = {}) {
    super(message, { cause });
    this.status = status;
    this.body = { message, ...rest };
    this.headers = headers ?? {};
    this.expected = expected;
  }
}

/** 404, also for other people's rows, so as not to reveal that they exist (design, section 4.14). */
export const notFound = (message = 'No encontrado') => new DomainError(404, message);
export const forbidden = (message = 'No tienes permisos para realizar esta acción') => new DomainError(403, message);
export const conflict = (message: string, code?: string) => new DomainError(409, message, code ? { code } : {});
/** 422, shown under the field as well. */
export const invalid = (field: string, message: string) => new DomainError(422, message, { errors: { [field]: [message] } });

/** Returns the refusal for an error: itself, or 409 after repeated conflicts of transactions; undefined for an unexpected error. */
export function asRefusal(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  return isContended(error) ? conflict('Otras personas estaban cambiando lo mismo y no se ha guardado. Vuelve a intentarlo.') : undefined;
}

/** 503 for a disk that is full, or nearly. */
export const diskFull = () => new DomainError(503, DISK_FULL, { headers: { 'retry-after': '60' } });
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

export const sentenceOf = (status: number): string => FRAMEWORK[status] ?? 'La petición no es válida';

/** Converts a JSON pointer to a field name: `pack_id`, or `lineas.0.pack_id` in a list. */
function fieldAt(pointer: string): string {
  const [field = '', index, inner] = pointer.split('/').slice(1);
  return inner === undefined || Number.isNaN(Number(index)) ? field || 'body' : `${field}.${index}.${inner}`;
}

/** Turns any error into `{ message, errors?, code? }`; a 500 reveals only the request's id. */
export function errorHandler(error: FastifyError | DomainError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  if (refusal) {
    if (refusal.status >= 500 && !refusal.expected) request.log.error(refusal.cause ?? refusal);
    // Rare, and a sign of inconsistent lock order.
    if (refusal !== error) request.log.warn(error);
    return reply.code(refusal.status).headers(refusal.headers).send(refusal.body);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    // A malformed id counts as an unknown one.
    if (error.validationContext === 'params') return reply.code(404).send({ message: 'No encontrado' });
    // No prototype: a field may be called `constructor`.
    const errors: Record<string, string[]> = Object.create(null);
    for (const { instancePath, keyword, message, params } of error.validation) {
      const unknown = keyword === 'unrecognized_keys' ? ((params as { keys?: string[] }).keys ?? []) : null;
      const field = unknown ? [...instancePath.split('/').filter(Boolean), unknown[0]].join('.') : fieldAt(instancePath);
      (errors[field] ??= []).push(unknown ? `Campo desconocido: ${unknown.join(', ')}` : (message ?? 'Datos inválidos'));
    }
    return reply.code(422).send({ message: Object.values(errors)[0]?.[0] ?? 'Datos inválidos', errors });
  }
  const status = (error as FastifyError).statusCode ?? 500;
  if (status >= 400 && status < 500) return reply.code(status).send({ message: sentenceOf(status) });
  // SQLSTATE disk_full: lasts longer than other 503s.
  if ((error as { code?: unknown }).code === '53100') {
    request.log.error(error);
    const { status, headers, body } = diskFull();
    return reply.code(status).headers(headers).send(body);
  }
  if (status === 503 || isDatabaseAway(error)) {
    logAway(request, error);
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ message: 'El servicio no está disponible en este momento. Inténtalo de nuevo en unos segundos.' });
  }
  request.log.error(error);
  return reply
    .code(500)
    .send({ message: `Ha ocurrido un error inesperado. Si se repite, indica este código: ${request.id}`, code: request.id });
}

const logAway = sparingly((leftOut, { log }: FastifyRequest, err: Error) => log.error({ err, leftOut }, 'the database is away'));

/** The embedded PostgreSQL is restarting. */
const isNoSocket = (error: NodeJS.ErrnoException) => error.code === 'ENOENT' && error.syscall === 'connect';

// SQLSTATE classes: 08 connection lost; 57 shutdown or timeout; 53 out of connections.
function isDatabaseAway(error: NodeJS.ErrnoException): boolean {
  const { code = '' } = error;
  return (
    /^(08|57|53)...$/.test(code) ||
    isNoSocket(error) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) ||
    /^Connection terminated|^timeout exceeded when trying to connect|connection error and is not queryable|^Query read timeout/.test(
      error.message ?? '',
    )
  );
}
