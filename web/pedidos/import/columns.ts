import { type EditableField, pedidoField } from '../../../contract/pedidos/fields.ts';
import { bare, wordsOf } from '../lineas/words.ts';
import { AROUND, BILLING, CONTINUES, DAYS, EXPORTS, JOINING, LAST, NAMES, OTHER_NUMBERS, SHIPPING, WEAK, WRITTEN_IN } from './headings.ts';
import { TARGETS, type Target, type Targets } from './target.ts';

/* Matches columns of a sheet to fields of the order, by the words of their headings. */

const setOf = (words: readonly string[]) => new Set(words.map(bare));
const [JOIN, AROUND_WORDS, SHIP, BILL] = [JOINING, AROUND, SHIPPING, BILLING].map(setOf) as [
  Set<string>,
  Set<string>,
  Set<string>,
  Set<string>,
];
const SENDER = setOf(['remitente', 'sender', 'expedidor']);
const GROUP_WORDS = setOf(['datos', 'dirección', 'información', 'info', 'address', 'details', 'data']);
const joined = (words: readonly string[]) => words.filter((word) => !JOIN.has(word)).join('');
const keyOf = (text: string) => joined(wordsOf(text));

// Headings of the contract by their whole text, which win over matches by words.
const EXACT = new Map<string, Target>();
const known = new Map<string, { target: Target; rank: number }>();
const learn = (target: Target, names: readonly string[] = [], rank = 1) => {
  for (const name of names.map(keyOf)) if (!known.has(name)) known.set(name, { target, rank });
};
for (const target of TARGETS) {
  for (const name of WRITTEN_IN[target] ?? [target as EditableField]) {
    const { label, formLabel = label, exported, headings = [] } = pedidoField(name);
    const names = [name, label, formLabel, exported?.heading ?? label, ...headings];
    for (const heading of names.map(bare)) if (!EXACT.has(heading)) EXACT.set(heading, target);
    learn(target, names);
  }
  learn(target, NAMES[target]);
  learn(target, WEAK[target], 5);
  learn(target, LAST[target], 8);
}
const CONTINUED = new Map(TARGETS.map((target) => [target, new Set(CONTINUES[target]?.map(keyOf))]));

/** Preference of a heading, lowest first: 0 names the delivery, 1 neither, 2 the billing. */
type Tier = 0 | 1 | 2;
type Heading = {
  target: Target;
  tier: Tier;
  /** The candidate with the lowest rank wins its target. */
  rank: number;
};

/** Tier of a heading, and its key without words such as «cliente», «envío» or «factura». */
function stripped(words: readonly string[]): { key: string; tier: Tier } {
  const tier = words.some((word) => BILL.has(word)) ? 2 : words.some((word) => SHIP.has(word)) ? 0 : 1;
  return { key: joined(words.filter((word) => !AROUND_WORDS.has(word) && !SHIP.has(word) && !BILL.has(word))), tier };
}

const tierOf = (title: string): Tier => stripped(wordsOf(title)).tier;

/** True for a heading over the headings of one address, such as «FACTURACIÓN», «Datos de envío» or «Remitente». */
function isGroupTitle(title: string): boolean {
  const words = wordsOf(title);
  return (
    words.some((word) => SHIP.has(word) || BILL.has(word) || SENDER.has(word)) &&
    words.every((word) => [SHIP, BILL, SENDER, AROUND_WORDS, JOIN, GROUP_WORDS].some((all) => all.has(word)))
  );
}

/** Target that all words of a heading share, such as «Población / Ciudad»; undefined if they differ. */
function allMeaning(words: readonly string[]): Target | undefined {
  const [first, ...others] = words.filter((word) => !JOIN.has(word)).map((word) => known.get(word)?.target);
  return others.every((target) => target === first) ? first : undefined;
}

type Meant = Readonly<Record<string, Target>>;

