import { z } from 'zod';
import { type Field, type Fields, MAX_METADATA_VALUE, problemOf, type Wire } from './fields.ts';
import { day, euros, id, integer, isoInstant, optionalRuledText, ruledPassword, ruledText, sentInstant } from './schemas.ts';

const instantOrDay = z.union([sentInstant, day], { error: 'Fecha no válida' });

/** Keys to write; null or an empty text deletes a key. Twice the limit, because a change can delete all keys and write as many new keys. */
export type MetadataInput = Record<string, string | null>;
const metadataOf = (field: Field): z.ZodType<MetadataInput, MetadataInput> =>
  z
    .record(z.string(), z.string('Cada valor es un texto').nullable(), 'Se espera un objeto de textos')
    .superRefine((value, context) => {
      const message = problemOf({ ...field, max: 2 * (field.max ?? 0) }, value);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta({
      propertyNames: { pattern: '^[a-z0-9_.-]{1,40}$' },
      additionalProperties: { type: ['string', 'null'], maxLength: MAX_METADATA_VALUE },
    });

const inputSchema = (field: Field): z.ZodType => {
  const { kind, max = Number.MAX_SAFE_INTEGER, min, required, invalid, options = [] } = field;
  if (kind === 'money') return euros(invalid);
  if (kind === 'integer') return integer(min ?? 0, max, invalid ?? 'Número no válido');
  if (kind === 'metadata') return metadataOf(field);
  if (kind === 'instant') return instantOrDay;
  if (kind === 'id') return required === undefined ? id : z.uuid(required);
  if (kind === 'password') return ruledPassword(field);
  if (kind === 'flag') return z.boolean(invalid ?? 'Valor no válido');
  if (kind === 'choice') return z.enum(options, { error: invalid ?? 'Valor no válido' });
  return required === undefined ? optionalRuledText(field) : ruledText(field);
};

type Input<F extends Field> = F extends { required: string }
  ? z.ZodType<Wire<F>, Wire<F>>
  : F extends { kind: 'money' }
    ? z.ZodOptional<z.ZodNullable<ReturnType<typeof euros>>>
    : F extends { kind: 'metadata' }
      ? z.ZodOptional<z.ZodNullable<z.ZodType<MetadataInput, MetadataInput>>>
      : F extends { kind: 'integer' | 'instant' | 'id' | 'choice' | 'flag' }
        ? z.ZodOptional<z.ZodNullable<z.ZodType<Wire<F>, Wire<F>>>>
        : ReturnType<typeof optionalRuledText>;

/** Returns the body schemas of the named fields. Optional fields can be absent or null; optional text can also be empty. */
export function inputSchemas<const T extends Fields, const N extends keyof T & string>(fields: T, names: readonly N[]) {
  const optional = (field: Field) => {
    const schema = inputSchema(field);
    return field.required === undefined ? schema.nullish() : schema;
  };
  return shapeOf(fields, names, (field) => (isText(field) ? inputSchema(field) : optional(field))) as { [K in N]: Input<T[K]> };
}
const isText = ({ kind }: Field) => !['money', 'integer', 'instant', 'id', 'choice', 'metadata', 'flag'].includes(kind);

type Always = { required: string } | { always: true };
type Output<F extends Field> = F extends Always ? z.ZodType<Wire<F>> : z.ZodNullable<z.ZodType<Wire<F>>>;

/** Returns the response schemas of the named fields. Optional fields are null when empty. */
export const answerSchemas = <const T extends Fields, const N extends keyof T & string>(fields: T, names: readonly N[]) =>
  shapeOf(fields, names, (field) => {
    const schema = outputSchema(field);
    return field.required !== undefined || 'always' in field ? schema : schema.nullable();
  }) as { [K in N]: Output<T[K]> };
const outputSchema = ({ kind, options = [] }: Field): z.ZodType => {
  if (kind === 'money' || kind === 'integer') return z.number();
  if (kind === 'choice') return z.enum(options);
  if (kind === 'metadata') return z.record(z.string(), z.string());
  if (kind === 'flag') return z.boolean();
  if (kind === 'id') return id;
  return kind === 'instant' ? isoInstant : z.string();
};

const shapeOf = (fields: Fields, names: readonly string[], schema: (field: Field) => z.ZodType) =>
  Object.fromEntries(names.map((name) => [name, schema(fields[name] as Field).describe((fields[name] as Field).label)]));
