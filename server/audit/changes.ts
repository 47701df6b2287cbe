type Values = Record<string, unknown>;

/** What differs of `before` in `after`, as the audit log keeps it; fields that `after` leaves undefined did not change. */
export function changes(before: Values, after: Values): { antes: Values; despues: Values } {
  const changed = Object.keys(after).filter((field) => after[field] !== undefined && after[field] !== before[field]);
  const pick = (values: Values) => Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
  return { antes: pick(before), despues: pick(after) };
}
