import { type SqlBool, sql } from 'kysely';
import { ESTADO_CAJA_LABEL } from '../../contract/caja/fields.ts';
import type { ExportRequest } from '../../contract/exports/exports.ts';
import type { Conjunto } from '../../contract/exports/fields.ts';
import { METODO_PAGO_LABEL, type METODOS_PAGO } from '../../contract/payments/fields.ts';
import { CON_INGRESO } from '../../contract/pedidos/estados.ts';
import { EXPORTED_FIELDS, PEDIDO_FIELDS } from '../../contract/pedidos/fields.ts';
import { type Actor, can, SISTEMA } from '../../contract/policy/policy.ts';
import { cashBetween } from '../caja/caja.ts';
import { remesaNumber } from '../caja/companies.ts';
import type { Db } from '../db/open.ts';
import { ordersFor } from '../pedidos/lectura/filter.ts';
import { presentOrder } from '../pedidos/lectura/present.ts';
import { COLUMNS, fieldColumn, type PedidoRow } from '../pedidos/lectura/row.ts';
import { ALL_TIME } from '../pedidos/lectura/totals.ts';
import { linesByOrder } from '../pedidos/lineas/lineas.ts';
import { ZONE } from '../settings/zone.ts';
import {
  type Cell,
  type ExportedField,
  exportedTo,
  IVA_COLUMNS,
  ivaCells,
  lineaCells,
  lineasSheet,
  MATTER_COLUMN,
  type PersonLine,
  pedidoCells,
  pedidosSheet,
  personCells,
  REVENDEDORES,
  type Sheet,
  type Source,
  TRANSPORTISTAS,
} from './columns.ts';

/** Rows per statement, which bounds the memory of server and database. */
const BATCH = 500;

/** Returns the sheet of a set and its rows. Sets of orders have only orders visible to `actor`, and `pedidos` visible fields. `withIva`: VAT is used. */
export function readSource(db: Db, conjunto: Conjunto, request: ExportRequest, withIva: boolean, actor: Actor = SISTEMA): Source {
  if (conjunto === 'pedidos') return pedidos(db, request, actor, withIva && can(actor, 'pedido:prices'));
  if (conjunto === 'lineas') return lineas(db, request, actor, withIva);
  if (conjunto === 'cobros') return readCobros(db, request, actor);
  if (conjunto === 'empresas') return readDeEmpresas(db, request, actor);
  if (conjunto === 'caja') return caja(db, request);
  return people(db, PEOPLE[conjunto]);
}

