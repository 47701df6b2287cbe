import { Badge } from '@mantine/core';
import {
  IconBox,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconCreditCard,
  IconHelpCircle,
  IconTruckDelivery,
  IconUserCheck,
} from '@tabler/icons-react';
import { describeEstado, ESTADO, isEstado, type Step } from '../../../contract/pedidos/estados.ts';

const ICON: Record<Step, typeof IconClock> = {
  pago: IconCreditCard,
  confirmado: IconClock,
  preparacion: IconBox,
  camino: IconTruckDelivery,
  entregado: IconCircleCheck,
  ninguno: IconCircleX,
};
function iconOf(estado: string): typeof IconClock {
  if (estado === 'asignado') return IconUserCheck;
  return isEstado(estado) ? ICON[ESTADO[estado].step] : IconHelpCircle;
}

/** Estado as text, icon and colour; `short` for tight spaces, `label` for a group of estados. */
export function EstadoBadge({ estado, short = false, label: words }: { estado: string; short?: boolean; label?: string }) {
  const { label, short: brief, color } = describeEstado(estado);
  const Icon = iconOf(estado);
  return (
    <Badge color={color} maw="none" flex="none" leftSection={<Icon size={12} stroke={2} aria-hidden />}>
      {words ?? ((short && brief) || label)}
    </Badge>
  );
}
