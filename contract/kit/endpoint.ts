import type { z } from 'zod';
import type { Action } from '../policy/policy.ts';
import type * as schemas from './schemas.ts';
import type { Schemas } from './schemas.ts';

/** Endpoints without a permission; `signed`: for another company's server, whose signature replaces the CSRF token. */
export const UNRESTRICTED = ['public', 'session', 'signed'] as const;

export type ErrorBody = z.infer<typeof schemas.errorBody>;

/** Header that makes a repeated write return the first response. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** True if an endpoint honours `Idempotency-Key`: every write of a person or program. Public writes refuse the header, others ignore it. */
export const honoursKey = ({ method, action }: Pick<EndpointDef, 'method' | 'action'>): boolean =>
  method !== 'GET' && action !== 'public' && action !== 'signed';

export const ERROR_STATUSES = [400, 401, 403, 404, 405, 409, 410, 413, 414, 415, 419, 422, 429, 500, 503] as const;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type EndpointDef = {
  method: Method;
  path: string;
  action: Action | (typeof UNRESTRICTED)[number];
  also?: Action;
  whilePending?: true;
  /** Requires password and code unless confirmed in the last five minutes: a stolen session must not do lasting harm. */
  stepUp?: true | ((body: never) => boolean);
  /** Programs need no proof: the endpoint gives a program nothing beyond the permissions of its key (decision 049). */
  keysWithoutProof?: true;
  /** Maximum body size in bytes, where 64 KB are not enough. */
  bodyLimit?: number;
};

declare const schemasOf: unique symbol;
export type Endpoint<S extends Schemas> = EndpointDef & { readonly [schemasOf]?: S };

type Def = Omit<EndpointDef, 'method' | 'path'>;
type DefOf<D> = D extends string ? { action: D } : D;

/** Declares an endpoint. Its schemas are the export of the same name in `schemas.ts`. `def`: the permission, or an object with further options. */
export const endpoint =
  <S extends Schemas>() =>
  <M extends Method, const P extends string, const D extends Def | Def['action']>(method: M, path: P, def: D) => {
    const rest: object = typeof def === 'string' ? { action: def } : def;
    return { ...rest, method, path } as DefOf<D> & { method: M; path: P } & Endpoint<S>;
  };

type SchemasOf<E extends EndpointDef> = E extends { readonly [schemasOf]?: infer S extends Schemas | undefined } ? NonNullable<S> : Schemas;
type Of<E extends EndpointDef, K extends 'query' | 'body'> = SchemasOf<E> extends { [P in K]: infer Z } ? Z : undefined;
type ParamsSchema<E extends EndpointDef> =
  SchemasOf<E> extends { params: infer Z } ? Z : E['path'] extends `${string}/:id${string}` ? typeof schemas.idParams : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;
type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
export type ParamsIn<E extends EndpointDef> = In<ParamsSchema<E>>;

export type QueryIn<E extends EndpointDef> = In<Of<E, 'query'>>;

export type BodyIn<E extends EndpointDef> = In<Of<E, 'body'>>;

export type ParamsOut<E extends EndpointDef> = Out<ParamsSchema<E>>;

export type QueryOut<E extends EndpointDef> = Out<Of<E, 'query'>>;

export type BodyOut<E extends EndpointDef> = Out<Of<E, 'body'>>;

export type Answer<E extends EndpointDef> =
  | (SchemasOf<E>['response'] extends { 200: infer S extends z.ZodType } ? z.output<S> : never)
  | (SchemasOf<E>['response'] extends { 201: infer S extends z.ZodType } ? z.output<S> : never)
  | (SchemasOf<E>['response'] extends { file: string } ? undefined : never);

/** Maximum number of rows that a long list counts; beyond it, the screen says «más de». */
export const MAX_CONTADOS = 1000;

export type Paged<T> = {
  data: T[];
  total: number;
  total_exacto?: false | undefined;
  current_page: number;
  last_page: number;
  per_page: number;
};

export const asPage = <T>(data: T[], total: number, { page, per_page }: { page: number; per_page: number }): Paged<T> => ({
  data,
  total,
  current_page: page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
  per_page,
});

/** Like `asPage`, for a count that stopped at `MAX_CONTADOS` + 1 unless `contar` asked for all rows. */
export const asCountedPage = <T>(
  data: T[],
  n: number,
  query: { page: number; per_page: number; contar?: 'todos' | undefined },
): Paged<T> => {
  const more = !query.contar && n > MAX_CONTADOS;
  return { ...asPage(data, more ? MAX_CONTADOS : n, query), ...(more && { total_exacto: false }) };
};

export const asDone = <T>(message: string, data: T) => ({ success: true as const, message, data });
