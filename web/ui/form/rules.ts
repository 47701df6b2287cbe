import { type Field, type Fields, problemOf } from '../../../contract/fields.ts';
import { parseNumber } from '../format/numbers.ts';

/** Converts what was typed into the value that the field sends. */
function typedValue({ kind }: Field, typed: string): string | number {
  if (kind === 'integer' || kind === 'money') return parseNumber(typed);
  return kind === 'password' ? typed : typed.trim();
}

const problemWith = (field: Field, typed: string | null) => problemOf(field, typedValue(field, typed ?? ''));

/** The rules of @mantine/form for these fields, as the server has them. `required` is said instead of a field's own sentence. */
export function rulesOf<N extends string>(fields: Record<N, Field>, names: readonly N[], required?: string) {
  const rule = (field: Field) => {
    const asked = field.required !== undefined && required !== undefined ? { ...field, required } : field;
    return (typed: string | null) => problemWith(asked, typed) ?? null;
  };
  return Object.fromEntries(names.map((name) => [name, rule(fields[name])])) as Record<N, ReturnType<typeof rule>>;
}

/** The props of the input of a field: what the form says of its value, and the table of its label and limits. */
export function inputsOf<N extends string, P>(fields: Record<N, Field>, getInputProps: (name: N) => P) {
  return (name: N) => {
    const { label, kind, max, required } = fields[name];
    // An empty number is 0.
    const text = kind !== 'integer' && kind !== 'money';
    return { label, ...(text && { maxLength: max, required: required !== undefined }), ...getInputProps(name) };
  };
}

/** Returns the validation errors of a form, by field. */
export function problemsIn<T extends Fields>(fields: T, values: { [N in keyof T]: string | null }): Record<string, string> {
  const wrong = Object.entries(fields).map(([name, field]) => [name, problemWith(field, values[name] ?? null)] as const);
  return Object.fromEntries(wrong.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
