import { type Field, type Fields, problemOf } from '../../../contract/kit/fields.ts';
import { parseNumber } from '../format/format.ts';

function typedValue({ kind }: Field, typed: string): string | number {
  if (kind === 'integer' || kind === 'money') return parseNumber(typed);
  return kind === 'password' ? typed : typed.trim();
}

const problemWith = (field: Field, typed: string | null) => problemOf(field, typedValue(field, typed ?? ''));

/** Rules for @mantine/form, the same as the server's. `required` replaces the message for an empty required field. */
export function rulesOf<N extends string>(fields: Record<N, Field>, names: readonly N[], required?: string) {
  const rule = (field: Field) => {
    const asked = field.required !== undefined && required !== undefined ? { ...field, required } : field;
    return (typed: string | null) => problemWith(asked, typed) ?? null;
  };
  return Object.fromEntries(names.map((name) => [name, rule(fields[name])])) as Record<N, ReturnType<typeof rule>>;
}

/** Input props: label and limits from the field table, value and error from the form. */
export const fieldInputs =
  <N extends string, P>(fields: Record<N, Field>, getInputProps: (name: N) => P) =>
  (name: N) => {
    const { label, kind, max, required } = fields[name];
    // An empty number counts as 0, so it is never required.
    const text = kind !== 'integer' && kind !== 'money';
    return { label, ...(text && { maxLength: max, required: required !== undefined }), ...getInputProps(name) };
  };

export function problemsIn<T extends Fields>(fields: T, values: { [N in keyof T]: string | null }): Record<string, string> {
  const wrong = Object.entries(fields).map(([name, field]) => [name, problemWith(field, values[name] ?? null)] as const);
  return Object.fromEntries(wrong.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
