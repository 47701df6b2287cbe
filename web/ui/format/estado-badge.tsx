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
import { ESTADO, ESTADO_DESCONOCIDO, type Estado } from '../../../contract/pedidos/estados.ts';

const ICON: Record<Estado, typeof IconClock> = {
  pendiente_pago: IconCreditCard,
  pendiente: IconClock,
  asignado: IconUserCheck,
  en_proceso: IconBox,
  en_ruta: IconTruckDelivery,
  completado: IconCircleCheck,
  cancelado: IconCircleX,
};
const known = (estado: string): estado is Estado => Object.hasOwn(ESTADO, estado);

/** Estado as text, icon and colour; `short` for tight spaces, `label` for a group of estados. */
export function EstadoBadge({ estado, short = false, label: words }: { estado: string; short?: boolean; label?: string }) {
  const { label, short: brief, color } = known(estado) ? ESTADO[estado] : ESTADO_DESCONOCIDO;
  const Icon = known(estado) ? ICON[estado] : IconHelpCircle;
  return (
    <Badge color={color} maw="none" leftSection={<Icon size={12} stroke={2} aria-hidden />}>
      {words ?? ((short && brief) || label)}
    </Badge>
  );
}