/** False for «Order state», which is not a province, and for a discount on shipping. */
const isMeant = (target: Target, words: readonly string[]) =>
  !(target === 'cliente_provincia' && words.some((word) => /^(order|payment|pedido|orden|pago)$/.test(word))) &&
  !(target === 'descuento' && words.some((word) => SHIP.has(word)));

function readHeading(written: string, meant: Meant = {}): Heading | undefined {
  const title = written.replace(/^\s*post(?:ed)? to\b/i, 'Ship to');
  const heading = headingOf(wordsOf(title), meant);
  if (heading) return isMeant(heading.target, wordsOf(title)) ? heading : undefined;
  // Odoo prefixes a field with its group: «Dirección de entrega/Calle».
  const [, of = '', last = ''] = /^(.*)\/\s*([^/]+)$/.exec(title) ?? [];
  const isPlace =
    isGroupTitle(of) ||
    wordsOf(of).every(
      (word) => /^(direccion|address|partner)$/.test(word) || [JOIN, AROUND_WORDS, SHIP, BILL].some((all) => all.has(word)),
    );
  const found = isPlace && headingOf(wordsOf(last), {});
  return found ? { ...found, tier: stripped(wordsOf(title)).tier, rank: stripped(wordsOf(title)).tier * 10 + 2 } : undefined;
}

function headingOf(words: readonly string[], meant: Meant): Heading | undefined {
  const exact = meant[words.join('')] ?? EXACT.get(words.join(''));
  const { key, tier } = stripped(words);
  if (exact) return { target: exact, tier, rank: tier * 10 };
  const found = known.get(joined(words)) ?? known.get(key);
  if (found) return { target: found.target, tier, rank: tier * 10 + found.rank };
  const target = allMeaning(words);
  return target && { target, tier, rank: tier * 10 + 1 };
}

const PLACE: readonly Target[] = [
  ...(['cliente_direccion', 'cliente_direccion2', 'cliente_codigo_postal'] as const),
  ...(['cliente_ciudad', 'cliente_provincia', 'cliente_pais'] as const),
];

type Candidate = Heading & { follows: boolean };

/**
 * True for a heading that continues the column before, such as «Apellidos» after a name. A house number must be the whole heading, because
 * «Número de envío» is another number.
 */
function continues(before: Candidate, title: string): boolean {
  const [, group = '', last = ''] = /^(.+?) \/ (.+)$/.exec(title) ?? [];
  if (isGroupTitle(group) && tierOf(group) === before.tier && CONTINUED.get(before.target)?.has(keyOf(last))) return true;
  const words = wordsOf(title);
  const names = CONTINUED.get(before.target);
  const { key, tier } = stripped(words);
  return !!names && (names.has(joined(words)) || (before.target !== 'cliente_direccion' && tier === before.tier && names.has(key)));
}

/** Candidate of each heading; a continuation has the target and rank of the column before. */
function candidatesOf(titles: readonly string[]): readonly (Candidate | undefined)[] {
  const candidates: (Candidate | undefined)[] = [];
  const meant = EXPORTS.find(({ mark }) => titles.some((title) => bare(title) === bare(mark)))?.names;
  for (const title of titles) {
    const before = candidates.at(-1);
    const follows = !!before && continues(before, title);
    const heading = follows ? before : readHeading(title, meant);
    candidates.push(heading && { ...heading, follows });
  }
  return candidates;
}

/**
 * Matches each heading to a target, or to '' if unused. The best column of a target wins, the first among equals. Columns that continue the
 * winner get the same target.
 */
