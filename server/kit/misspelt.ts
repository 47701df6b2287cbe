/** Prefixes that are certainly ours: names with these prefixes may differ by more edits. */
const FAMILY = /^(SUPERADMIN|STRIPE|REDSYS|METRICS|WEBHOOKS)_/;
const LOOSE = 7;

/** Returns a Spanish sentence for each unknown variable that resembles a known name. */
export function misspelt(words: readonly string[], known: readonly string[]): string[] {
  const all = known.flatMap((name) => [name, `${name}_FILE`]);
  return words
    .filter((name) => !all.includes(name))
    .flatMap((name) => {
      const [meant] = all
        .map((candidate) => ({ candidate, edits: editsBetween(name.toUpperCase(), candidate) }))
        .filter(({ candidate, edits }) => edits <= allowed(name, candidate))
        .toSorted((a, b) => a.edits - b.edits);
      return meant ? [`${name} no es ninguna variable de Enruta, y no se usa: ¿querías decir ${meant.candidate}?`] : [];
    });
}

// Accepts only swapped letters or another case for short names (PROT for PORT), because HOME is not HOST.
function allowed(name: string, candidate: string): number {
  const family = FAMILY.exec(candidate)?.[0];
  if (family && name.toUpperCase().startsWith(family)) return LOOSE;
  if (candidate.length < 6) return sorted(name) === sorted(candidate) ? 1 : 0;
  return 2;
}

const sorted = (name: string) => [...name.toUpperCase()].sort().join('');

/** Counts the insertions, deletions, substitutions and swaps of neighbouring letters that turn `a` into `b`. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (up: number, left: number) => rows[i - up]?.[j - left] ?? Number.POSITIVE_INFINITY;
      const changed = at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(2, 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(at(1, 0) + 1, (row[j - 1] as number) + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] as number;
}
