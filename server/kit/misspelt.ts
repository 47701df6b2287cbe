/** Prefixes that are certainly ours: names with these prefixes may differ in more characters. */
const FAMILY = /^(SUPERADMIN|STRIPE|REDSYS|METRICS|WEBHOOKS)_/;
const LOOSE = 7;

/** Returns a Spanish sentence for each unknown variable that resembles a known name. */
export function misspeltNames(words: readonly string[], known: readonly string[]): string[] {
  const all = known.flatMap((name) => [name, `${name}_FILE`]);
  return words
    .filter((name) => !all.includes(name))
    .flatMap((name) => {
      const [meant] = all
        .map((candidate) => ({ candidate, wrong: between(name.toUpperCase(), candidate) }))
        .filter(({ candidate, wrong }) => wrong <= allowed(name, candidate))
        .toSorted((a, b) => a.wrong - b.wrong);
      return meant ? [`${name} no es ninguna variable de Enruta, y no se usa: ¿querías decir ${meant.candidate}?`] : [];
    });
}

// Accepts only swapped letters or another case for short names (PROT for PORT), because HOME is not HOST.
function allowed(name: string, candidate: string): number {
  const family = FAMILY.exec(candidate)?.[0];
  if (family && name.toUpperCase().startsWith(family)) return LOOSE;
  if (candidate.length < 6) return sorted(name) === sorted(candidate) ? 2 : 0;
  return 2;
}

const sorted = (name: string) => [...name.toUpperCase()].sort().join('');

/** Counts the characters between the part with which both begin and the part with which both end. */
function between(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end;
}
