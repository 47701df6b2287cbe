import '@mantine/core/styles/Progress.css';
import { Button, Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconBox, IconCircleCheck, IconClock, IconHistory, IconTruckLoading, IconUserCheck } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { getRuta } from '../../contract/ruta/ruta.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { inOrder } from '../ruta/arrange.ts';
import { useSession } from '../session/session.ts';
import { AsignadoCard } from '../transportista/asignado-card.tsx';
import { useAsignados } from '../transportista/use-asignados.ts';
import { useSteps } from '../transportista/use-steps.tsx';
import { number } from '../ui/format/format.ts';
import { ButtonLink } from '../ui/page/link.tsx';
import { PageHeader, Panel } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { usePhone } from '../ui/page/use-phone.ts';

/** The carrier's dashboard (specification, section 2.6). */
export default function TransportistaDashboard() {
  const { full_name } = useSession();
  const stats = useApi(transportistaStats, {}, { refetchInterval: 30_000 });
  const figures = stats.data?.data;
  const phone = usePhone();
  const card = (label: string, value: number | undefined, hint: string, Icon: typeof IconBox, link?: Pick<LinkProps, 'to' | 'search'>) => (
    <StatCard label={label} value={number(value)} loading={stats.isPending} icon={<Icon size={18} />} hint={hint} link={link} />
  );

  const ways = (
    <>
      <Button
        component={Link}
        to="/pedidos-disponibles"
        // The next stop has the filled button, if there is one.
        variant={figures?.porEntregar ? 'default' : 'filled'}
        leftSection={<IconBox size={16} aria-hidden />}
      >
        Ver pedidos disponibles
      </Button>
      <Button component={Link} to="/pedidos-asignados" variant="default" leftSection={<IconTruckLoading size={16} aria-hidden />}>
        Mis pedidos asignados
      </Button>
    </>
  );

  return (
    <>
      <PageHeader title={`Hola, ${full_name || 'Transportista'}`} subtitle="Esto es lo que tienes hoy" actions={!phone && ways} />
      <NextStop />
      {phone && (
        <Stack gap="xs" mt="md">
          {ways}
        </Stack>
      )}
      <SimpleGrid minColWidth="8.5rem" autoFlow="auto-fit" spacing="sm" my="md">
        {card('Disponibles', figures?.disponibles, 'Sin transportista', IconBox, { to: '/pedidos-disponibles' })}
        {card('Completadas Hoy', figures?.completadasHoy, 'Entregas de hoy', IconCircleCheck)}
        {card('Mis Asignados', figures?.asignados, 'Sin empezar', IconUserCheck, {
          to: '/pedidos-asignados',
          search: { estado: 'asignado' },
        })}
        {card('Pendientes', figures?.porEntregar, 'Por entregar', IconClock, { to: '/pedidos-asignados' })}
      </SimpleGrid>
      <Performance mes={figures?.mes} />
    </>
  );
}

function Performance({ mes }: { mes: Answer<typeof transportistaStats>['data']['mes'] | undefined }) {
  const percent = mes?.total ? Math.round((mes.entregados / mes.total) * 100) : 0;
  return (
    <Panel title="Rendimiento del Mes" mb="sm">
      {mes ? (
        <Stack gap="xs">
          <Group gap="md" justify="space-between">
            <Text size="md">Pedidos entregados</Text>
            <Text size="md" fw={600}>
              {percent} %
            </Text>
          </Group>
          <Progress value={percent} size="lg" color="green" aria-label="Pedidos entregados este mes" />
          <Group gap="md" justify="space-between" c="dimmed">
            <Text>
              {mes.total ? `${number(mes.entregados)} de ${number(mes.total)} pedidos de este mes` : 'Este mes aún no has tenido pedidos'}
            </Text>
            <Text>Total de entregas: {number(mes.entregados)}</Text>
          </Group>
        </Stack>
      ) : (
        <Skeleton h={76} />
      )}
      <Button
        variant="default"
        size="xs"
        mt="md"
        leftSection={<IconHistory size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/pedidos-asignados" search={{ estado: 'completado' }} {...props} />}
      >
        Ver entregas completadas
      </Button>
    </Panel>
  );
}

/** «Siguiente parada» of a carrier, with its buttons; nothing without an order that may leave. */
function NextStop() {
  const { ruta } = useSession();
  const { rows } = useAsignados();
  const sequence = useApi(getRuta, {}, { enabled: !!ruta }).data?.data;
  const { stepsOf, show, dialogs } = useSteps(rows);
  const free = rows?.filter((row) => mayLeave({ ...row, revendedor_id: null })) ?? [];
  const stops = sequence ? inOrder(free, sequence) : free;
  // Orders on the road come before those still to be loaded.
  const next = stops.find(({ estado }) => estado === 'en_ruta') ?? stops[0];
  return (
    <>
      {!rows && <Skeleton h={296} />}
      {next && (
        <Panel
          title="Siguiente parada"
          aside={
            stops.length > 1 && (
              <ButtonLink to="/pedidos-asignados" size="compact-sm" variant="subtle">
                Ver todas
              </ButtonLink>
            )
          }
        >
          <AsignadoCard pedido={next} steps={stepsOf(next)} onDetails={() => show(next)} />
        </Panel>
      )}
      {dialogs}
    </>
  );
}
