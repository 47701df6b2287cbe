import { DEFAULT_SETTINGS, type Settings, TERMS } from '../../contract/settings/values.ts';

type Term = (typeof TERMS)[number];
/** After shortening, the longer term holds until `until` (ISO 8601). */
export type HeldTerms = Partial<Record<Term, { value: number; until: string }>>;
type Stored = { [K in Term]?: unknown } & { heldTerms?: unknown };

/** Delay in ms before a shorter term applies, so that the other superadmins can undo the change. */
const HOLD = 24 * 3600 * 1000;

const heldOf = (data: Stored): HeldTerms => (data.heldTerms ?? {}) as HeldTerms;

/** Returns until when the previous, longer term holds (ISO 8601); undefined if the setting is in force. */
export function heldUntil(data: Stored, term: Term, now = new Date()): string | undefined {
  const { until } = heldOf(data)[term] ?? {};
  return until && now < new Date(until) ? until : undefined;
}

/** Returns the term in force, in the setting's unit: for a day after shortening, the previous term. 0 means never. */
export function termInForce(data: Stored, term: Term, now = new Date()): number {
  const held = heldUntil(data, term, now) ? heldOf(data)[term] : undefined;
  return held?.value ?? (data[term] as number | undefined) ?? DEFAULT_SETTINGS[term];
}

/** Returns the previous terms that hold after `changed`; `isShorter` is true if `changed` shortens a term. */
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
