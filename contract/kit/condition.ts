/** Stands for the actor's own id in a condition. */
export const SELF = Symbol('self');
type Column<R> = { [C in keyof R & string]: { column: C; is: Exclude<R[C], undefined> | typeof SELF } }[keyof R & string];
/** Condition on a record, as data: `can` evaluates it and `server/pedidos/lectura/scope.ts` turns it into SQL. */
export type Condition<R = Record<string, unknown>> =
  | Column<R>
  | { all: readonly Condition<R>[] }
  | { any: readonly Condition<R>[] }
  | { not: Condition<R> };

/** True if `record` meets `condition`; `SELF` stands for the actor's id. */
export function conditionHolds(condition: Condition, actor: { id: string | null }, record: Record<string, unknown>): boolean {
  if ('all' in condition) return condition.all.every((part) => conditionHolds(part, actor, record));
  if ('any' in condition) return condition.any.some((part) => conditionHolds(part, actor, record));
  if ('not' in condition) return !conditionHolds(condition.not, actor, record);
  const value = record[condition.column] ?? null;
  return condition.is === SELF ? value !== null && value === actor.id : value === condition.is;
}
