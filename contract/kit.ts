import { z } from 'zod';
import type { Role } from './policy.ts';

/**
 * Who may call an endpoint: everybody, any signed-in person, the named roles, or (`signed`) another company's
 * server that proves itself by a signature over the body and so needs no anti-forgery value.
 */
export type Allow = 'public' | 'signed' | 'session' | readonly Role[];

/** The one shape of every error answer. `message` and `errors` are Spanish sentences a person reads. */
export const errorBody = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  code: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Statuses that any endpoint may answer with `errorBody`. */
export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 413, 415, 419, 422, 429, 500, 503] as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type EndpointDef = {
  method: Method;
  /** Fastify path with `:name` for parameters. */
  path: string;
  allow: Allow;
  /** Also for a person who must first change their password or set up a second factor. */
  whilePending?: true;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Schemas of the successful answers; the error ones are the same everywhere. `file` is the content type of
   * an answer that is no JSON: a download or a stream, which the handler sends itself.
   */
  response: { 200?: z.ZodType; 201?: z.ZodType; file?: string };
};

/** Declares one endpoint; `server/kit/route.ts` registers it and `web/api.ts` calls it. */
export function endpoint<const E extends EndpointDef>(def: E): E {
  return def;
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
/** What the caller sends. */
export type ParamsIn<E extends EndpointDef> = In<E['params']>;
export type QueryIn<E extends EndpointDef> = In<E['query']>;
export type BodyIn<E extends EndpointDef> = In<E['body']>;
/** What the handler receives after validation. */
export type ParamsOut<E extends EndpointDef> = Out<E['params']>;
export type QueryOut<E extends EndpointDef> = Out<E['query']>;
export type BodyOut<E extends EndpointDef> = Out<E['body']>;
/** What the endpoint answers when it succeeds. */
export type Answer<E extends EndpointDef> =
  | (E['response'] extends { 200: infer S extends z.ZodType } ? z.output<S> : never)
  | (E['response'] extends { 201: infer S extends z.ZodType } ? z.output<S> : never)
  | (E['response'] extends { file: string } ? undefined : never);

/* ---- field kinds shared by every feature ---- */

// PostgreSQL text cannot hold NUL, and a lone surrogate cannot be stored as UTF-8; other control
// characters only ever come from a broken client (tab and line breaks are a person's).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const storable = (value: string) => value.isWellFormed() && !CONTROL.test(value);
const UNSTORABLE = 'Contiene caracteres no permitidos';

/** Required text, trimmed, 1 to `max` characters; `message` is shown when it is missing or blank. */
export const text = (max: number, message = 'Este campo es obligatorio', min = 1) =>
  z.string({ error: message }).trim().min(min, message).max(max, `No puede superar los ${max} caracteres`).refine(storable, UNSTORABLE);

/** Optional text, trimmed; blank or absent becomes null (specification, section 5). */
export const optionalText = (max: number) =>
  z
    .string({ error: 'Texto no válido' })
    .trim()
    .max(max, `No puede superar los ${max} caracteres`)
    .refine(storable, UNSTORABLE)
    .nullish()
    .transform((value) => value || null);

export const MAX_EUROS = 1_000_000;

/** An amount in euros on the wire: 0 to a million, two decimals, number or numeric string. */
export const euros = (message = 'Importe no válido') =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^\d{1,7}([.]\d{1,2})?$/, message)
          .transform(Number),
      ],
      { error: message },
    )
    .refine((value) => Number.isFinite(value) && value >= 0 && value <= MAX_EUROS, message)
    .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'Como máximo dos decimales');

/** Whole number between two bounds; `message` for anything else. */
export const integer = (min: number, max: number, message: string) =>
  z.number({ error: message }).int(message).min(min, message).max(max, message);

export const id = z.uuid('Identificador no válido');
export const idParams = z.strictObject({ id });

/** A calendar day of the business's time zone, yyyy-MM-dd. */
export const day = z.iso.date({ error: 'Fecha no válida' }).refine((d) => d >= '1900-01-01' && d <= '2999-12-31', 'Fecha no válida');
/** An instant, ISO 8601 in UTC. */
export const instant = z.string();

export const MAX_PER_PAGE = 100;
export const PER_PAGE = 20;
/** `page` and `per_page` of every paged list. */
export const pageQuery = {
  page: z.coerce
    .number('Página no válida')
    .int('Página no válida')
    .min(1, 'Página no válida')
    .max(1_000_000, 'Página no válida')
    .default(1),
  per_page: z.coerce
    .number('Tamaño de página no válido')
    .int('Tamaño de página no válido')
    .min(1, 'Tamaño de página no válido')
    .max(MAX_PER_PAGE, `Como máximo ${MAX_PER_PAGE} por página`)
    .default(PER_PAGE),
};

/** `{ data, total, current_page, last_page, per_page }` (design, section 5). */
export const paged = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: z.number(),
    current_page: z.number(),
    last_page: z.number(),
    per_page: z.number(),
  });
export type Paged<T> = { data: T[]; total: number; current_page: number; last_page: number; per_page: number };
/** `data` as the page `page` of a list of `total` rows. */
export const asPage = <T>(data: T[], total: number, { page, per_page }: { page: number; per_page: number }): Paged<T> => ({
  data,
  total,
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
  per_page,
});

/** `{ success: true, data }` for lists without pages and `{ success, message, data }` for writes. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ success: z.literal(true), data: z.array(item) });
export const done = z.object({ success: z.literal(true), message: z.string() });
export const doneWith = <T extends z.ZodType>(data: T) => done.extend({ data });
