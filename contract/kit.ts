import { z } from 'zod';
import { type Field, problemOf } from './fields.ts';
import type { Action } from './policy.ts';

/**
 * Endpoints that need no permission: open to everyone, to any signed-in person, or (`signed`) to another
 * company's server, whose signature over the body stands in for the anti-forgery token.
 */
export const UNRESTRICTED = ['public', 'session', 'signed'] as const;

/** Body of every error response. `message` and `errors` are Spanish sentences shown to the user. */
export const errorBody = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  code: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** Header that makes a repeated write answer with the first result. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** Whether an endpoint honours `Idempotency-Key`: every write with an answer in JSON, of somebody who is known. A key sent elsewhere is refused. */
export const honoursKey = ({ method, action, response }: Pick<EndpointDef, 'method' | 'action' | 'response'>): boolean =>
  method !== 'GET' && action !== 'public' && action !== 'signed' && !response.file;

/** Statuses any endpoint may return with `errorBody`. */
export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 413, 414, 415, 419, 422, 429, 500, 503] as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type EndpointDef = {
  method: Method;
  /** Fastify path with `:name` for parameters; `:id` is always a UUID. */
  path: string;
  /** Permission the caller needs; `policy.ts` maps it to roles. */
  action: Action | (typeof UNRESTRICTED)[number];
  /** A further permission needed, for what it answers. */
  also?: Action;
  /** Available even while a password change or second-factor setup is pending. */
  whilePending?: true;
  /**
   * Asks for password and code again (`proveIdentity`) unless this session gave them in the last five minutes: a session
   * left open, or stolen, must not do by itself what cannot be undone. As a function: for some bodies only.
   */
  stepUp?: true | ((body: never) => boolean);
  summary: string;
  /** Most bytes of a body, where it may be larger than 64 KB. */
  bodyLimit?: number;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Schemas of successful responses; errors share one schema. `file` is the content type of a non-JSON
   * response (a download or a stream), which the handler sends itself.
   */
  response: { 200?: z.ZodType; 201?: z.ZodType; file?: string };
};

type WithId<P extends string> = P extends `${string}/:id${string}` ? { params: typeof idParams } : unknown;
/** Declares one endpoint; `server/kit/route.ts` registers it and `web/api.ts` calls it. */
export function endpoint<M extends Method, const P extends string, const E extends Omit<EndpointDef, 'method' | 'path'>>(
  method: M,
  path: P,
  def: E,
) {
  return { ...(path.includes('/:id') && { params: idParams }), ...def, method, path } as E & { method: M; path: P } & WithId<P>;
}

type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
/** Input as the caller sends it. */
export type ParamsIn<E extends EndpointDef> = In<E['params']>;
export type QueryIn<E extends EndpointDef> = In<E['query']>;
export type BodyIn<E extends EndpointDef> = In<E['body']>;
/** Input as the handler receives it after validation. */
export type ParamsOut<E extends EndpointDef> = Out<E['params']>;
export type QueryOut<E extends EndpointDef> = Out<E['query']>;
export type BodyOut<E extends EndpointDef> = Out<E['body']>;
/** Body of a successful response. */
export type Answer<E extends EndpointDef> =
  | (E['response'] extends { 200: infer S extends z.ZodType } ? z.output<S> : never)
  | (E['response'] extends { 201: infer S extends z.ZodType } ? z.output<S> : never)
  | (E['response'] extends { file: string } ? undefined : never);

/* ---- field kinds shared by every feature ---- */

