import { POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { listPagos } from '../../../contract/payments/payments.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useApi } from '../../api.ts';
import { money } from '../../ui/format/format.ts';

/** Euros to collect (`due`) and to refund (`back`); `joint`: the order shares the legal limit of cash with others. */
export function useOwed(pedido: Pedido) {
  const { data } = useApi(listPagos, { params: { id: pedido.id } });
  const closed = (data?.data ?? [])
    .filter(({ estado }) => POR_DEVOLVER.includes(estado))
    .reduce((sum, { importe, devuelto }) => sum + importe - devuelto, 0);
  // Adds amounts paid beyond the total, for returned or undelivered goods, or for a deleted order.
  return { due: pedido.deleted_at ? 0 : pedido.pendiente, back: closed + pedido.por_reembolsar, joint: data?.venta_conjunta };
}

/** Amounts owed, in Spanish; empty if nothing is owed. */
export const owedWords = (due: number, back: number): string =>
  [due > 0 && `${money(due)} por cobrar`, back > 0 && `${money(back)} por reembolsar`].filter(Boolean).join(' · ');
