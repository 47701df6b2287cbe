import { writes } from '../../../contract/pedidos.access.ts';
import { EDITABLE_FIELDS, type EditableField, PEDIDO_FIELDS, type PedidoFieldName, pedidoField } from '../../../contract/pedidos.fields.ts';
import type { Actor } from '../../../contract/policy.ts';

/* Matches columns of a sheet to fields of the order, by their headings. */

/** Field that a column may hold; `pack` is its text. */
export type Target = EditableField | 'pack' | 'cantidad' | 'contra_reembolso';
/** Target of each column; '' if unused. */
export type Columns = readonly (Target | '')[];
export const TARGETS: readonly Target[] = [...EDITABLE_FIELDS, 'pack', 'cantidad', 'contra_reembolso'];
export const REQUIRED_TARGETS: readonly Target[] = ['cliente_nombre', 'cliente_direccion', 'pack'];
/** True for what this person may write of a new order. */
export const mayTarget = (actor: Actor, target: Target): boolean => target === 'pack' || writes(actor, target);
/** These columns, without those that this person may not write. */
export const columnsFor = (actor: Actor, columns: Columns): Columns =>
  columns.map((column) => (column && mayTarget(actor, column) ? column : ''));
export const isTarget = (name: unknown): name is Target => TARGETS.some((target) => target === name);

export const targetLabel = (target: Target): string => (target === 'pack' ? PEDIDO_FIELDS.pack_id : pedidoField(target)).label;

/** Text without accents, case, spaces or punctuation: «N.º» equals «no», «C. P.» equals «cp». */
export const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

// Headings that continue the field of the column before: «Nombre» and «Apellidos», «Calle» and «N.º».
const CONTINUES: Partial<Record<Target, readonly string[]>> = {
  cliente_nombre: ['apellidos', 'apellido', 'primer apellido', 'segundo apellido'],
  cliente_direccion: ['N.º', 'núm.', 'número', 'portal'],
  pack: ['pack', 'producto'],
};

const WRITTEN_IN: Partial<Record<Target, readonly PedidoFieldName[]>> = { pack: ['producto', 'pack_id'] };

const KNOWN = new Map<string, Target>();
for (const target of TARGETS)
  for (const name of WRITTEN_IN[target] ?? [target as EditableField]) {
    const { label, formLabel = label, exported, headings = [] } = pedidoField(name);
    for (const heading of [name, label, formLabel, exported?.heading ?? label, ...headings])
      if (!KNOWN.has(bare(heading))) KNOWN.set(bare(heading), target);
  }

/** Targets of the headings. For duplicates the first wins, unless the second continues it. */
export function matchColumns(titles: readonly string[]): Columns {
  const columns: (Target | '')[] = [];
  for (const title of titles.map(bare)) {
    const before = columns.at(-1);
    const known = KNOWN.get(title);
    if (known && !columns.includes(known)) columns.push(known);
    else columns.push(before && CONTINUES[before]?.some((heading) => bare(heading) === title) ? before : '');
  }
  return columns;
}

const knownIn = (cells: readonly string[]) => new Set(cells.map((cell) => KNOWN.get(bare(cell))).filter(Boolean)).size;
/** Rows to search for headings; a title may stand above them. */
const FIRST_ROWS = 8;

/** Row with the most known headings among the first ones, and their number; `at` is -1 if there are no headings. */
export function findTitles(rows: readonly (readonly string[])[]): { at: number; known: number } {
  const counts = rows.slice(0, FIRST_ROWS).map(knownIn);
  const known = Math.max(0, ...counts);
  return { at: known > 1 ? counts.indexOf(known) : -1, known };
}
