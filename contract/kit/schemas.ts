import { z } from 'zod';
import { cleanText } from '../text/normalize.ts';
import { ERRORS } from './errors.ts';
import { type Field, problemOf } from './fields.ts';
import { MAX_PER_PAGE, PER_PAGE } from './pages.ts';

const code = z.string().meta({ enum: Object.keys(ERRORS), description: 'Stable, see docs/errors.md; a later version may add some' });

const more = {
  permission: z.string().optional().describe('Of a 403: the permission that is missing'),
  request_id: z.string().optional().describe('Of a 500: finds the entry in the log'),
};

/** Body of every error. */
export const errorBody = z.object({
  message: z.string().describe('A Spanish sentence for the user'),
  errors: z.record(z.string(), z.array(z.string())).optional().describe('Spanish sentences by the name of the field'),
  code: code.optional(),
  ...more,
});

/** Body of an error for a caller that accepts `application/problem+json` (RFC 9457). */
export const problemBody = z.object({
  type: z.string().describe('Page of the code, on every installation'),
  title: z.string().describe('The same for every error of this code'),
  status: z.number().describe('Status of the answer'),
  detail: z.string().describe('A Spanish sentence for the user'),
  code,
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('Sentences by field'),
  ...more,
});

const ruled = <S extends z.ZodType<string | number>>(schema: S, field: Omit<Field, 'label'>, described: Record<string, unknown>): S =>
  schema
    .superRefine((value, context) => {
      const message = problemOf(field, value);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta(described);

type TextRule = Pick<Field, 'min' | 'max' | 'required' | 'pattern' | 'check' | 'invalid'>;

/** Trimmed text checked by the field's rule; missing or blank text gets its `required` error. */
export const ruledText = (rule: TextRule) =>
  ruled(
    z
      .string({ error: rule.required ?? 'Texto no válido' })
      .overwrite(cleanText)
      .trim(),
    { kind: 'text', ...rule },
    { maxLength: rule.max, ...(rule.required === undefined ? {} : { minLength: rule.min ?? 1 }) },
  );

/** Like `ruledText`, but blank or absent becomes null (specification, section 5). */
export const optionalRuledText = (rule: TextRule) =>
  ruledText(rule)
    .nullish()
    .transform((value) => value || null);

export const text = (max: number, required = 'Este campo es obligatorio') => ruledText({ max, required });

export const optionalText = (max: number) => optionalRuledText({ max });

export const ruledPassword = ({ min = 1, max = 200, required }: TextRule) =>
  ruled(
    z.string({ error: required }),
    { kind: 'password', min, max, ...(required === undefined ? {} : { required }) },
    { minLength: min, maxLength: max },
  );

/** Amount in euros on the wire: 0 to a million, two decimals, as number or numeric string. */
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

export const integer = (min: number, max: number, invalid: string) =>
  ruled(z.number({ error: invalid }), { kind: 'integer', min, max, invalid }, { type: 'integer', minimum: min, maximum: max });

/** Version of the record that the caller has seen; a stale version gets 409. */
export const version = integer(1, 2_000_000_000, 'Versión no válida').optional();

export const id = z.uuid('Identificador no válido');

export const idParams = z.strictObject({ id });

/** Calendar day in the business's time zone, yyyy-MM-dd. */
export const day = z.iso.date({ error: 'Fecha no válida' }).refine((d) => d >= '1900-01-01' && d <= '2999-12-31', 'Fecha no válida');

/** ISO 8601 in UTC. */
export const isoInstant = z.string().meta({ format: 'date-time' });

/** Instant sent by a person or a phone; the bounds exclude years that totals and database cannot hold. */
export const sentInstant = z.iso
  .datetime({ offset: true, abort: true, error: 'Fecha no válida' })
  .refine((at) => at >= '1900-01-02' && at < '2999-12-31', 'Fecha no válida');

export const countParam = (max: number, invalid: string, tooBig = invalid) =>
  z.coerce.number(invalid).int(invalid).min(1, invalid).max(max, tooBig);

export const pageQuery = {
  page: countParam(1_000_000, 'Página no válida').default(1).describe('Counted from 1'),
  per_page: countParam(MAX_PER_PAGE, 'Tamaño de página no válido', `Como máximo ${MAX_PER_PAGE} por página`)
    .default(PER_PAGE)
    .describe('Rows of a page'),
};

const IDS = 'Identificadores no válidos';
export const IDS_SAY = 'Ids of the rows to give, up to 100, separated by commas or repeated';
/** Ids of up to a page of rows, separated by commas or repeated; our own client uses commas. */
export const ids = z
  .union([z.string(), z.array(z.string())], IDS)
  .transform((values) => [values].flat().flatMap((some) => some.split(',')))
  .pipe(z.array(id).max(MAX_PER_PAGE, `Como máximo ${MAX_PER_PAGE} a la vez`)) as z.ZodType as z.ZodType<string[], string>;

/** Query of every list: ids of the wanted rows. `route` narrows lists without pages; paged lists use SQL. */
export const idsQuery = { ids: ids.optional().describe(IDS_SAY) };

/** Query of a list with pages. */
export const listQuery = { ...pageQuery, ...idsQuery };

/** Requests a count of every row; by default a list stops counting at `MAX_CONTADOS`. */
export const contar = z.literal('todos', 'Valor no válido').optional().describe('Counts every row, however many there are');

/** A page of a list (design, section 5). `total_exacto: false`: counting stopped at `total`, and there are more rows. */
export const paged = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item).describe('Rows of the page'),
    total: z.number().describe('Rows of all pages'),
    total_exacto: z.literal(false).optional().describe('False: there are more than `total`'),
    current_page: z.number().describe('Counted from 1'),
    last_page: z.number().describe('Number of pages, of the rows counted'),
    per_page: z.number().describe('Rows of a page'),
  });

const success = z.literal(true).describe('Always true: an error has another status');

export const listOf = <T extends z.ZodType>(item: T) => z.object({ success, data: z.array(item).describe('All rows') });

export const doneMessage = z.object({ success, message: z.string().describe('Spanish sentence for the person') });

/** `data`: the record as it is after the write. */
export const doneWith = <T extends z.ZodType>(data: T) => doneMessage.extend({ data });

/** Schemas of an endpoint; the browser imports them as types only (`schemas.ts`). */
export type Schemas = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Content types of a body that is a file. */
  bytes?: readonly string[];
  /** Successful responses; errors share one schema. `file`: content type of a response that the handler sends itself. */
  response: { 200?: z.ZodType; 201?: z.ZodType; file?: string };
};

type Answers = Schemas['response'];
type Taken = Omit<Schemas, 'summary' | 'response'>;

type Operation<T> = { summary: string } & Pick<T, Extract<keyof T, keyof Taken>> & { response: Pick<T, Extract<keyof T, keyof Answers>> };

/** Schemas of an endpoint: what the reference says of it, what it takes besides an id, and what it answers with status 200, 201 or as a file. */
export function operation<const T extends Taken & Answers>(summary: string, schemas: T): Operation<T>;
export function operation(summary: string, { 200: ok, 201: created, file, ...taken }: Taken & Answers): Schemas {
  return { summary, ...taken, response: { ...(ok && { 200: ok }), ...(created && { 201: created }), ...(file && { file }) } };
}
