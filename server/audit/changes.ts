type Values = Record<string, unknown>;

/** Diffs two rows for the audit log; fields undefined in `after` count as unchanged. */
export function changes(before: Values, after: Values): { antes: Values; despues: Values } {
  const changed = Object.keys(after).filter((field) => after[field] !== undefined && after[field] !== before[field]);
  const pick = (values: Values) => Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
  return { antes: pick(before), despues: pick(after) };
}
