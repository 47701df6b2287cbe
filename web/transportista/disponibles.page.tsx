import { Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconBox, IconCalendarWeek, IconTruckLoading } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { plural } from '../../contract/text/plural.ts';
import { listDisponibles } from '../../contract/transportista/transportista.ts';
import { useApi } from '../api.ts';
import { summaryWords } from '../pedidos/summary.ts';
import { listProps } from '../pedidos/table/list-props.ts';
import { fecha, number } from '../ui/format/format.ts';
import { ChoiceBar } from '../ui/list/choice-bar.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, FoldedFilters, SearchInput, useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader } from '../ui/page/panel.tsx';
import { StatCard, StatCards } from '../ui/page/stat-card.tsx';
import { PERIODS, periodRange } from './dates.ts';
import { Promised } from './delivery.tsx';
import { asignadosQuery, countActive, FILTER_WIDTH, OrderFilters } from './order-filters.tsx';
import { Address, AddressLink, MapButton } from './place.tsx';
import { useTake } from './use-take.tsx';

const REFRESH = 15_000;
const DEFAULTS = { search: '', fecha: 'todas', ciudad: '', orden: '', page: 1 };

/** Pending orders without a carrier (specification, section 2.12). */
export default function DisponiblesPage() {
  const [filters, setFilters] = useSearchState(DEFAULTS);
  const query = { search: filters.search, page: filters.page, ...periodRange(filters.fecha), ...asignadosQuery(filters) };
  const list = useApi(listDisponibles, { query }, { keepPrevious: true, refetchInterval: REFRESH });
  const stats = useApi(transportistaStats, {}, { refetchInterval: REFRESH });
  const { search, table } = listProps(list, filters.search, setFilters, 'Error al cargar los pedidos disponibles');
  const { take, takeMany } = useTake();
  const [chosen, setChosen] = useState<readonly PedidoDisponible[]>([]);
  // Drops orders that another carrier has taken meanwhile.
  const ticked = table.rows ? chosen.filter(({ id }) => table.rows?.some((row) => row.id === id)) : [];
  const figures = stats.data?.data;
  const filtered = filters.search !== '' || filters.fecha !== DEFAULTS.fecha || filters.ciudad !== '';

  return (
    <Stack gap={0}>
      <PageHeader title="Pedidos Disponibles" subtitle="Pedidos pendientes que nadie ha tomado todavía" />
      <StatCards least="8.5rem">
        <StatCard label="Disponibles" value={number(figures?.disponibles)} loading={stats.isPending} icon={<IconBox size={18} />} />
        <StatCard
          label="Esta semana"
          value={number(figures?.disponiblesSemana)}
          loading={stats.isPending}
          icon={<IconCalendarWeek size={18} />}
          hint="Últimos 7 días"
        />
      </StatCards>
      <FoldedFilters
        search={<SearchInput {...search} placeholder="Buscar por Nº de pedido, cliente o dirección..." delay={500} w="24rem" />}
        active={countActive(filters, DEFAULTS)}
      >
        <FilterSelect
          w={FILTER_WIDTH}
          label="Fecha"
          data={PERIODS}
          value={filters.fecha}
          onChange={(value) => setFilters({ fecha: value })}
        />
        <OrderFilters of="disponibles" values={filters} onChange={setFilters} />
      </FoldedFilters>
      <DataTable
        cardsUnder={1400}
        label="Pedidos disponibles"
        {...table}
        columns={columnsOf(take)}
        card={(p) => (
          <DisponibleCard
            pedido={p}
            chosen={ticked.includes(p)}
            onChoose={() => setChosen(ticked.includes(p) ? ticked.filter((row) => row !== p) : [...ticked, p])}
            onTake={() => take(p)}
          />
        )}
        selection={{ rows: ticked, onChange: setChosen, label: (p) => `Seleccionar ${p.numero_orden}` }}
        empty={{
          title: filtered ? 'No hay pedidos disponibles que coincidan con los filtros' : 'Todos los pedidos pendientes han sido asignados',
          hint: filtered ? undefined : 'Cuando entre un pedido nuevo aparecerá aquí.',
          onReset: filtered ? () => setFilters(DEFAULTS) : undefined,
        }}
      />
      {ticked.length > 0 && (
        <ChoiceBar of="Pedidos elegidos" label={plural(ticked.length, 'pedido elegido', 'pedidos elegidos')}>
          <Button size="sm" leftSection={<IconTruckLoading size={16} aria-hidden />} onClick={() => void takeMany(ticked)}>
            Tomar {ticked.length}
          </Button>
          <Button size="sm" variant="subtle" color="gray" onClick={() => setChosen([])}>
            Quitar selección
          </Button>
        </ChoiceBar>
      )}
    </Stack>
  );
}

type Props = { pedido: PedidoDisponible; chosen: boolean; onChoose: () => void; onTake: () => void };

const DisponibleCard = ({ pedido, chosen, onChoose, onTake }: Props) => (
  <Stack gap={8}>
    <Group justify="space-between">
      <Checkbox size="md" py={8} label={pedido.numero_orden} checked={chosen} onChange={onChoose} />
      <Text c="dimmed">{fecha(pedido.fecha_pedido)}</Text>
    </Group>
    <div>
      <Text fz="lg" fw={600} lh={1.25}>
        {pedido.cliente_nombre}
      </Text>
      <Address pedido={pedido} />
    </div>
    <Group justify="space-between" gap={4}>
      <Text>{summaryWords(pedido)}</Text>
      <Text c="dimmed">
        <Promised pedido={pedido} />
      </Text>
    </Group>
    <Group wrap="nowrap">
      <MapButton pedido={pedido} />
      <Box flex={1}>
        <Button
          mih={48}
          fullWidth
          leftSection={<IconTruckLoading size={18} aria-hidden />}
          aria-label={`Tomar Pedido ${pedido.numero_orden}`}
          onClick={onTake}
        >
          Tomar Pedido
        </Button>
      </Box>
    </Group>
  </Stack>
);

// Prevents a long word from widening the table.
const words = (least: string, content: ReactNode) => (
  <Box miw={least} style={{ overflowWrap: 'anywhere' }}>
    {content}
  </Box>
);

const columnsOf = (take: (pedido: PedidoDisponible) => void): Column<PedidoDisponible>[] => [
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
  { key: 'cliente', title: 'Cliente', render: (p) => words('6.5rem', p.cliente_nombre) },
  { key: 'direccion', title: 'Dirección', render: (p) => words('7.25rem', <AddressLink pedido={p} />) },
  { key: 'producto', title: 'Producto', render: (p) => words('7.75rem', p.producto) },
  { key: 'cantidad', title: 'Cantidad', align: 'right', width: 86, render: (p) => number(p.cantidad) },
  { key: 'fecha_pedido', title: 'Fecha', width: 100, render: (p) => fecha(p.fecha_pedido) },
  { key: 'fecha_estimada', title: 'Entrega estimada', width: 142, render: (p) => <Promised pedido={p} short /> },
  {
    key: 'acciones',
    title: 'Acciones',
    align: 'right',
    width: 166,
    render: (p) => (
      <Button
        size="xs"
        leftSection={<IconTruckLoading size={16} aria-hidden />}
        aria-label={`Tomar Pedido ${p.numero_orden}`}
        onClick={() => take(p)}
      >
        Tomar Pedido
      </Button>
    ),
  },
];
