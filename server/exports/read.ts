import { type SqlBool, sql } from 'kysely';
import type { ExportRequest } from '../../contract/exports/exports.ts';
import type { Conjunto } from '../../contract/exports/fields.ts';
import { CON_INGRESO } from '../../contract/pedidos/estados.ts';
import { EXPORTED_FIELDS, PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { type Actor, can, SISTEMA } from '../../contract/policy/policy.ts';
import type { Db } from '../db/open.ts';
import { ordersFor } from '../pedidos/lectura/filter.ts';
import { columnOf } from '../pedidos/lectura/row.ts';
import { ALL_TIME } from '../pedidos/lectura/totals.ts';
import { linesOf } from '../pedidos/lineas/lineas.ts';
import { ZONE } from '../settings/zone.ts';
import { caja, cobros } from './cash.ts';
import {
  type ExportedField,
  exportedTo,
  IVA_COLUMNS,
  ivaCells,
  lineaCells,
  lineasSheet,
  type PersonLine,
  pedidoCells,
  pedidosSheet,
  personCells,
  REVENDEDORES,
  type Source,
  TRANSPORTISTAS,
} from './columns.ts';

/** Rows per statement, which bounds the memory of server and database. */
const BATCH = 500;

/** Returns the sheet of a set and its rows, limited to the orders and fields that `actor` can see. `withIva`: the shop uses VAT. */
export function sourceOf(db: Db, conjunto: Conjunto, request: ExportRequest, withIva: boolean, actor: Actor = SISTEMA): Source {
  if (conjunto === 'pedidos') return pedidos(db, request, actor, withIva && can(actor, 'pedido:prices'));
  if (conjunto === 'lineas') return lineas(db, request, actor, withIva);
  if (conjunto === 'cobros') return cobros(db, request, actor);
  if (conjunto === 'caja') return caja(db, request);
  return people(db, PEOPLE[conjunto]);
}

function pedidos(db: Db, { filtro = {} }: ExportRequest, actor: Actor, withIva: boolean): Source {
  const names = exportedTo(actor).filter((name) => withIva || name !== 'cliente_nif');
  const { name, header, widths } = pedidosSheet(names);
  const sheet = withIva
    ? { name, header: [...header, ...IVA_COLUMNS.header], widths: [...widths, ...IVA_COLUMNS.widths] }
    : { name, header, widths };
  return {
    sheet,
    count: () => countOf(db, actor, filtro),
    batches: async function* () {
      for await (const rows of orders(db, actor, filtro)) {
        const lines = withIva
          ? await linesOf(
              db,
              rows.map(({ id }) => id),
            )
          : undefined;
        yield rows.map((row) => [
          ...pedidoCells(names, row),
          ...(lines ? ivaCells({ ...row, lines: lines.get(row.id) ?? [], address: row }) : []),
        ]);
      }
    },
  };
}

const lineas = (db: Db, { filtro = {} }: ExportRequest, actor: Actor, withIva: boolean): Source => ({
  sheet: lineasSheet(withIva),
  count: () => countOf(db, actor, filtro),
  batches: async function* () {
    for await (const rows of orders(db, actor, filtro)) {
      const lines = await linesOf(
        db,
        rows.map(({ id }) => id),
      );
      yield rows.flatMap((row) => (lines.get(row.id) ?? []).map((line) => lineaCells(row, line, withIva)));
    }
  },
});

type Filter = NonNullable<ExportRequest['filtro']>;
const countOf = async (db: Db, actor: Actor, filtro: Filter) =>
  (await ordersFor(db, actor, filtro).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n;

async function* orders(db: Db, actor: Actor, filtro: Filter) {
  let last: { placed: string; id: string } | undefined;
  for (;;) {
    let query = ordersFor(db, actor, filtro);
    // Keyset pagination: each page costs the same, and new orders do not shift the pages.
    if (last) query = query.where(sql<SqlBool>`(fecha_pedido, id) < (${last.placed}::timestamptz, ${last.id}::uuid)`);
    const rows = await query
      .select(['id', 'iva_regimen', 'iva_cobrado', ...EXPORTED_FIELDS.map(selected)])
      // Selects text, because the driver's timestamps lose the microseconds.
      .select(sql<string>`fecha_pedido::text`.as('placed'))
      .orderBy('pedidos.fecha_pedido', 'desc')
      .orderBy('id', 'desc')
      .limit(BATCH)
      .execute();
    if (rows.length) yield rows;
    last = rows.at(-1);
    if (rows.length < BATCH || !last) return;
  }
}

const selected = (name: ExportedField) =>
  PEDIDO_FIELDS[name].kind === 'instant'
    ? sql<string>`to_char(${sql.ref(`pedidos.${name}`)} AT TIME ZONE ${ZONE}, 'YYYY-MM-DD"T"HH24:MI:SS')`.as(name)
    : columnOf(name);

const PEOPLE = {
  revendedores: { role: 'revendedor', sheet: REVENDEDORES, withSales: true },
  transportistas: { role: 'transportista', sheet: TRANSPORTISTAS, withSales: false },
} as const;

const people = (db: Db, { role, sheet, withSales }: (typeof PEOPLE)[keyof typeof PEOPLE]): Source => ({
  sheet,
  count: async () =>
    (
      await db
        .selectFrom('users')
        .select(sql<number>`count(*)`.as('n'))
        .where('role', '=', role)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).n,
  batches: async function* () {
    const { rows } = await sql<PersonLine>`
        SELECT u.full_name, u.email, u.is_active, to_char(u.created_at AT TIME ZONE ${ZONE}, 'YYYY-MM-DD"T"HH24:MI:SS') AS fecha,
          coalesce(sum(t.pedidos), 0)::bigint AS pedidos,
          coalesce(sum(t.total_cents) FILTER (WHERE t.estado IN (${sql.join(CON_INGRESO)})), 0)::bigint AS total_cents
        FROM users u LEFT JOIN pedidos_totales t ON t.ambito = ${role} AND t.ambito_id = u.id AND t.dia = ${ALL_TIME}
        WHERE u.role = ${role} AND u.deleted_at IS NULL GROUP BY u.id ORDER BY u.full_name`.execute(db);
    if (rows.length) yield rows.map((row) => personCells(row, withSales));
  },
});
