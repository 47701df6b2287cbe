import { sql } from 'kysely';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { POR_DEVOLVER } from '../../contract/payments/fields.ts';
import { ABIERTOS } from '../../contract/pedidos/estados.ts';
import { rolesOf } from '../../contract/policy/policy.ts';
import type { finDelDiaStats } from '../../contract/stats/stats.ts';
import { plural } from '../../contract/text/plural.ts';
import { type Db, transact } from '../db/open.ts';
import { inEuros } from '../kit/money.ts';
import { queueNow } from '../mail/queue.ts';
import { providerLabel } from '../payments/providers.ts';
import { leavesSql } from '../pedidos/lectura/situation.ts';
import { readSettings } from '../settings/settings.ts';
import { byCarrier } from './today.ts';

type EndOfDay = Answer<typeof finDelDiaStats>['data'];

/** Amounts leave the database as euros. */
const euros = (cents: ReturnType<typeof sql>) => sql`(coalesce(${cents}, 0) / 100.0)::float8`;

/**
 * Returns how the business day ended: what left, was delivered or not, what was collected and handed over, what companies hold, what is owed back,
 * the next delivery day and what runs out. The day is that of `byCarrier`.
 */
export async function endOfDay(db: Db): Promise<EndOfDay> {
  const read = async <R>(query: ReturnType<typeof sql<R>>) => (await query.execute(db)).rows;
  const [repartos, noEntregados, cobros, cajas, empresas, [sums], stock] = await Promise.all([
    byCarrier(db),
    read<EndOfDay['noEntregados'][number]>(sql`
      SELECT p.id, p.numero_orden, p.cliente_nombre, i.transportista_id, i.transportista_nombre AS nombre, i.motivo
      FROM intentos i JOIN pedidos p ON p.id = i.pedido_id AND p.deleted_at IS NULL
      WHERE dia_negocio(i.created_at) = dia_negocio(now()) ORDER BY i.created_at`),
    read<EndOfDay['cobros'][number]>(sql`
      SELECT coalesce(u.full_name, 'Oficina') AS nombre, g.proveedor AS metodo, count(*)::int AS pagos, ${euros(sql`sum(g.importe_cents)`)} AS euros
      FROM pagos g LEFT JOIN users u ON u.id = g.transportista_id
      WHERE g.fecha = dia_negocio(now()) AND g.estado = 'pagado' GROUP BY g.transportista_id, u.full_name, g.proveedor
      ORDER BY g.transportista_id IS NULL, u.full_name, g.proveedor`),
    read<EndOfDay['cajas'][number]>(sql`
      SELECT u.full_name AS nombre, d.caja_dia::text AS dia, ${euros(sql`d.cents`)} AS cobrado, ${euros(sql`c.contado_cents`)} AS entregado,
        c.id IS NOT NULL AS entregada, c.confirmada_at IS NOT NULL AS confirmada
      FROM (SELECT transportista_id, caja_dia, caja_ronda, sum(importe_cents) AS cents FROM pagos
        WHERE caja_dia IS NOT NULL AND estado <> 'anulado' GROUP BY 1, 2, 3) d
      JOIN users u ON u.id = d.transportista_id
      LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (d.transportista_id, d.caja_dia, d.caja_ronda)
      WHERE c.confirmada_at IS NULL OR dia_negocio(c.entregada_at) = dia_negocio(now()) ORDER BY d.caja_dia, u.full_name`),
    read<EndOfDay['empresas'][number]>(sql`
      SELECT en_empresa AS empresa, count(*)::int AS pedidos FROM pedidos
      WHERE deleted_at IS NULL AND en_empresa_at IS NOT NULL AND estado IN (${sql.join(ABIERTOS.map(sql.lit))}) GROUP BY 1 ORDER BY 1`),
    read<{ hoy: string; devolver: number; dia: string | null; pedidos: number }>(sql`
      SELECT dia_negocio(now())::text AS hoy,
        ${euros(sql`(SELECT sum(por_reembolsar_cents) FROM pedidos WHERE por_reembolsar_cents > 0)
          + coalesce((SELECT sum(importe_cents - devuelto_cents) FROM pagos WHERE estado IN (${sql.join(POR_DEVOLVER.map(sql.lit))})), 0)`)} AS devolver,
        n.dia::text AS dia, coalesce(n.pedidos, 0)::int AS pedidos
      FROM (SELECT 1) one LEFT JOIN LATERAL (
        SELECT dia_negocio(fecha_estimada) AS dia, count(*) AS pedidos FROM pedidos
        WHERE deleted_at IS NULL AND ${leavesSql} AND dia_negocio(fecha_estimada) > dia_negocio(now()) GROUP BY 1 ORDER BY 1 LIMIT 1) n ON true`),
    read<EndOfDay['stock'][number]>(sql`SELECT id, name, stock FROM products WHERE stock <= min_stock ORDER BY stock, name`),
  ]);
  const { hoy = '', devolver = 0, dia = null, pedidos = 0 } = sums ?? {};
  const paid = cobros.map(({ metodo, ...row }) => ({ ...row, metodo: providerLabel(metodo) }));
  return { hoy, repartos, noEntregados, cobros: paid, cajas, empresas, devolver, manana: { dia, pedidos }, stock };
}

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((all, row) => all + of(row), 0);
const inWords = (amount: number) => inEuros(Math.round(amount * 100));

