import { z } from 'zod';
import { type Field, problemOf } from './fields.ts';
import { MAX_PER_PAGE, PER_PAGE } from './kit.ts';

/** Body of every error response. `message` and `errors` are Spanish sentences shown to the user. */
export const errorBody = z.object({
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  code: z.string().optional(),
});

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

export const idParams = z.strictObject({ id });

/** A calendar day of the business's time zone, yyyy-MM-dd. */
export const day = z.iso.date({ error: 'Fecha no válida' }).refine((d) => d >= '1900-01-01' && d <= '2999-12-31', 'Fecha no válida');

/** An instant, ISO 8601 in UTC. */
export const instant = z.string();

/** A number from 1 to `max` in an address. */
export const countParam = (max: number, invalid: string, tooBig = invalid) =>
  z.coerce.number(invalid).int(invalid).min(1, invalid).max(max, tooBig);

/** `page` and `per_page` of every paged list. */
export const pageQuery = {
  page: countParam(1_000_000, 'Página no válida').default(1),
  per_page: countParam(MAX_PER_PAGE, 'Tamaño de página no válido', `Como máximo ${MAX_PER_PAGE} por página`).default(PER_PAGE),
};

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

/** `{ success: true, data }` for lists without pages and `{ success, message, data }` for writes. */
export const listOf = <T extends z.ZodType>(item: T) => z.object({ success: z.literal(true), data: z.array(item) });

export const done = z.object({ success: z.literal(true), message: z.string() });

export const doneWith = <T extends z.ZodType>(data: T) => done.extend({ data });
