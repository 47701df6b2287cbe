import { sql } from 'kysely';
import type { Estado } from '../../contract/pedidos/estados.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import type { Tx } from '../db/open.ts';
import { inEuros } from '../kit/money.ts';
import { promisedDate } from '../pedidos/lectura/promised.ts';
import type { PedidoRow } from '../pedidos/lectura/row.ts';
import { adjustStock, readLines } from '../pedidos/lineas/lineas.ts';
import { refuseCashSale } from '../pedidos/pagos/cash-limit.ts';
import { countPaymentsAgain, refundsOfCancelled } from '../pedidos/pagos/overpaid.ts';
import type { Counter } from './step.ts';

/** Returns the way back of a cancellation: units from the stock again, and payments that still wait for their refund count again. */
export async function cancellationCounters(tx: Tx, actor: Actor, row: PedidoRow, before: Estado) {
  const lines = await readLines(tx, row.id);
  const unidades_retenidas = lines.reduce((sum, { unidades }) => sum + unidades, 0);
  const { waiting, refunded } = await refundsOfCancelled(tx, row.id);
  const due = Math.max(0, row.precio_total_cents - row.pagado_cents - waiting);
  // An order that the office had released unpaid is released again; what was refunded must be paid first.
  const isUnpaid = due > 0 && !row.contra_reembolso && (before === 'pendiente_pago' || refunded > 0);
  const to: Estado = isUnpaid ? 'pendiente_pago' : 'pendiente';
  const counters: Counter[] = [
    ...(waiting
      ? [{ words: `Los ${inEuros(waiting)} que había que devolver vuelven a pagar el pedido`, run: () => countPaymentsAgain(tx, row.id) }]
      : []),
    {
      words: due > 0 ? `Quedan por cobrar ${inEuros(due)}` : 'No queda nada por cobrar',
      run: () => refuseCashSale(tx, [row.id], () => 'motivo'),
    },
    ...(unidades_retenidas
      ? [
          {
            words: `Vuelve a reservar ${plural(unidades_retenidas, 'unidad', 'unidades')} del stock`,
            run: () => adjustStock(tx, actor, row.id, [[], lines], { motivo: 'restauracion' }),
          },
        ]
      : []),
  ];
  if (row.mercancia_at) counters.push({ words: 'Su mercancía no se ha recibido: sigue fuera', run: async () => undefined });
  // Not taken out of its shipment, so the parcel is with the company again.
  const held = await tx
    .selectFrom('envios_pedidos as l')
    .innerJoin('envios as e', 'e.id', 'l.envio_id')
    .select(['e.empresa as en_empresa', 'e.created_at as en_empresa_at'])
    .where('l.pedido_id', '=', row.id)
    .where('l.sacado_at', 'is', null)
    .where(sql<boolean>`l.resultado IS DISTINCT FROM 'completar'`)
    .orderBy('e.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (held) counters.push({ words: `Vuelve a estar con ${held.en_empresa}`, run: async () => undefined });
  const set = {
    ...held,
    mercancia_at: null,
    transportista_id: null,
    transportista_nombre: null,
    unidades_retenidas,
    ...(!row.fecha_estimada_fijada && { fecha_estimada: to === 'pendiente' ? promisedDate() : null }),
  };
  return { to, set, counters };
}
