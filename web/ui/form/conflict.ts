/** What a field of a form holds; text is compared without the spaces around it. */
export type Value = string | number | boolean | null | undefined;

/** A field stored with another value than this person's: somebody else changed it, or it is no longer editable. */
export type Difference<F extends string> = { field: F; mine: Value; stored: Value; typed: boolean };

const bare = (value: Value) => (typeof value === 'string' ? value.trim() : value);
export const isSame = (a: Value, b: Value): boolean => bare(a) === bare(b);

/**
 * Merges what a form was filled from (`base`), what it holds (`mine`) and what is stored now. Typed values stay
 * until the person decides; untouched or no longer `editable` fields take the stored value. A field that only
 * this person changed is no difference.
 */
export function compare<V extends { [F in keyof V]: Value }>(
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
