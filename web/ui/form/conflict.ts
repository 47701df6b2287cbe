/** Value of a form field; text is compared after trimming. */
export type Value = string | number | boolean | null | undefined;

/** A field that differs from the stored record: changed by another user, or no longer editable. */
export type Difference<F extends string> = { field: F; mine: Value; stored: Value; typed: boolean };

const bare = (value: Value) => (typeof value === 'string' ? value.trim() : value);
export const isSame = (a: Value, b: Value): boolean => bare(a) === bare(b);

/** Three-way merge. Typed values stay until the person decides; untouched and no longer `editable` fields take the stored value. */
export function mergeValues<V extends { [F in keyof V]: Value }>(
  base: V,
  mine: V,
  stored: V,
  editable: (field: keyof V & string) => boolean = () => true,
): { differences: Difference<keyof V & string>[]; values: V } {
  const fields = Object.keys(stored) as (keyof V & string)[];
  const typed = (field: keyof V) => !isSame(mine[field], base[field]);
  const kept = fields.map((field) => [field, editable(field) && typed(field) ? mine[field] : stored[field]] as const);
  const differs = (field: keyof V & string) =>
    !isSame(mine[field], stored[field]) && !(editable(field) && isSame(base[field], stored[field]));
  return {
    differences: fields.filter(differs).map((field) => ({
      field,
      mine: bare(mine[field]),
      stored: bare(stored[field]),
      typed: typed(field),
    })),
    values: { ...stored, ...Object.fromEntries(kept) },
  };
}
