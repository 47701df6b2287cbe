import { sql } from 'kysely';
import { ESTADO_CAJA_LABEL } from '../../contract/caja/fields.ts';
import type { ExportRequest } from '../../contract/exports/exports.ts';
import { METODO_PAGO_LABEL, type METODOS_PAGO } from '../../contract/payments/fields.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { cashBetween } from '../caja/caja.ts';
import type { Db } from '../db/open.ts';
import { ordersFor } from '../pedidos/lectura/filter.ts';
import type { Cell, Sheet, Source } from './columns.ts';

/* Export of the money collected at the door: a sheet of payments, and a sheet of each carrier's cash by day (decision 051). */

const BATCH = 500;

const COBROS: Sheet = {
  name: 'Cobros al entregar',
  header: ['Nº de pedido', 'Cliente', 'Transportista', 'Fecha', 'Forma de pago', 'Importe (€)', 'Anulado', 'Día de caja'],
  widths: [16, 26, 26, 12, 20, 12, 10, 12],
};

const amount = (euros: number | null): Cell => (euros === null ? null : { n: euros, decimals: 2 });
const date = (day: string | null): Cell => (day === null ? null : { date: day });

/** Sheet of the payments that carriers collected, for orders that match the filter. */
export function cobros(db: Db, { filtro = {} }: ExportRequest, actor: Actor): Source {
  const found = db
    .selectFrom('pagos as g')
    .innerJoin('pedidos as p', 'p.id', 'g.pedido_id')
    .innerJoin('users as u', 'u.id', 'g.transportista_id')
    .where('g.pedido_id', 'in', ordersFor(db, actor, filtro).select('pedidos.id'));
  return {
    sheet: COBROS,
    count: async () => (await found.select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()).n,
    batches: async function* () {
      for (let last = ''; ; ) {
        const rows = await found
          .select(['g.id', 'p.numero_orden', 'p.cliente_nombre', 'u.full_name', 'g.fecha', 'g.proveedor', 'g.importe_cents', 'g.estado'])
          .select('g.caja_dia')
          .select(sql<string>`concat_ws(' ', g.fecha, g.id)`.as('place'))
          .where(sql<boolean>`concat_ws(' ', g.fecha, g.id) > ${last}`)
          .orderBy(sql`place`)
          .limit(BATCH)
          .execute();
        if (rows.length) yield rows.map(cobroCells);
        if (rows.length < BATCH) return;
        last = rows.at(-1)?.place ?? '';
      }
    },
  };
}

type Cobro = {
  numero_orden: string;
  cliente_nombre: string;
  full_name: string;
  fecha: string;
  proveedor: string;
  importe_cents: number;
  estado: string;
  caja_dia: string | null;
};
const cobroCells = (cobro: Cobro): Cell[] => [
  cobro.numero_orden,
  cobro.cliente_nombre,
  cobro.full_name,
  date(cobro.fecha),
  METODO_PAGO_LABEL[cobro.proveedor as (typeof METODOS_PAGO)[number]] ?? cobro.proveedor,
  amount(cobro.importe_cents / 100),
  cobro.estado === 'anulado' ? 'Sí' : 'No',
  date(cobro.caja_dia),
];

const CAJA: Sheet = {
  name: 'Caja',
  header: [
    ...['Transportista', 'Día', 'Estado', 'Cobros', 'Cobrado (€)', 'Entregado (€)', 'Motivo'],
    ...['Recibido (€)', 'Motivo al recibir', 'Confirmada por'],
  ],
  widths: [26, 12, 14, 8, 12, 14, 30, 12, 30, 26],
};

/** Sheet of each carrier's cash by business day, between the days of the filter. */
export function caja(db: Db, { filtro = {} }: ExportRequest): Source {
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
