import { EDITABLE_FIELDS, type EditableField } from '../../contract/pedidos.fields.ts';
import type { ClienteValues } from './cliente-values.ts';

/** A field that somebody else changed, or that may no longer change, and is not stored as this person had it. */
export type Difference = { field: EditableField; mine: string; stored: string; typed: boolean };

/** An order changed on the server while somebody was editing it. */
type Conflict = {
  differences: Difference[];
  /** What the form should hold now: what was typed, and what others stored where nothing was typed. */
  values: ClienteValues;
};

/**
 * Compares what a form was filled from (`base`), what it holds (`mine`) and what is stored now. A field that
 * only somebody else changed takes the stored value; whatever was typed stays until the person decides.
 * A field that `editable` refuses takes the stored value too. What only this person changed is no difference.
 */
export function compare(
  base: ClienteValues,
  mine: ClienteValues,
  stored: ClienteValues,
  editable: (field: EditableField) => boolean,
): Conflict {
  const same = (field: EditableField, a: ClienteValues, b: ClienteValues) => a[field].trim() === b[field].trim();
  const typed = (field: EditableField) => !same(field, mine, base);
  const kept = EDITABLE_FIELDS.map((field) => [field, editable(field) && typed(field) ? mine[field] : stored[field]] as const);
  const differs = (field: EditableField) => !same(field, mine, stored) && !(editable(field) && same(field, base, stored));
  return {
    differences: EDITABLE_FIELDS.filter(differs).map((field) => ({
      field,
      mine: mine[field].trim(),
      stored: stored[field].trim(),
      typed: typed(field),
    })),
    values: { ...stored, ...Object.fromEntries(kept) },
  };
}