/** The end of the day in a few sentences, for a mail; the page has the rest. */
export function endOfDayWords({ repartos, noEntregados, cobros, cajas, empresas, devolver, manana, stock }: EndOfDay): string {
  const waiting = cajas.filter(({ confirmada }) => !confirmada);
  const delivered = sum(repartos, ({ hecho }) => hecho);
  return [
    `${plural(delivered, 'entregado')}, ${plural(noEntregados.length, 'no entregado')}, ${sum(repartos, ({ calle }) => calle)} en la calle.`,
    ...noEntregados.map(({ numero_orden, cliente_nombre, motivo }) => `${numero_orden}, ${cliente_nombre}: ${motivo}.`),
    `Cobrado: ${inWords(sum(cobros, ({ euros }) => euros))}.`,
    waiting.length > 0 && `Cajas por recibir: ${waiting.map(({ nombre, cobrado }) => `${nombre} ${inWords(cobrado)}`).join(', ')}.`,
    empresas.length > 0 && `Con empresas: ${empresas.map(({ empresa, pedidos }) => `${empresa} ${pedidos}`).join(', ')}.`,
    devolver > 0 && `Por devolver a clientes: ${inWords(devolver)}.`,
    manana.dia && `Para el ${manana.dia.split('-').reverse().join('/')}: ${plural(manana.pedidos, 'pedido')}.`,
    stock.length > 0 && `Se acaba: ${stock.map(({ name, stock }) => `${name} (${stock})`).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Mails the end of the day to the superadmins if the settings name this hour; returns whether it did. Runs once an hour. */
export async function mailEndOfDay(db: Db, now = new Date()): Promise<boolean> {
  const settings = await readSettings(db);
  const hour = new Intl.DateTimeFormat('es-ES', { hour: '2-digit', hourCycle: 'h23', timeZone: settings.timezone }).format(now);
  if (settings.endOfDayMail !== `h${hour}`) return false;
  const texto = endOfDayWords(await endOfDay(db));
  const people = await db
    .selectFrom('users')
    .select('email')
    .where('role', 'in', [...rolesOf('caja:confirm')])
    .where('is_active', '=', true)
    .execute();
  const mail = { asunto: 'Fin del día', texto, enlace: '/fin-del-dia' };
  await transact(db, (tx) =>
    queueNow(
      tx,
      settings,
      people.map(({ email }) => email),
      mail,
    ),
  );
  return true;
}
