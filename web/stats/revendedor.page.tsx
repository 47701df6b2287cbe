import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconCash, IconCircleCheck, IconClipboardList, IconClock, IconList, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { revendedorStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { SALES, useFechas } from '../pedidos/mis-pedidos/filters.ts';
import { useSession } from '../session/session.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { money, number } from '../ui/format/format.ts';
import { PageHeader, Panel } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { TODOS } from '../vistas/use-vistas.ts';
import { RecentOrders } from './revendedor/recent.tsx';
import classes from './revendedor/revendedor.module.css';
import { SalesSummary } from './revendedor/summary.tsx';
import { ResellerToday } from './today/reseller.tsx';

const NEW = <IconPlus size={16} aria-hidden />;
const LIST = <IconList size={16} aria-hidden />;

export default function RevendedorDashboardPage() {
  const { full_name } = useSession();
  const [dates, setDates] = useFechas();
  const { data, isPending } = useApi(
    revendedorStats,
    { query: { from: dates.fecha_desde, to: dates.fecha_hasta } },
    { keepPrevious: true },
  );
  const stats = data?.data;
  const card = (label: string, value: string, Icon: typeof IconClock, estado: string) => (
    <StatCard
      label={label}
      value={value}
      icon={<Icon size={18} stroke={1.8} />}
      loading={isPending}
      link={{ to: '/mis-pedidos', search: { ...dates, ...(estado ? { estado } : { vista: TODOS }) } }}
    />
  );

  return (
    <div data-in-turn>
      <PageHeader
        title={`Hola, ${full_name || 'Revendedor'}`}
        subtitle="Así van tus pedidos."
        actions={
          <>
            <Button component={Link} to="/mis-pedidos" variant="default">
              Ver Mis Pedidos
            </Button>
            <Button component={Link} to="/pedidos/nuevo" leftSection={NEW}>
              Crear Nuevo Pedido
            </Button>
          </>
        }
      />
      <ResellerToday />
      <Group justify="flex-end" my="md">
        <DateRange
          value={{ from: dates.fecha_desde, to: dates.fecha_hasta }}
          onChange={({ from = '', to = '' }) => setDates({ fecha_desde: from, fecha_hasta: to })}
        />
      </Group>
      <SimpleGrid minColWidth="10rem" autoFlow="auto-fit" spacing="sm" mb="md">
        {card('Mis Pedidos', number(stats?.totalPedidos), IconClipboardList, '')}
        {card('Ventas Totales', money(stats?.ingresos), IconCash, SALES)}
        {card('Pedidos Pendientes', number(stats?.estado.pendiente), IconClock, 'pendiente')}
        {card('Completados', number(stats?.estado.completado), IconCircleCheck, 'completado')}
      </SimpleGrid>
      <div className={classes.layout}>
        <RecentOrders {...dates} />
        <div className={classes.side}>
          <Panel title="Acciones Rápidas" mb="sm">
            <Stack gap="xs">
              <Button component={Link} to="/pedidos/nuevo" variant="light" justify="flex-start" leftSection={NEW}>
                Nuevo Pedido
              </Button>
              <Button component={Link} to="/mis-pedidos" variant="default" justify="flex-start" leftSection={LIST}>
                Mis Pedidos
              </Button>
            </Stack>
          </Panel>
          <SalesSummary stats={stats} />
        </div>
      </div>
    </div>
  );
}
