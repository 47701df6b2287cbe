import { EDITABLE_FIELDS, type EditableField } from '../../contract/pedidos.fields.ts';
import type { ClienteValues } from './cliente-values.ts';

/** A field stored with another value than this person's: somebody else changed it, or it is no longer editable. */
export type Difference = { field: EditableField; mine: string; stored: string; typed: boolean };

type Conflict = {
  differences: Difference[];
  /** New form values: what was typed; elsewhere, what is stored. */
  values: ClienteValues;
};

/**
 * Merges what a form was filled from (`base`), what it holds (`mine`) and what is stored now. Typed values stay
 * until the person decides; untouched or no longer `editable` fields take the stored value. A field that only
 * this person changed is no difference.
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
