import { type RawBuilder, sql } from 'kysely';
import type { Unidad } from '../../contract/cuadre/schemas.ts';
import { ESTADO } from '../../contract/pedidos/estados.ts';
import { money } from '../ganancias/ledger.ts';

/** A row that differs; euros in cents. */
export type Row = { que: string; hay: number | string; esperado: number | string; enlace: string | null };
/** Condition on the primary key that selects the rows of one part. */
export type Part = (id: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Compares a stored value with a recount; only reads. */
export type Check = {
  name: string;
  titulo: string;
  unidad: Unidad;
  /** Table checked in parts of some thousand rows; without it, all at once. */
  of?: 'pedidos' | 'clientes' | 'liquidaciones';
  /** Fast enough to run during backup and restore. */
  quick?: true;
  differences: (part: Part) => RawBuilder<Row>;
};

const ESTADOS_ES = JSON.stringify(Object.fromEntries(Object.entries(ESTADO).map(([name, { label }]) => [name, label])));
export const labelOf = (estado: RawBuilder<unknown>) => sql`coalesce(${ESTADOS_ES}::jsonb ->> ${estado}, 'ninguno')`;

/** Orders and cents as SQL text: 12 pedidos, 345,00 €. */
export const ordersAndMoney = (n: RawBuilder<unknown>, cents: RawBuilder<unknown>) =>
  sql`${n} || CASE ${n} WHEN 1 THEN ' pedido, ' ELSE ' pedidos, ' END || ${money(sql`${cents}`)}`;
