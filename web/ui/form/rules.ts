import { type Field, problemOf } from '../../../contract/fields.ts';
import { parseNumber } from '../format/numbers.ts';

/** The value that a field would send, of what was typed into it. */
const typedValue = ({ kind }: Field, typed: string) => (kind === 'integer' || kind === 'money' ? parseNumber(typed) : typed.trim());

/** The rules of @mantine/form for these fields, as the server has them. `required` is said instead of a field's own sentence. */
export function rulesOf<N extends string>(fields: Record<N, Field>, names: readonly N[], required?: string) {
  const rule = (field: Field) => (typed: string | null) => {
    const asked = field.required !== undefined && required !== undefined ? { ...field, required } : field;
    return problemOf(asked, typedValue(field, typed ?? '')) ?? null;
  };
  return Object.fromEntries(names.map((name) => [name, rule(fields[name])])) as Record<N, ReturnType<typeof rule>>;
}
