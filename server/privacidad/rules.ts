import type { Tables } from '../db/schema.ts';

/**
 * How a column is redacted: `nombre` → fixed name, `vacio` → empty, `nulo` → null, `escrito` (typed text) → fixed note. `mascara` masks
 * name and telephone; `aviso` (generated text) masks all values of the order's fields marked `maskElsewhere`. `json` applies each field's rule and
 * masks other strings. `queda` stays: not personal by itself, or kept by law.
 */
export type Rule = 'nombre' | 'vacio' | 'nulo' | 'escrito' | 'mascara' | 'aviso' | 'json' | 'queda';
export type Column = {
  rule: Rule;
  /** Length from which the value is masked in other columns too; never without it. */
  maskElsewhere?: number;
  /** Label in a person's file; columns without it are left out. */
  label?: string;
  /** True for a jsonb column redacted as a whole. A column with the rule `json` needs no mark. */
  isJson?: true;
  /** True if a search for a person reads this column, besides the orders' search text. */
  searched?: true;
};

export type Place = {
  table: keyof Tables;
  label: string;
  key: Readonly<Record<string, 'uuid' | 'int' | 'text'>>;
  /** SQL for a row's order id, and the id's type. */
  order: { sql: string; type: 'uuid' | 'text' };
  where?: string;
  columns: Readonly<Record<string, Column>>;
  shown?: Readonly<Record<string, string>>;
};
