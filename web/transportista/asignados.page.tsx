import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { ScanButton } from '../carga/scan-button.tsx';
import { RouteButton, RouteList } from '../ruta/route-list.tsx';
import { useSession } from '../session/session.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, FoldedFilters } from '../ui/list/filters.tsx';
import { SearchInput } from '../ui/list/search-input.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { AsignadoCard } from './asignado-card.tsx';
import { columnsOf } from './asignados.columns.tsx';
import { CarrierFigures } from './carrier-figures.tsx';
import { InstallHint } from './install-hint.tsx';
import { optimisticRows } from './optimistic.ts';
import { activeOf, FILTER_WIDTH, OrderFilters } from './order-filters.tsx';
import { DEFAULTS, ESTADO_OPTIONS, useAsignados } from './use-asignados.ts';
import { useSteps } from './use-steps.tsx';

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
            search={<SearchInput {...list.search} placeholder="Buscar por Nº de orden o cliente..." />}
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
            {...list.table}
            rows={rows}
            columns={columnsOf({ stepsOf, onDetails: show, finished })}
            card={card}
            onRow={show}
            drawnBy={[making, finished]}
            empty={emptyOf(filtered, () => setFilters(DEFAULTS))}
          />
        </>
      )}
      {rows && <InstallHint />}
      {dialogs}
    </Stack>
  );
}

const emptyOf = (filtered: boolean, onReset: () => void) =>
  filtered
    ? {
        title: 'Ningún pedido coincide con los filtros',
        action: (
          <Button variant="default" size="xs" mt="xs" onClick={onReset}>
            Quitar los filtros
          </Button>
        ),
      }
    : {
        title: 'No tienes pedidos en curso',
        hint: 'Toma un pedido de la lista de disponibles para empezar.',
        action: (
          <Button component={Link} to="/pedidos-disponibles" size="xs" mt="xs">
            Ver pedidos disponibles
          </Button>
        ),
      };
