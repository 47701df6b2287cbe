import { Button, SimpleGrid, Stack } from '@mantine/core';
import { IconCircleCheck, IconTruckDelivery, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { EN_MANOS, ESTADO, type Estado, FINALES } from '../../contract/pedidos/estados.ts';
import { listPedidos, type PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { useLostSince } from '../connection.ts';
import { later, lazyPart } from '../lazy.ts';
import { useOperations } from '../pedidos/actions/use-operations.ts';
import { listProps } from '../pedidos/table/list-props.ts';
import { useSession } from '../session/session.ts';
import { number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, FoldedFilters } from '../ui/list/filters.tsx';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { AsignadoCard } from './asignado-card.tsx';
import { columnsOf } from './asignados.columns.tsx';
import { optimisticRows } from './optimistic.ts';
import { activeOf, FILTER_WIDTH, OrderFilters, queryOf } from './order-filters.tsx';
import { useSteps } from './use-steps.tsx';

const InstallHint = lazyPart(() => import('./install-hint.tsx'));
const carga = later(() => import('../carga/scan-button.tsx'));
const route = later(() => import('../ruta/route-list.tsx'), 'when wanted');

const REFRESH = 30_000;
const DEFAULTS = { search: '', estado: 'en_curso', ciudad: '', orden: '', page: 1 };
// Estados of orders that a carrier has or had.
const OWN: readonly Estado[] = [...EN_MANOS, 'completado', 'cancelado'];
const ESTADO_OPTIONS = [{ value: DEFAULTS.estado, label: 'En curso' }, ...OWN.map((value) => ({ value, label: ESTADO[value].label }))];

/** Orders of a carrier, current and delivered (specification, section 2.13; design, section 4.2). */
export default function AsignadosPage() {
  const [filters, setFilters] = useSearchState(DEFAULTS);
  const lost = useLostSince() !== undefined;
  const wanted = OWN.filter((estado) => estado === filters.estado);
  const finished = wanted.some((estado) => FINALES.includes(estado));
  const query = {
    search: filters.search,
    page: filters.page,
    estado: (wanted.length ? wanted : EN_MANOS).join(','),
    // A phone without coverage still knows what is in each order.
    con: 'lineas',
    ...queryOf(filters),
    ...(finished ? ({ sort: filters.estado === 'completado' ? 'fecha_completado' : 'fecha_pedido' } as const) : ({ dir: 'asc' } as const)),
  } as const;
  const list = useApi(listPedidos, { query }, { keepPrevious: true, refetchInterval: REFRESH });
  const stats = useApi(transportistaStats, {}, { refetchInterval: REFRESH });
  const { search, table } = listProps(list, filters.search, setFilters, 'Error al cargar los pedidos');
  const phone = usePhone();
  const { etiquetas, ruta } = useSession();
  const scan = carga.useParts(false);
  const parts = route.useParts(!!ruta);
  const routed = !!ruta && filters.orden === 'ruta' && parts;
  const { operations, isRead } = useOperations();
  const rows = useMemo(() => {
    // Narrows the type: a carrier's own orders include contact details.
    const own = table.rows?.filter((p): p is PedidoTransportista => 'cliente_telefono' in p);
    return isRead ? own && optimisticRows(own, operations) : undefined;
  }, [table.rows, operations, isRead]);
  const { stepsOf, making, show, dialogs } = useSteps(rows);
  const figures = stats.data?.data;
  const filtered = filters.search !== '' || filters.estado !== DEFAULTS.estado || filters.ciudad !== '';

  const card = (label: string, value: number | undefined, Icon: typeof IconUserCheck, search?: { estado?: string }) => (
    <StatCard
      label={label}
      value={number(value)}
      loading={stats.isPending}
      low
      icon={!phone && <Icon size={18} />}
      {...(search && { link: { to: '/pedidos-asignados', search } })}
    />
  );
  return (
    <Stack gap={0}>
      <PageHeader
        title="Pedidos Asignados"
        subtitle={phone ? undefined : 'Los pedidos que has tomado y los que ya has entregado'}
        actions={
          <>
            {ruta && parts && <parts.RouteButton on={!!routed} onChange={(on) => setFilters({ ...DEFAULTS, orden: on ? 'ruta' : '' })} />}
            {etiquetas && scan && <scan.ScanButton optimistic={(all) => optimisticRows(all, operations)} stepsOf={stepsOf} onOpen={show} />}
          </>
        }
      />
      <Suspense>{lost && <InstallHint />}</Suspense>
      <SimpleGrid minColWidth="5.25rem" autoFlow="auto-fit" spacing={{ base: 'xs', sm: 'sm' }} mb="md">
        {card('Asignados', figures?.asignados, IconUserCheck, { estado: 'asignado' })}
        {card('Por entregar', figures?.porEntregar, IconTruckDelivery, {})}
        {card('Completados hoy', figures?.completadasHoy, IconCircleCheck)}
      </SimpleGrid>
      {routed ? (
        <routed.RouteList
          operations={operations}
          optimistic={(all) => optimisticRows(all, operations)}
          onOpen={show}
          card={(p) => <AsignadoCard pedido={p} steps={stepsOf(p)} onDetails={() => show(p)} />}
        />
      ) : (
        <>
          <FoldedFilters
            search={<SearchInput {...search} placeholder="Buscar por Nº de orden o cliente..." />}
            active={activeOf(filters, DEFAULTS)}
          >
            <FilterSelect
              w={FILTER_WIDTH}
              label="Estado"
              data={ESTADO_OPTIONS}
              value={filters.estado}
              onChange={(estado) => setFilters({ estado })}
            />
            <OrderFilters of="asignados" values={filters} onChange={setFilters} />
          </FoldedFilters>
          <DataTable
            cardsUnder={1360}
            label="Pedidos asignados"
            {...table}
            rows={rows}
            columns={columnsOf({ stepsOf, onDetails: show, finished })}
            card={(p) => <AsignadoCard pedido={p} steps={stepsOf(p)} onDetails={() => show(p)} />}
            onRow={show}
            drawnBy={[making, finished]}
            empty={{
              title: filtered ? 'Ningún pedido coincide con los filtros' : 'No tienes pedidos en curso',
              hint: filtered ? undefined : 'Toma un pedido de la lista de disponibles para empezar.',
              action: filtered ? (
                <Button variant="default" size="xs" mt="xs" onClick={() => setFilters(DEFAULTS)}>
                  Quitar los filtros
                </Button>
              ) : (
                <Button component={Link} to="/pedidos-disponibles" size="xs" mt="xs">
                  Ver pedidos disponibles
                </Button>
              ),
            }}
          />
        </>
      )}
      {dialogs}
    </Stack>
  );
}
