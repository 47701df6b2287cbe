import { type RawBuilder, sql } from 'kysely';
import type { Diferencia } from '../../contract/cuadre/cuadre.ts';
import { MAX_LISTADAS } from '../../contract/cuadre/schemas.ts';
import type { Tx } from '../db/open.ts';
import { inEuros, toEuros } from '../kit/money.ts';
import type { Check, Difference, Part } from './check.ts';
import { CHECKS } from './checks.ts';

/** Rows per part: keeps each statement short even with a million orders. */
const PART_ROWS = 5000;

export type OnPart = (hechas: number, partes: number) => void;

type Options = { checks?: readonly Check[]; rows?: number; advance?: OnPart };

/** Runs `checks` read-only; returns the checks with differences. `tx` must be a snapshot, or concurrent changes look like differences. */
export async function recountAccounts(tx: Tx, { checks = CHECKS, rows: size = PART_ROWS, advance }: Options = {}): Promise<Diferencia[]> {
  const tables = new Map<Check['of'], Check[]>();
  for (const check of checks) tables.set(check.of, [...(tables.get(check.of) ?? []), check]);
  const work: { check: Check; part: Part }[] = [];
  // Runs all checks of a part in sequence, while its rows are cached.
  for (const [of, itsChecks] of tables)
    for (const part of of ? await partsOf(tx, of, size) : [WHOLE]) work.push(...itsChecks.map((check) => ({ check, part })));
  const found = new Map<Check, Found>();
  for (const [i, { check, part }] of work.entries()) {
    advance?.(i, work.length);
    const { rows } = await sql<Difference & { cuantas: number }>`
      SELECT count(*) OVER () AS cuantas, d.* FROM (${check.differences(part)}) d LIMIT ${MAX_LISTADAS}`.execute(tx);
    const [first] = rows;
    if (!first) continue;
    const { cuantas, filas } = found.get(check) ?? { cuantas: 0, filas: [] };
    found.set(check, { cuantas: cuantas + first.cuantas, filas: [...filas, ...rows].slice(0, MAX_LISTADAS) });
  }
  advance?.(work.length, work.length);
  return checks.flatMap((check) => {
    const its = found.get(check);
    return its ? [present(check, its)] : [];
  });
}
type Found = { cuantas: number; filas: Difference[] };

const BY_TECHNICIAN = 'Lo corrige un técnico en la base de datos: envíale esta página. El pedido se puede seguir usando.';

function present({ name, titulo, unidad, remedio = BY_TECHNICIAN }: Check, { cuantas, filas }: Found): Diferencia {
  const wire = (value: Difference['hay']) => (unidad === 'euros' ? toEuros(Number(value)) : unidad === 'cantidad' ? Number(value) : value);
  return {
    ...{ name, titulo, unidad, remedio, cuantas },
    filas: filas.map(({ que, hay, esperado, enlace }) => ({ que, hay: wire(hay), esperado: wire(esperado), enlace })),
  };
}

const WHOLE: Part = () => sql`true`;

async function partsOf(tx: Tx, table: NonNullable<Check['of']>, size: number): Promise<Part[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM ${sql.table(table)}) t WHERE (n - 1) % ${size} = 0 ORDER BY id`.execute(
    tx,
  );
  return rows.map(({ id: from }, i) => {
    const to = rows[i + 1]?.id;
    return (id: RawBuilder<unknown>) => (to ? sql`${id} >= ${from}::uuid AND ${id} < ${to}::uuid` : sql`${id} >= ${from}::uuid`);
  });
}

/** Returns the first difference of the quick checks as a Spanish clause; undefined if all agree. */
export async function firstContradiction(tx: Tx): Promise<string | undefined> {
  const [first] = await recountAccounts(tx, { checks: CHECKS.filter(({ quick }) => quick) });
  const fila = first?.filas[0];
  if (!first || !fila) return undefined;
  const words = (value: number | string) => (first.unidad === 'euros' ? inEuros(Number(value) * 100) : value);
  return `no se cumple «${first.titulo}»: ${fila.que} (hay ${words(fila.hay)}; esperado, ${words(fila.esperado)})`;
}