export function matchColumns(titles: readonly string[]): Targets {
  const candidates = candidatesOf(titles);
  const best = (target: Target) =>
    candidates.reduce<Candidate | undefined>(
      (least, each) => (each?.target === target && !(least && least.rank <= each.rank) ? each : least),
      undefined,
    );
  const chosen = new Map(TARGETS.map((target) => [target, best(target)]));
  // A billing town must not complete a delivery address.
  const elsewhere = (chosen.get('cliente_direccion')?.tier ?? 2) < 2;
  const columns: (Target | '')[] = [];
  for (const [at, each] of candidates.entries()) {
    const used = each && (each.follows ? columns[at - 1] === each.target : chosen.get(each.target) === each);
    columns.push(used && !(each.tier === 2 && elsewhere && PLACE.includes(each.target)) ? each.target : '');
  }
  return withSurname(titles, columns, chosen.get('cliente_nombre'));
}

/** Joins a separate «Apellidos» column to a name that no column continues: PrestaShop puts the surname first. */
function withSurname(titles: readonly string[], columns: Targets, name: Candidate | undefined): Targets {
  const used = columns.filter((target) => target === 'cliente_nombre').length;
  const isWhole = titles.some((title, i) => columns[i] === 'cliente_nombre' && /full|complet/i.test(title));
  const at = name && used === 1 && !isWhole ? titles.findIndex((title, i) => columns[i] === '' && continues(name, title)) : -1;
  return at < 0 ? columns : columns.with(at, 'cliente_nombre');
}

const OTHER = setOf(OTHER_NUMBERS);

/** False for headings of other numbers, such as prices, unless a word means the quantity. */
export function mayBeQuantity(title: string): boolean {
  const words = wordsOf(title);
  return !words.some((word) => OTHER.has(word)) || words.some((word) => known.get(word)?.target === 'cantidad');
}

const DAY = setOf(DAYS);
/** True for the heading of a column with days, such as «Fecha de pago», «Pagado el» or «Paid at». */
export const saysDay = (title: string): boolean =>
  wordsOf(title).some((word, i, { length }) => DAY.has(word) || (i > 0 && i === length - 1 && /^(el|at|on)$/.test(word)));

const knownIn = (cells: readonly string[]) => new Set(cells.map((cell) => readHeading(cell)?.target).filter(Boolean)).size;
/** Number of rows to search for headings, since a title may precede them. */
const FIRST_ROWS = 8;

/** Index of the row with the most known headings, and their number. `at` is -1 if no row has two. */
export function findTitles(rows: readonly (readonly string[])[]): { at: number; known: number } {
  const counts = rows.slice(0, FIRST_ROWS).map(knownIn);
  const known = Math.max(0, ...counts);
  return { at: known > 1 ? counts.indexOf(known) : -1, known };
}

/** End of the heading of a hidden column, which therefore matches no field until a person says so. */
export const HIDDEN = ' (oculta)';

/** Merged cells of one row; indexes from 0, both ends included. */
export type Merge = { row: number; from: number; to: number };

/**
 * Writes a row of groups («FACTURACIÓN», «ENVÍO») into the headings below: «ENVÍO / Nombre». A group reaches as far as its merged cells, or else
 * to the next filled cell. A heading that stands only in the upper row moves down. Rows keep their indexes.
 */
export function joinGroups(rows: readonly (readonly string[])[], merges: readonly Merge[] = []): readonly (readonly string[])[] {
  const at = rows.slice(0, FIRST_ROWS).findIndex((row, i) => row.some(isGroupTitle) && knownIn(rows[i + 1] ?? []) > 1);
  const [above = [], below = []] = at < 0 ? [] : [rows[at], rows[at + 1]];
  if (at < 0) return rows;
  const merged = merges.filter(({ row }) => row === at);
  let group = '';
  const titles = Array.from({ length: Math.max(above.length, below.length) }, (_, i) => {
    const own = above[i]?.trim() ?? '';
    const reaches = merged.length === 0 || merged.some(({ from, to }) => from < i && i <= to);
    if (own || !reaches) group = isGroupTitle(own) ? own : '';
    const title = below[i]?.trim() ?? '';
    return title && group ? `${group} / ${title}` : title || own;
  });
  return rows.map((row, i) => (i === at ? [] : i === at + 1 ? titles : row));
}
