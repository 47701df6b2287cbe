import type { z } from 'zod';
import type * as schemas from './kit.schemas.ts';
import type { Action } from './policy.ts';

/**
 * Endpoints that need no permission: open to everyone, to any signed-in person, or (`signed`) to another
 * company's server, whose signature over the body stands in for the anti-forgery token.
 */
export const UNRESTRICTED = ['public', 'session', 'signed'] as const;

export type ErrorBody = z.infer<typeof schemas.errorBody>;

/** Header that makes a repeated write answer with the first result. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Whether an endpoint honours `Idempotency-Key`: every write of a signed-in person or a program. A key sent elsewhere is refused. */
export const honoursKey = ({ method, action }: Pick<EndpointDef, 'method' | 'action'>): boolean =>
  method !== 'GET' && action !== 'public' && action !== 'signed';

/** Statuses any endpoint may return with `errorBody`. */
export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 410, 413, 414, 415, 419, 422, 429, 500, 503] as const;

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
  /** Most bytes of a body, where it may be larger than 64 KB. */
  bodyLimit?: number;
};

/** What an endpoint takes and answers; only the server has it at run time (`*.schemas.ts`). */
export type Schemas = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * Schemas of successful responses; errors share one schema. `file` is the content type of a non-JSON
   * response (a download or a stream), which the handler sends itself.
   */
  response: { 200?: z.ZodType; 201?: z.ZodType; file?: string };
};

declare const schemasOf: unique symbol;
/** An endpoint that knows, as a type alone, what it takes and answers. */
export type Endpoint<S extends Schemas> = EndpointDef & { readonly [schemasOf]?: S };

/**
 * Declares where an endpoint is and who may call it; its schemas are the export of the same name in the module's
 * `*.schemas.ts`. `server/kit/route.ts` registers it and `web/api.ts` calls it.
 */
export function endpoint<S extends Schemas>() {
  return <M extends Method, const P extends string, const E extends Omit<EndpointDef, 'method' | 'path'>>(method: M, path: P, def: E) =>
    ({ ...def, method, path }) as E & { method: M; path: P } & Endpoint<S>;
}

type SchemasOf<E extends EndpointDef> = E extends { readonly [schemasOf]?: infer S extends Schemas | undefined } ? NonNullable<S> : Schemas;
type Of<E extends EndpointDef, K extends 'query' | 'body'> = SchemasOf<E> extends { [P in K]: infer Z } ? Z : undefined;
/** `:id` in a path is a parameter of every such endpoint. */
type ParamsSchema<E extends EndpointDef> =
  SchemasOf<E> extends { params: infer Z } ? Z : E['path'] extends `${string}/:id${string}` ? typeof schemas.idParams : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
/** Input as the caller sends it. */
export type ParamsIn<E extends EndpointDef> = In<ParamsSchema<E>>;

export type QueryIn<E extends EndpointDef> = In<Of<E, 'query'>>;

export type BodyIn<E extends EndpointDef> = In<Of<E, 'body'>>;

/** Input as the handler receives it after validation. */
export type ParamsOut<E extends EndpointDef> = Out<ParamsSchema<E>>;

export type QueryOut<E extends EndpointDef> = Out<Of<E, 'query'>>;

export type BodyOut<E extends EndpointDef> = Out<Of<E, 'body'>>;

/** Body of a successful response. */
export type Answer<E extends EndpointDef> =
  | (SchemasOf<E>['response'] extends { 200: infer S extends z.ZodType } ? z.output<S> : never)
  | (SchemasOf<E>['response'] extends { 201: infer S extends z.ZodType } ? z.output<S> : never)
  | (SchemasOf<E>['response'] extends { file: string } ? undefined : never);

export const MAX_PER_PAGE = 100;

export const PER_PAGE = 20;

/** Rows that a long list counts one by one. */
export const MAX_CONTADOS = 1000;

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

/** The answer of a write. */
export const asDone = <T>(message: string, data: T) => ({ success: true as const, message, data });
