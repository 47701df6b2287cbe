import { IconArrowBackUp, IconCoinEuro } from '@tabler/icons-react';
import { useState } from 'react';
import { POR_DEVOLVER } from '../../../contract/payments/fields.ts';
import { listPagos } from '../../../contract/payments/payments.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { money } from '../../ui/format/format.ts';
import type { FurtherStep } from './pedido-steps.tsx';

/** Euros to collect (`due`) and to refund (`back`), and the steps that record a refund or a return. `started` is the pressed step. */
export function useOwed(pedido: Pedido) {
  const actor = useSession();
  const { data } = useApi(listPagos, { params: { id: pedido.id } });
  const [started, setStarted] = useState<'refund' | 'return'>();
  const closed = (data?.data ?? [])
    .filter(({ estado }) => POR_DEVOLVER.includes(estado))
    .reduce((sum, { importe, devuelto }) => sum + importe - devuelto, 0);
  // Adds amounts paid beyond the total, for returned or undelivered goods, or for a deleted order.
  const back = closed + pedido.por_reembolsar;
  const due = pedido.deleted_at ? 0 : pedido.pendiente;
  const icon = { size: 18, stroke: 1.8, 'aria-hidden': true };
  const further: FurtherStep[] = [];
  if (back > 0) {
    further.push({ label: 'Anotar el reembolso', icon: <IconCoinEuro {...icon} />, urgent: true, onClick: () => setStarted('refund') });
  }
  const returnable = pedido.estado === 'completado' && !pedido.deleted_at && pedido.cantidad_devuelta < pedido.cantidad;
  if (returnable && can(actor, 'devolucion:manage')) {
    further.push({ label: 'Registrar devolución', icon: <IconArrowBackUp {...icon} />, onClick: () => setStarted('return') });
  }
  return { due, back, further, started, joint: data?.venta_conjunta };
}

/** Amounts owed, in Spanish; empty if nothing is owed. */
export const owedWords = (due: number, back: number): string =>
  [due > 0 && `${money(due)} por cobrar`, back > 0 && `${money(back)} por reembolsar`].filter(Boolean).join(' · ');
