import '@mantine/core/styles/Progress.css';
import { Button, Group, Paper, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBox, IconCircleCheck, IconClock, IconHistory, IconTruckLoading, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Answer } from '../../contract/kit.ts';
import { transportistaStats } from '../../contract/stats.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';
import { number } from '../ui/format/format.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';

const WIDE_ON_PHONE = { base: '100%', xs: 'auto' };
type Figures = Answer<typeof transportistaStats>['data'];

/** The carrier's dashboard (specification, section 2.6). */
export default function TransportistaDashboard() {
  const { full_name } = useSession();
  const stats = useApi(transportistaStats, {}, { refetchInterval: 30_000 });
  const figures = stats.data?.data;
  const loading = stats.isPending;

  return (
    <>
      <PageHeader
        title={`Hola, ${full_name || 'Transportista'}`}
        subtitle="Esto es lo que tienes hoy"
        actions={
          <>
            <Button component={Link} to="/pedidos-disponibles" w={WIDE_ON_PHONE} leftSection={<IconBox size={16} aria-hidden />}>
              Ver pedidos disponibles
            </Button>
            <Button
              component={Link}
              to="/pedidos-asignados"
              variant="default"
              w={WIDE_ON_PHONE}
              leftSection={<IconTruckLoading size={16} aria-hidden />}
            >
              Mis pedidos asignados
            </Button>
          </>
        }
      />
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" mb="md">
        <StatCard
          label="Disponibles"
          value={number(figures?.disponibles)}
          loading={loading}
          icon={<IconBox size={18} />}
          hint="Sin transportista"
          link={{ to: '/pedidos-disponibles' }}
        />
        <StatCard
          label="Completadas Hoy"
          value={number(figures?.completadasHoy)}
          loading={loading}
          icon={<IconCircleCheck size={18} />}
          hint="Entregas de hoy"
        />
        <StatCard
          label="Mis Asignados"
          value={number(figures?.asignados)}
          loading={loading}
          icon={<IconUserCheck size={18} />}
          hint="Sin empezar"
          link={{ to: '/pedidos-asignados', search: { estado: 'asignado' } }}
        />
        <StatCard
          label="Pendientes"
          value={number(figures?.porEntregar)}
          loading={loading}
          icon={<IconClock size={18} />}
          hint="Por entregar"
          link={{ to: '/pedidos-asignados' }}
        />
      </SimpleGrid>
      <Performance mes={figures?.mes} />
    </>
  );
}

function Performance({ mes }: { mes: Figures['mes'] | undefined }) {
  const percent = mes?.total ? Math.round((mes.entregados / mes.total) * 100) : 0;
  return (
    <Paper p="md" component="section" aria-labelledby="rendimiento">
      <Title order={2} id="rendimiento" mb="sm">
        Rendimiento del Mes
      </Title>
      {mes ? (
        <Stack gap="xs">
          <Group justify="space-between">
            <Text>Pedidos entregados</Text>
            <Text fw={650}>{percent} %</Text>
          </Group>
          <Progress value={percent} size="lg" color="green" aria-label="Pedidos entregados este mes" />
          <Group justify="space-between" c="dimmed">
            <Text size="sm">
              {mes.total
                ? `${number(mes.entregados)} de ${number(mes.total)} pedidos de este mes`
                : 'Todavía no tienes pedidos de este mes'}
            </Text>
            <Text size="sm">Total de entregas: {number(mes.entregados)}</Text>
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
    </Paper>
  );
}
