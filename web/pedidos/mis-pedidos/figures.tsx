import { IconCash, IconCircleCheck, IconClipboardList, IconClock, IconUserCheck } from '@tabler/icons-react';
import { revendedorStats } from '../../../contract/stats/stats.ts';
import { useApi } from '../../api.ts';
import { money, number } from '../../ui/format/format.ts';
import { StatCard } from '../../ui/page/stat-card.tsx';
import { TODOS } from '../../vistas/use-vistas.ts';
import classes from './figures.module.css';
import { ASIGNADOS, SALES } from './filters.ts';

/** Five figures of «Mis Pedidos», each linked to the orders that it counts. Blank on error (specification, section 8). */
export function Figures({ fecha_desde, fecha_hasta }: { fecha_desde: string; fecha_hasta: string }) {
  const { data, isPending } = useApi(
    revendedorStats,
    { query: { from: fecha_desde || undefined, to: fecha_hasta || undefined } },
    { keepPrevious: true },
  );
  const { totalPedidos, ingresos, estado } = data?.data ?? {};
  const card = (label: string, value: string, Icon: typeof IconClock, filter: string) => (
    <StatCard
      label={label}
      value={value}
      icon={<Icon size={18} stroke={1.8} />}
      loading={isPending}
      low
      link={{ to: '/mis-pedidos', search: { fecha_desde, fecha_hasta, ...(filter ? { estado: filter } : { vista: TODOS }) } }}
    />
  );
  return (
    <div className={classes.grid}>
      {card('Total', number(totalPedidos), IconClipboardList, '')}
      {card('Pendientes', number(estado?.pendiente), IconClock, 'pendiente')}
      {card('Asignados', number(estado?.asignado), IconUserCheck, ASIGNADOS)}
      {card('Completados', number(estado?.completado), IconCircleCheck, 'completado')}
      {card('Ventas', money(ingresos), IconCash, SALES)}
    </div>
  );
}
