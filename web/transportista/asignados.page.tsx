import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconTruckDelivery, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DIA_LABEL, DIAS } from '../../contract/pedidos/day.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { transportistaStats } from '../../contract/stats/stats.ts';
import { useApi } from '../api.ts';
import { LeaveAll } from '../carga/leave-all.tsx';
import { ScanButton } from '../carga/scan-button.tsx';
import { RouteButton, RouteList } from '../ruta/route-list.tsx';
import { useSession } from '../session/session.ts';
import { number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, FoldedFilters, SearchInput } from '../ui/list/filters.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { StatCard, StatCards } from '../ui/page/stat-card.tsx';
import thumb from '../ui/page/thumb-bar.module.css';
import { usePhone } from '../ui/page/use-phone.ts';
import { AsignadoCard } from './asignado-card.tsx';
import { asignadosColumns } from './asignados.columns.tsx';
import { optimisticRows } from './optimistic.ts';
import { countActive, FILTER_WIDTH, OrderFilters } from './order-filters.tsx';
import { ASIGNADOS_OPTIONS, DEFAULTS, useAsignados } from './use-asignados.ts';
import { useSteps } from './use-steps.tsx';
import '@mantine/core/styles/Alert.css';
import { useLocalStorage } from '@mantine/hooks';
import { useLostSince } from '../connection.ts';
import { installWords, isInstalled } from '../outbox/installed.ts';

/** Orders of a carrier, current and finished (specification, section 2.13; design, section 4.2). */
export default function AsignadosPage() {
  const list = useAsignados();
  const { filters, setFilters, filtered, finished, rows, operations } = list;
  const phone = usePhone();
  const { etiquetas, ruta } = useSession();
  const routed = !!ruta && filters.orden === 'ruta';
  const { stepsOf, making, show, dialogs } = useSteps(rows);
  const optimistic = (all: readonly PedidoTransportista[]) => optimisticRows(all, operations);
  const card = (p: PedidoTransportista) => <AsignadoCard pedido={p} steps={stepsOf(p)} onDetails={() => show(p)} />;
  return (
    <Stack gap={0}>
      <PageHeader
        title="Pedidos Asignados"
        subtitle={phone ? undefined : 'Los pedidos que has tomado y los que ya has entregado'}
        actions={
          <>
            {ruta && <RouteButton on={routed} onChange={(on) => setFilters({ ...DEFAULTS, orden: on ? 'ruta' : '' })} />}
            {etiquetas && <ScanButton optimistic={optimistic} stepsOf={stepsOf} onOpen={show} />}
          </>
        }
      />
      {!(routed && phone) && <CarrierFigures icons={!phone} />}
      {routed ? (
        <RouteList operations={operations} optimistic={optimistic} onOpen={show} card={card} />
      ) : (
        <>
          <FoldedFilters
            search={<SearchInput {...list.search} placeholder="Buscar por Nº de pedido o cliente..." />}
            active={countActive(filters, DEFAULTS)}
          >
            <FilterSelect
              w={FILTER_WIDTH}
              label="Estado"
              data={ASIGNADOS_OPTIONS}
              value={filters.estado}
              onChange={(estado) => setFilters({ estado })}
            />
            <OrderFilters of="asignados" values={filters} onChange={setFilters} />
          </FoldedFilters>
          <DataTable
            cardsUnder={1200}
            label="Pedidos asignados"
            {...list.table}
            rows={rows}
            columns={asignadosColumns({ stepsOf, onDetails: show })}
            card={card}
            onRow={show}
            drawnBy={[making, finished]}
            empty={emptyOf(filtered, () => setFilters(DEFAULTS))}
          />
          {rows && <LeaveAll pedidos={rows} className={thumb.bar} />}
        </>
      )}
      {rows && <InstallHint />}
      {dialogs}
    </Stack>
  );
}

const emptyOf = (filtered: boolean, onReset: () => void) =>
  filtered
    ? { title: 'Ningún pedido coincide con los filtros', onReset }
    : {
        title: 'No tienes pedidos en curso',
        hint: 'Toma un pedido de la lista de disponibles para empezar.',
        action: (
          <Button component={Link} to="/pedidos-disponibles" size="xs" mt="xs">
            Ver pedidos disponibles
          </Button>
        ),
      };

const REFRESH = 30_000;

function CarrierFigures({ icons }: { icons: boolean }) {
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
  const day = figures?.hoy;
  return (
    <>
      <StatCards least="5.25rem">
        {card('Asignados', figures?.asignados, IconUserCheck, { estado: 'asignado' })}
        {card('Por entregar', figures?.porEntregar, IconTruckDelivery, {})}
        {card('Completados hoy', figures?.completadasHoy, IconCircleCheck)}
      </StatCards>
      <Text size="sm" c="dimmed" mb="xs">
        {day &&
          DIAS.filter((dia) => day[dia] > 0)
            .map((dia) => `${DIA_LABEL[dia]}: ${number(day[dia])}`)
            .join(' · ')}
      </Text>
    </>
  );
}

/** Explains how to install the program until dismissed, in a browser tab with coverage. Stands below the list, which matters more. */
function InstallHint() {
  const lost = useLostSince() !== undefined;
  const [read, setRead] = useLocalStorage({ key: 'enruta-instalar', defaultValue: '', getInitialValueInEffect: false });
  if (read || lost || isInstalled()) return null;
  return (
    <Alert color="blue" role="note" mt="md" title="Sin cobertura podrás seguir: lo que hagas se guarda en este teléfono">
      <Text>Para que el navegador no lo borre, instala Enruta. {installWords()}</Text>
      <Button size="sm" variant="default" mt="xs" mih={48} onClick={() => setRead('1')}>
        Entendido
      </Button>
    </Alert>
  );
}
