import { DEFAULT_SETTINGS, type Settings, TERMS } from '../../contract/settings.ts';

type Term = (typeof TERMS)[number];
/** A term that has been shortened: the longer one holds until then (ISO 8601). */
export type HeldTerms = Partial<Record<Term, { value: number; until: string }>>;
type Stored = { [K in Term]?: unknown } & { heldTerms?: unknown };

/** A shortened term deletes nothing for so long, in milliseconds: the other superadmins can still undo it. */
const HOLD = 24 * 3600 * 1000;

const heldOf = (data: Stored): HeldTerms => (data.heldTerms ?? {}) as HeldTerms;

/** Until when the longer term of before holds (ISO 8601); undefined if the term of the settings is in force. */
export function heldUntil(data: Stored, term: Term, now = new Date()): string | undefined {
  const { until } = heldOf(data)[term] ?? {};
  return until && now < new Date(until) ? until : undefined;
}

/** The term in force: of a term shortened less than a day ago, the one before. In the setting's unit; 0 is never. */
export function termInForce(data: Stored, term: Term, now = new Date()): number {
  const held = heldUntil(data, term, now) ? heldOf(data)[term] : undefined;
  return held?.value ?? (data[term] as number | undefined) ?? DEFAULT_SETTINGS[term];
}

/** Holds the terms that `changed` makes shorter, counting those in force. `isShorter` if there is one. */
export function holdTerms(data: Stored, changed: Partial<Settings>, now = new Date()): { heldTerms: HeldTerms; isShorter: boolean } {
  const heldTerms = { ...heldOf(data) };
  let isShorter = false;
  for (const term of TERMS) {
    const to = changed[term];
    if (to === undefined) continue;
    const before = termInForce(data, term, now);
    delete heldTerms[term];
    if (endless(to) >= endless(before)) continue;
    heldTerms[term] = { value: before, until: new Date(now.getTime() + HOLD).toISOString() };
    isShorter = true;
  }
  return { heldTerms, isShorter };
}

const endless = (term: number) => term || Number.POSITIVE_INFINITY;
