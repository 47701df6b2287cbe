import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { money } from '../../ui/format/format.ts';
import classes from './paid.module.css';

type Priced = Partial<Pick<Pedido, 'por_reembolsar'>> &
  Pick<
    Pedido,
    'estado' | 'precio_total' | 'pagado' | 'pendiente' | 'contra_reembolso' | 'transferencia_avisada_at' | 'cobro_empresa' | 'cobro_en'
  >;

const AT_THE_DOOR = 'Se cobra al entregar';
const ANNOUNCED = 'Transferencia avisada';

/** Spanish words for the paid part of an order; undefined for a cancelled order, which owes nothing. */
export function paidWords(pedido: Priced): string | undefined {
  if (pedido.estado === 'cancelado') return undefined;
  if (pedido.pagado > pedido.precio_total) return `Pagado de más: ${money(pedido.pagado)} de ${money(pedido.precio_total)}`;
  if (pedido.por_reembolsar) return `Hay que devolver ${money(pedido.por_reembolsar)}`;
  // An unpaid order owes nothing if all its goods were returned first.
  if (pedido.pendiente === 0 && pedido.cobro_empresa > 0) return `Lo tiene ${pedido.cobro_en ?? 'la empresa'}`;
  if (pedido.pendiente === 0) return pedido.pagado > 0 ? 'Pagado' : pedido.precio_total > 0 ? 'Nada por cobrar' : 'Gratis';
  if (pedido.transferencia_avisada_at) return ANNOUNCED;
  if (pedido.contra_reembolso && pedido.estado !== 'completado') return AT_THE_DOOR;
  return pedido.pagado === 0 ? 'Por cobrar' : `${money(pedido.pagado)} de ${money(pedido.precio_total)}`;
}

export function Paid({ pedido }: { pedido: Priced }) {
  const due = pedido.pendiente;
  const over = pedido.estado !== 'cancelado' && pedido.pagado > pedido.precio_total;
  // Shorter than `paidWords`, because the total is just above; the estado says what must go back.
  const words = over
    ? 'Pagado de más'
    : pedido.por_reembolsar
      ? undefined
      : pedido.pagado && due && !pedido.transferencia_avisada_at
        ? `Pagado ${money(pedido.pagado)}`
        : paidWords(pedido);
  // Smaller, because these longest texts would reach the badge beside them. Not bold, because nothing is overdue.
  const later = words === AT_THE_DOOR || words === ANNOUNCED;
  return (
    words && (
      <Text size="xs" c="dimmed" fw={(due && !later) || over ? 600 : undefined} className={classes.paid}>
        {words}
      </Text>
    )
  );
}
