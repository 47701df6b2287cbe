import { Box, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBox, IconCalendarWeek, IconTruckLoading } from '@tabler/icons-react';
import type { PedidoDisponible } from '../../contract/pedidos.ts';
import { transportistaStats } from '../../contract/stats.ts';
import { listDisponibles } from '../../contract/transportista.ts';
import { useApi } from '../api.ts';
import { fecha, number } from '../ui/format/format.ts';
import { type Column, DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters } from '../ui/list/filters.tsx';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { PERIODS, periodRange } from './dates.ts';
import { DisponibleCard } from './disponible-card.tsx';
import { AddressLink } from './place.tsx';
import { useTake } from './use-take.ts';

const FILTER_WIDTH = { base: '100%', xs: '12rem' };
// Keeps one long word from widening the table.
const ANYWHERE = { overflowWrap: 'anywhere' } as const;
const REFRESH = 15_000;
const DEFAULTS = { search: '', fecha: 'todas', page: 1 };

/** Pending orders nobody has taken (specification, section 2.12). */
export default function DisponiblesPage() {
  const [filters, setFilters] = useSearchState(DEFAULTS);
  const query = { search: filters.search, page: filters.page, ...periodRange(filters.fecha) };
  const list = useApi(listDisponibles, { query }, { keepPrevious: true, refetchInterval: REFRESH });
  const stats = useApi(transportistaStats, {}, { refetchInterval: REFRESH });
  const take = useTake();
  const figures = stats.data?.data;
  const filtered = filters.search !== '' || filters.fecha !== DEFAULTS.fecha;

  const columns: Column<PedidoDisponible>[] = [
    {
      key: 'numero_orden',
      title: 'Pedido',
      width: 146,
      render: (p) => (
        <Text fz="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
          {p.numero_orden}
        </Text>
      ),
    },
    {
      key: 'cliente',
      title: 'Cliente',
      render: (p) => (
        <Box miw="7.5rem" style={ANYWHERE}>
          {p.cliente_nombre}
        </Box>
      ),
    },
    {
      key: 'direccion',
      title: 'Dirección',
      render: (p) => (
        <Box miw="8.5rem" style={ANYWHERE}>
          <AddressLink pedido={p} />
        </Box>
      ),
    },
    {
      key: 'producto',
      title: 'Producto',
      render: (p) => (
        <Text fz="sm" miw="9.5rem" style={ANYWHERE}>
          {p.producto}
        </Text>
      ),
    },
    { key: 'cantidad', title: 'Cantidad', align: 'right', width: 86, render: (p) => number(p.cantidad) },
    { key: 'fecha_pedido', title: 'Fecha', width: 100, render: (p) => fecha(p.fecha_pedido) },
    { key: 'fecha_estimada', title: 'Entrega estimada', width: 142, render: (p) => fecha(p.fecha_estimada) },
    {
      key: 'acciones',
      title: 'Acciones',
      align: 'right',
      width: 166,
      render: (p) => (
        <Button size="xs" leftSection={<IconTruckLoading size={16} aria-hidden />} onClick={() => take(p)}>
          Tomar Pedido
        </Button>
      ),
    },
  ];

  return (
    <Stack gap={0}>
      <PageHeader title="Pedidos Disponibles" subtitle="Pedidos pendientes que nadie ha tomado todavía" />
      <SimpleGrid cols={2} spacing="sm" mb="md">
        <StatCard label="Disponibles" value={number(figures?.disponibles)} loading={stats.isPending} icon={<IconBox size={18} />} />
        <StatCard
          label="Esta semana"
          value={number(figures?.disponiblesSemana)}
          loading={stats.isPending}
          icon={<IconCalendarWeek size={18} />}
          hint="Últimos 7 días"
        />
      </SimpleGrid>
      <Filters>
        <SearchInput
          value={filters.search}
          onChange={(search) => setFilters({ search }, { replace: true })}
          placeholder="Buscar por Nº de orden, cliente o dirección..."
          delay={500}
        />
        <FilterSelect
          w={FILTER_WIDTH}
          label="Fecha"
          data={PERIODS}
          value={filters.fecha}
          onChange={(value) => setFilters({ fecha: value })}
        />
      </Filters>
      <DataTable
        cardsUnder={1400}
        label="Pedidos disponibles"
        rows={list.data?.data}
        columns={columns}
        card={(p) => <DisponibleCard pedido={p} onTake={() => take(p)} />}
        empty={{
          title: filtered ? 'No hay pedidos disponibles que coincidan con los filtros' : 'Todos los pedidos pendientes han sido asignados',
          hint: filtered ? undefined : 'Cuando entre un pedido nuevo aparecerá aquí.',
          action: filtered && (
            <Button variant="default" size="xs" mt="xs" onClick={() => setFilters(DEFAULTS)}>
              Quitar los filtros
            </Button>
          ),
        }}
        error={{ title: 'Error al cargar los pedidos disponibles', cause: list.error, onRetry: () => void list.refetch() }}
        busy={list.isPlaceholderData}
        pages={{ of: list.data, noun: 'pedidos', onPage: (page) => setFilters({ page }) }}
      />
    </Stack>
  );
}
