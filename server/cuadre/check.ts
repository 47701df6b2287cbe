import { type RawBuilder, sql } from 'kysely';
import type { Unidad } from '../../contract/cuadre/schemas.ts';
import { ESTADO } from '../../contract/pedidos/estados.ts';
import { moneySql } from '../ganancias/ledger.ts';

/** A row whose stored value differs from the recount; money in cents. */
export type Difference = { que: string; hay: number | string; esperado: number | string; enlace: string | null };
/** Returns a condition on the primary key that selects one part's rows. */
export type Part = (id: RawBuilder<unknown>) => RawBuilder<boolean>;

/** Compares a stored value with a recount, without changing anything. */
export type Check = {
  name: string;
  titulo: string;
  unidad: Unidad;
  /** Table to check in parts of some thousand rows; undefined checks everything in one statement. */
  of?: 'pedidos' | 'clientes' | 'liquidaciones';
  /** What a person of the shop can do about a difference; undefined if only a technician can mend it. */
  remedio?: string;
  /** True for a check that is fast enough to run during backup and restore. */
  quick?: true;
  differences: (part: Part) => RawBuilder<Difference>;
};

const ESTADOS_ES = JSON.stringify(Object.fromEntries(Object.entries(ESTADO).map(([name, { label }]) => [name, label])));
export const estadoLabelSql = (estado: RawBuilder<unknown>) => sql`coalesce(${ESTADOS_ES}::jsonb ->> ${estado}, 'ninguno')`;

/** Formats a number of orders and cents in SQL, for example «12 pedidos, 345,00 €». */
export const ordersAndMoney = (n: RawBuilder<unknown>, cents: RawBuilder<unknown>) =>
  sql`${n} || CASE ${n} WHEN 1 THEN ' pedido, ' ELSE ' pedidos, ' END || ${moneySql(sql`${cents}`)}`;
