import { type RawBuilder, sql } from 'kysely';
import type { Unidad } from '../../contract/cuadre.ts';
import { ESTADO } from '../../contract/pedidos.flow.ts';
import { money } from '../ganancias/ledger.ts';

/** A row that differs: euros in cents, quantities as numbers. */
export type Row = { que: string; hay: number | string; esperado: number | string; enlace: string | null };
/** Which rows of its table a check looks at: a condition on their primary key. */
export type Part = (id: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Something that is stored and can be counted again. A check only reads. */
export type Check = {
  name: string;
  /** What must hold, in Spanish. */
  titulo: string;
  unidad: Unidad;
  /** The table that is looked at in parts of some thousand rows; without one everything is read at once. */
  of?: 'pedidos' | 'clientes' | 'liquidaciones';
  /** Fast enough for a backup and a restore to wait for it. */
  quick?: true;
  /** The rows that differ, as `Row`. */
  differences: (part: Part) => RawBuilder<Row>;
};

const ESTADOS_ES = JSON.stringify(Object.fromEntries(Object.entries(ESTADO).map(([name, { label }]) => [name, label])));
/** An estado as people read it. */
export const labelOf = (estado: RawBuilder<unknown>) => sql`coalesce(${ESTADOS_ES}::jsonb ->> ${estado}, 'ninguno')`;

/** Orders and cents as text: 12 pedidos, 345,00 €. */
export const ordersAndMoney = (n: RawBuilder<unknown>, cents: RawBuilder<unknown>) =>
  sql`${n} || CASE ${n} WHEN 1 THEN ' pedido, ' ELSE ' pedidos, ' END || ${money(sql`${cents}`)}`;
