import { IconCircleCheck, IconTruckDelivery, IconUserCheck } from '@tabler/icons-react';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { number } from '../ui/format/format.ts';
import { StatCard, StatCards } from '../ui/page/stat-card.tsx';

const REFRESH = 30_000;

/** Figures above a carrier's list. */
export function CarrierFigures({ icons }: { icons: boolean }) {
  const stats = useApi(transportistaStats, {}, { refetchInterval: REFRESH });
  const figures = stats.data?.data;
  const card = (label: string, value: number | undefined, Icon: typeof IconUserCheck, search?: { estado?: string }) => (
    <StatCard
      label={label}
      value={number(value)}
      loading={stats.isPending}
      low
      icon={icons && <Icon size={18} />}
      {...(search && { link: { to: '/pedidos-asignados', search } })}
    />
  );
  return (
    <StatCards least="5.25rem">
      {card('Asignados', figures?.asignados, IconUserCheck, { estado: 'asignado' })}
      {card('Por entregar', figures?.porEntregar, IconTruckDelivery, {})}
      {card('Completados hoy', figures?.completadasHoy, IconCircleCheck)}
    </StatCards>
  );
}
