import { IconChecklist, IconClipboardList, IconHistory, IconSettingsAutomation, IconTruckDelivery } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { estadosListed } from '../../contract/pedidos/estados.ts';
import { LogsTab } from '../audit/logs-tab.tsx';
import { CuadreTab } from '../cuadre/cuadre-tab.tsx';
import { FailuresTab } from '../failures/failures-tab.tsx';
import { OrdersTable, useOrders } from '../pedidos/list/orders-table.tsx';
import { useLote } from '../pedidos/lote/use-lote.tsx';
import { EstadoFilter } from '../pedidos/table/estado-filter.tsx';
import { ClearFilters, PersonFilter } from '../pedidos/table/filters.tsx';
import { isFiltered } from '../pedidos/table/query.ts';
import { TransportistasTab } from '../stats/transportistas-tab.tsx';
import { Filters, SearchInput, useSearchState } from '../ui/list/filters.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { PageHeader } from '../ui/page/panel.tsx';

const TABS = [
  { value: 'pedidos', label: 'Pedidos', Icon: IconClipboardList, Panel: PedidosTab },
  { value: 'transportistas', label: 'Resumen Transportistas', Icon: IconTruckDelivery, Panel: TransportistasTab },
  { value: 'logs', label: 'Logs', Icon: IconHistory, Panel: LogsTab },
  { value: 'tareas', label: 'Tareas', Icon: IconSettingsAutomation, Panel: FailuresTab },
  { value: 'cuadre', label: 'Cuadre', Icon: IconChecklist, Panel: CuadreTab },
] as const;
const [FIRST] = TABS;

export default function PanelPage() {
  const [{ tab }] = useSearchState({ tab: FIRST.value });
  const navigate = useNavigate();
  const { value: open, Panel } = TABS.find(({ value }) => value === tab) ?? FIRST;
  // Clears the address, because each tab has its own filters.
  const show = (next: string) => void navigate({ to: '/admin', search: next === FIRST.value ? {} : { tab: next } });

  return (
    <>
      <PageHeader title="Supervisión" subtitle="Pedidos, entregas por transportista y registro de cambios" />
      <PageTabs tabs={TABS} open={open} onOpen={show}>
        <Panel />
      </PageTabs>
    </>
  );
}

function PedidosTab() {
  const { filters, setFilters, search, table, shown, dialogs } = useOrders('supervision', {
    failure: 'No se pudieron cargar los pedidos',
    acts: { assignTitle: 'Reasignar' },
    labels: { assign: 'Reasignar' },
  });
  const lote = useLote(filters, table.rows, table.pages.of);
  return (
    <>
      <Filters>
        <SearchInput {...search} placeholder="Buscar por Nº de orden o cliente" />
        <EstadoFilter value={filters.estado} onChange={(estado) => setFilters({ estado })} estados={estadosListed('pedidos')} />
        <PersonFilter of="revendedor" filters={filters} setFilters={setFilters} />
        <PersonFilter of="transportista" filters={filters} setFilters={setFilters} />
        {isFiltered(filters) && <ClearFilters setFilters={setFilters} />}
      </Filters>
      <OrdersTable
        label="Pedidos"
        of={shown}
        lote={lote}
        pages={{ ...table.pages, counted: true }}
        empty={
          isFiltered(filters)
            ? { title: 'Ningún pedido coincide con los filtros', action: <ClearFilters setFilters={setFilters} /> }
            : { title: 'Todavía no hay pedidos', hint: 'Los pedidos aparecerán en esta lista.' }
        }
      />
      {dialogs}
    </>
  );
}