function pedidos(db: Db, { filtro = {} }: ExportRequest, actor: Actor, withIva: boolean): Source {
  const names = exportedTo(actor).filter((name) => withIva || name !== 'cliente_nif');
  const { name, header, widths } = pedidosSheet(names);
  const more = [...(withIva ? [IVA_COLUMNS] : []), MATTER_COLUMN];
  const sheet = {
    name,
    header: [...header, ...more.flatMap((columns) => columns.header)],
    widths: [...widths, ...more.flatMap((columns) => columns.widths)],
  };
  return {
    sheet,
    count: () => countOf(db, actor, filtro),
    batches: async function* () {
      for await (const rows of orders(db, actor, filtro)) {
        const lines = withIva
          ? await linesByOrder(
              db,
              rows.map(({ id }) => id),
            )
          : undefined;
        const matters = await mattersOf(
          db,
          actor,
          rows.map(({ id }) => id),
        );
        yield rows.map((row) => [
          ...pedidoCells(names, row),
          ...(lines ? ivaCells({ ...row, lines: lines.get(row.id) ?? [], address: row }) : []),
          matters.get(row.id) ?? null,
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
      const lines = await linesByOrder(
        db,
        rows.map(({ id }) => id),
      );
      yield rows.flatMap((row) => (lines.get(row.id) ?? []).map((line) => lineaCells(row, line, withIva)));
    }
  },
});

/** Sentences of what is the matter with each order, as `actor` may know it. */
async function mattersOf(db: Db, actor: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  const rows: PedidoRow[] = await db.selectFrom('pedidos').select(COLUMNS).where('id', 'in', ids).execute();
  return new Map(
    rows.map((row) => {
      const { situacion } = presentOrder(actor, row, '');
      return [row.id, [situacion?.frase, ...(situacion?.ademas ?? [])].join('. ')];
    }),
  );
}

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
    : fieldColumn(name);

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

/* Export of the money collected at the door: a sheet of payments, and a sheet of each carrier's cash by day (decision 051). */

const COBROS: Sheet = {
  name: 'Cobros al entregar',
  header: ['Nº de pedido', 'Cliente', 'Transportista', 'Fecha', 'Forma de pago', 'Importe (€)', 'Anulado', 'Día de caja'],
  widths: [16, 26, 26, 12, 20, 12, 10, 12],
};

const amount = (euros: number | null): Cell => (euros === null ? null : { n: euros, decimals: 2 });
const date = (day: string | null): Cell => (day === null ? null : { date: day });

const DE_EMPRESAS: Sheet = {
  name: 'Cobros de empresas',
  header: ['Nº de pedido', 'Cliente', 'Empresa', 'Fecha', 'Importe (€)', 'Anulado', 'Vence', 'Pagado el', 'Liquidación'],
  widths: [16, 26, 26, 12, 12, 10, 12, 12, 12],
};

const PAGO_COLUMNS = ['g.id', 'p.numero_orden', 'p.cliente_nombre', 'u.full_name', 'g.fecha', 'g.proveedor', 'g.importe_cents'] as const;
const paymentsOf = (db: Db) =>
  db
    .selectFrom('pagos as g')
    .innerJoin('pedidos as p', 'p.id', 'g.pedido_id')
    .leftJoin('users as u', 'u.id', 'g.transportista_id')
    .leftJoin('remesas as r', 'r.id', 'g.remesa_id')
    .leftJoin('empresas_plazos as t', 't.empresa', 'g.empresa')
    .select([...PAGO_COLUMNS, 'g.estado', 'g.caja_dia', 'g.empresa', 'r.fecha as pagado', 'g.remesa_id'])
    .select(sql<string | null>`CASE WHEN t.dias > 0 THEN g.fecha + t.dias END`.as('vence'))
    .select(sql<number | null>`CASE WHEN r.id IS NOT NULL THEN ${remesaNumber} END`.as('numero'))
    .select(sql<string>`concat_ws(' ', g.fecha, g.id)`.as('place'));
type Cobro = Awaited<ReturnType<ReturnType<typeof paymentsOf>['executeTakeFirstOrThrow']>>;

/** Source of the payments that carriers or companies collected, for orders that match the filter. */
const readPayments =
  (sheet: Sheet, by: 'transportista_id' | 'empresa', cells: (cobro: Cobro) => Cell[]) =>
  (db: Db, { filtro = {} }: ExportRequest, actor: Actor): Source => {
    const found = paymentsOf(db)
      .where(`g.${by}`, 'is not', null)
      .where('g.pedido_id', 'in', ordersFor(db, actor, filtro).select('pedidos.id'));
    return {
      sheet,
      count: async () => (await found.clearSelect().select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n,
      batches: async function* () {
        for (let last = ''; ; ) {
          const rows = await found.where(sql<boolean>`concat_ws(' ', g.fecha, g.id) > ${last}`).orderBy('place').limit(BATCH).execute();
          if (rows.length) yield rows.map(cells);
          if (rows.length < BATCH) return;
          last = rows.at(-1)?.place ?? '';
        }
      },
    };
  };

const collectedCells = ({ numero_orden, cliente_nombre, full_name, empresa, fecha }: Cobro): Cell[] => [
  numero_orden,
  cliente_nombre,
  full_name ?? empresa,
  date(fecha),
];
const paidAmount = (cobro: Cobro): Cell => amount(cobro.importe_cents / 100);
const isAnnulled = ({ estado }: Cobro) => (estado === 'anulado' ? 'Sí' : 'No');

/** Sheet of the payments that carriers collected. */
export const readCobros = readPayments(COBROS, 'transportista_id', (cobro) => [
  ...collectedCells(cobro),
  METODO_PAGO_LABEL[cobro.proveedor as (typeof METODOS_PAGO)[number]] ?? cobro.proveedor,
  paidAmount(cobro),
  isAnnulled(cobro),
  date(cobro.caja_dia),
]);

/** Sheet of the payments that delivery companies collected, and of their remittances. */
const readDeEmpresas = readPayments(DE_EMPRESAS, 'empresa', (cobro) => [
  ...collectedCells(cobro),
  paidAmount(cobro),
  isAnnulled(cobro),
  date(cobro.vence),
  date(cobro.pagado),
  cobro.numero === null ? null : { n: cobro.numero, decimals: 0 },
]);

const CAJA: Sheet = {
  name: 'Caja',
  header: [
    ...['Transportista', 'Día', 'Estado', 'Cobros', 'Cobrado (€)', 'Entregado (€)', 'Motivo'],
    ...['Recibido (€)', 'Motivo al recibir', 'Confirmada por'],
  ],
  widths: [26, 12, 14, 8, 12, 14, 30, 12, 30, 26],
};

/** Sheet of each carrier's cash by business day, between the days of the filter. */
function caja(db: Db, { filtro = {} }: ExportRequest): Source {
  const { fecha_desde: desde, fecha_hasta: hasta } = filtro;
  const days = () => cashBetween(db, { ...(desde && { desde }), ...(hasta && { hasta }) });
  return {
    sheet: CAJA,
    count: async () => (await days()).length,
    batches: async function* () {
      const all = await days();
      for (let i = 0; i < all.length; i += BATCH)
        yield all
          .slice(i, i + BATCH)
          .map((day): Cell[] => [
            day.transportista_nombre,
            date(day.dia),
            ESTADO_CAJA_LABEL[day.estado],
            { n: day.cobros, decimals: 0 },
            amount(day.esperado),
            amount(day.contado),
            day.motivo,
            amount(day.recibido),
            day.confirmada_motivo,
            day.confirmada_por,
          ]);
    },
  };
}
