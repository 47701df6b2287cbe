import { type RawBuilder, sql } from 'kysely';
import { METODO_PAGO_LABEL, POR_DEVOLVER, POR_EMPRESA } from '../../../contract/payments/fields.ts';
import type { TransitionInput } from '../../../contract/pedidos/flow.ts';
import { firmLabel } from '../../../contract/pedidos/metodos.ts';
import { type Actor, rolesOf } from '../../../contract/policy/policy.ts';
import type { Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { notify } from '../../notifications/notify.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { openRound } from './cash.ts';
import { closePago, recordPago } from './pagos.ts';

type Completed = Extract<TransitionInput, { name: 'completar' }>;
type Collected = Pick<Completed, 'cobrado' | 'cobrado_metodo' | 'cobrado_motivo'>;

/** Returns the cents collected; undefined if nothing is due. Throws 422 for a missing amount, method or reason, or too much. */
export function amountCollected(
  { por_cobrar_cents }: Pick<PedidoRow, 'por_cobrar_cents'>,
  { cobrado, cobrado_metodo: metodo, cobrado_motivo: motivo }: Collected,
  less = 0,
): number | undefined {
  const due = Math.max(0, por_cobrar_cents - less);
  if (due === 0) {
    if (cobrado) throw invalid('cobrado', 'En este pedido no hay nada que cobrar');
    return undefined;
  }
  if (cobrado == null) throw invalid('cobrado', 'Indica cuánto has cobrado');
  const importe_cents = toCents(cobrado);
  if (importe_cents > due) throw invalid('cobrado', `Como máximo lo que falta por pagar: ${inEuros(due)}`);
  if (importe_cents < due && !motivo) throw invalid('cobrado_motivo', `Había que cobrar ${inEuros(due)}: indica el motivo`);
  if (importe_cents > 0 && !metodo) throw invalid('cobrado_metodo', 'Elige cómo te han pagado');
  return importe_cents;
}

type Door = {
  by: Actor;
  at: RawBuilder<string>;
  /** Cents of undelivered goods, which are not due. */
  less: number;
};

/** Books the money collected at `at` on a locked order; returns a note (decision 051). Throws like `amountCollected`. */
export async function bookCollected(tx: Tx, row: PedidoRow, input: TransitionInput, { at, less, by }: Door): Promise<string | undefined> {
  if (input.name !== 'completar') return undefined;
  const { cobrado_metodo: metodo, cobrado_motivo: motivo } = input;
  const importe_cents = amountCollected(row, input, less);
  if (importe_cents === undefined) return undefined;
  const due = Math.max(0, row.por_cobrar_cents - less);
  if (importe_cents < due)
    await notify(tx, {
      tipo: 'diferencia_entrega',
      texto: `${by.full_name} ha cobrado ${inEuros(importe_cents)} de ${inEuros(due)} al entregar ${row.numero_orden} (${row.cliente_nombre}): ${motivo ?? 'sin motivo'}`,
      roles: [...rolesOf('caja:confirm')],
      except: by.id,
      enlace: `/pedidos/${row.id}`,
      pedido_id: row.id,
      mail: true,
    });
  const empresa = metodo === POR_EMPRESA ? companyOf(row, input) : undefined;
  if (importe_cents === 0 || !metodo) return `Sin cobrar · ${motivo ?? 'sin motivo'}`;
  const transportista_id = empresa ? null : row.transportista_id;
  // Without a carrier, the office completed the order, so the cash belongs to no carrier's cash desk.
  const cash = transportista_id && metodo === 'efectivo' ? await openRound(tx, transportista_id, at) : {};
  const fecha = sql<string>`dia_negocio(${at})`;
  await recordPago(tx, row, {
    estado: 'pagado',
    proveedor: metodo,
    referencia: '',
    importe_cents,
    transportista_id,
    fecha,
    al_entregar: true,
    ...(empresa && { empresa }),
    ...cash,
  });
  return [`Cobrado ${inEuros(importe_cents)}`, empresa ?? METODO_PAGO_LABEL[metodo], motivo].filter(Boolean).join(' · ');
}

/** Returns the company that collected: the one that had the order, or by which it was sent. Throws 422 if there is none. */
function companyOf({ en_empresa }: PedidoRow, { metodo_entrega, empresa_transporte }: Completed): string {
  const sentBy = (metodo_entrega === 'otro' && empresa_transporte) || firmLabel(metodo_entrega);
  const company = en_empresa ?? sentBy;
  if (!company) throw invalid('cobrado_metodo', 'Este pedido no lo ha llevado ninguna empresa: di cómo te han pagado');
  return company;
}

type AtDoor = { id: string; proveedor: string; importe_cents: number; nombre: string | null; settled: boolean };

/** Returns the payments collected at the delivery that counts, with their carrier. `settled`: handed over, found at bank or terminal, or paid by the company. */
export async function collectedAtDoor(tx: Tx, pedido_id: string): Promise<AtDoor[]> {
  const { rows } = await sql<AtDoor>`
    SELECT g.id, g.proveedor, g.importe_cents, coalesce(u.full_name, g.empresa) AS nombre,
      (c.id IS NOT NULL OR g.comprobado_at IS NOT NULL OR g.remesa_id IS NOT NULL) AS settled
    FROM pagos g LEFT JOIN users u ON u.id = g.transportista_id
    LEFT JOIN cajas c ON (c.transportista_id, c.dia, c.ronda) = (g.transportista_id, g.caja_dia, g.caja_ronda)
    WHERE g.pedido_id = ${pedido_id} AND g.estado = 'pagado' AND g.al_entregar ORDER BY g.created_at`.execute(tx);
  return rows;
}

/** Makes the refund of a settled payment due, because its delivery is taken back; notifies the office. `what`: the payment in words. */
export async function oweCollected(
  tx: Tx,
  { id: pedido_id, numero_orden, cliente_nombre }: PedidoRow,
  id: string,
  what: string,
): Promise<void> {
  const nota = 'Entrega deshecha: devolver a quien lo pagó';
  await tx.updateTable('pagos').set({ estado: 'devolucion_pendiente', nota, updated_at: sql`now()` }).where('id', '=', id).execute();
  await notify(tx, {
    tipo: 'devolucion_pendiente',
    texto: `Reembolso pendiente: ${what} de ${numero_orden} (${cliente_nombre}), cuya entrega se ha deshecho`,
    roles: [...rolesOf('pago:manage')],
    enlace: `/pedidos/${pedido_id}`,
    pedido_id,
    mail: true,
  });
}

/** Notes that a company has taken back what it paid for a payment: the order owes again. Throws 404, 409 if the payment counts no longer. */
export const takeBackRemitted = (tx: Tx, actor: Actor, id: string, nota: string): Promise<PedidoRow> =>
  closePago(tx, actor, id, {
    set: { estado: 'devuelto', nota },
    among: ({ estado }) => estado === 'pagado' || POR_DEVOLVER.includes(estado),
    refusal: 'Este cobro ya no cuenta',
    accion: 'La empresa descuenta lo que pagó',
  });