/** Applies the rule of `field` (fields.ts) to a schema of its type. */
const ruled = <S extends z.ZodType<string | number>>(schema: S, field: Omit<Field, 'label'>, described: Record<string, unknown>): S =>
  schema
    .superRefine((value, context) => {
      const message = problemOf(field, value);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta(described);

type TextRule = Pick<Field, 'min' | 'max' | 'required' | 'pattern' | 'invalid'>;
/** Trimmed text checked by a field's rule; missing or blank gets the field's `required` error. */
export const textOf = (rule: TextRule) =>
  ruled(
    z.string({ error: rule.required ?? 'Texto no válido' }).trim(),
    { kind: 'text', ...rule },
    { maxLength: rule.max, ...(rule.required === undefined ? {} : { minLength: rule.min ?? 1 }) },
  );
/** The same, but blank or absent becomes null (specification, section 5). */
export const optionalTextOf = (rule: TextRule) =>
  textOf(rule)
    .nullish()
    .transform((value) => value || null);

/** Required text, trimmed, 1 to `max` characters. */
export const text = (max: number, required = 'Este campo es obligatorio') => textOf({ max, required });
/** Optional text, trimmed; blank or absent becomes null. */
export const optionalText = (max: number) => optionalTextOf({ max });

/** A password, never trimmed. */
export const passwordOf = ({ min = 1, max = 200, required }: TextRule) =>
  ruled(
    z.string({ error: required }),
    { kind: 'password', min, max, ...(required === undefined ? {} : { required }) },
    { minLength: min, maxLength: max },
  );

/** An amount in euros on the wire: 0 to a million, two decimals, number or numeric string. */
export const euros = (invalid = 'Importe no válido') =>
  ruled(
    z.union(
      [
        z.number(),
        z
          .string()
          .trim()
          .regex(/^\d{1,7}([.]\d{1,2})?$/, invalid)
          .transform(Number),
      ],
      { error: invalid },
    ),
    { kind: 'money', invalid },
    {},
  );

/** Whole number between two bounds; `invalid` for anything else. */
export const integer = (min: number, max: number, invalid: string) =>
  ruled(z.number({ error: invalid }), { kind: 'integer', min, max, invalid }, { type: 'integer', minimum: min, maximum: max });

/** Version of a record that the caller has seen; a stale one gets 409. */
export const version = integer(1, 2_000_000_000, 'Versión no válida').optional();

export const id = z.uuid('Identificador no válido');
const idParams = z.strictObject({ id });

/** A calendar day of the business's time zone, yyyy-MM-dd. */
export const day = z.iso.date({ error: 'Fecha no válida' }).refine((d) => d >= '1900-01-01' && d <= '2999-12-31', 'Fecha no válida');
/** An instant, ISO 8601 in UTC. */
export const instant = z.string();

/** A number from 1 to `max` in an address. */
export const countParam = (max: number, invalid: string, tooBig = invalid) =>
  z.coerce.number(invalid).int(invalid).min(1, invalid).max(max, tooBig);

export const MAX_PER_PAGE = 100;
export const PER_PAGE = 20;
/** `page` and `per_page` of every paged list. */
export const pageQuery = {
  page: countParam(1_000_000, 'Página no válida').default(1),
  per_page: countParam(MAX_PER_PAGE, 'Tamaño de página no válido', `Como máximo ${MAX_PER_PAGE} por página`).default(PER_PAGE),
};

/** Rows that a long list counts one by one. */
export const MAX_CONTADOS = 1000;
/** Count every row, where the list would stop at `MAX_CONTADOS`. */
export const contar = z.literal('todos', 'Valor no válido').optional();

/**
 * `{ data, total, current_page, last_page, per_page }` (design, section 5). With `total_exacto: false` there are more
 * than `total`, and the pages end there.
 */
export const paged = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: z.number(),
    total_exacto: z.literal(false).optional(),
    current_page: z.number(),
    last_page: z.number(),
    per_page: z.number(),
  });
export type Paged<T> = {
  data: T[];
  total: number;
  total_exacto?: false | undefined;
  current_page: number;
  last_page: number;
  per_page: number;
};
/** `data` as the page `page` of a list of `total` rows. */
export const asPage = <T>(data: T[], total: number, { page, per_page }: { page: number; per_page: number }): Paged<T> => ({
  data,
  total,
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
  per_page,
});
/** The same of a list that was counted up to `MAX_CONTADOS` and one, unless `contar` asked for all. */
export const asCountedPage = <T>(
  data: T[],
  n: number,
  query: { page: number; per_page: number; contar?: 'todos' | undefined },
): Paged<T> => {
  const more = !query.contar && n > MAX_CONTADOS;
  return { ...asPage(data, more ? MAX_CONTADOS : n, query), ...(more && { total_exacto: false }) };
};

/** `{ success: true, data }` for lists without pages and `{ success, message, data }` for writes. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ success: z.literal(true), data: z.array(item) });
export const done = z.object({ success: z.literal(true), message: z.string() });
export const doneWith = <T extends z.ZodType>(data: T) => done.extend({ data });
/** The answer of a write. */
export const asDone = <T>(message: string, data: T) => ({ success: true as const, message, data });
