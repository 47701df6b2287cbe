import { Button } from '@mantine/core';
import type { Estado } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { Filters } from '../../ui/list/filters.tsx';
import { SearchInput } from '../../ui/list/search-input.tsx';
import { useColumns, useLook } from '../../ui/list/use-view.ts';
import { ViewMenu } from '../../ui/list/view-menu.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { useVistas, type Vistas } from '../../vistas/use-vistas.ts';
import { VistasMenu } from '../../vistas/vistas-menu.tsx';
import { useActions } from '../detail/use-actions.tsx';
import { EstadoFilter } from '../table/estado-filter.tsx';
import { ClearFilters, PersonFilter } from '../table/filters.tsx';
import { DEFAULT_FILTERS, type SetFilters } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import { EntregaActions } from './entrega-actions.tsx';
import { EntregaCard } from './entrega-card.tsx';
import { columnsOf } from './entregas.columns.tsx';
import classes from './entregas.module.css';
import { EntregasChips } from './entregas-chips.tsx';
import { EntregasTabs } from './entregas-tabs.tsx';
import { SinEnviar } from './sin-enviar.tsx';
import { ALL, isNarrowed, TO_DELIVER } from './to-deliver.ts';

// Estados of the specification (section 2.11) first, then the rest (design, section 4.23).
const ESTADOS: Estado[] = ['pendiente', 'asignado', 'completado', 'cancelado', 'pendiente_pago', 'en_proceso', 'en_ruta'];

const OWN = {
  asksToDelete: true,
  deleted: () => ({ message: 'Pedido eliminado correctamente' }),
  completed: 'Pedido marcado como completado',
  viewDialog: () => import('../detail/details-dialog.tsx').then((m) => m.DetailsDialog),
};

export default function EntregasPage() {
  const vistas = useVistas('entregas');
  // Remounts once the saved view from the address has loaded, because that view chooses the columns.
  return <Entregas key={String(vistas.naming)} vistas={vistas} />;
}

function Entregas({ vistas }: { vistas: Vistas }) {
  const key = `enruta-entregas-${useSession().id}`;
  const look = useLook(key);
  const { filters, setFilters, search, table } = usePedidos('Error al cargar los pedidos', look, vistas, TO_DELIVER);
  const { run, dialogs } = useActions(OWN);
  const open = (pedido: Pedido) => run({ kind: 'view' }, pedido);
  const buttons = (pedido: Pedido) => <EntregaActions pedido={pedido} onAction={run} />;
  const columns = useColumns(key, columnsOf(open, buttons, look), vistas.chosen);
  const phone = usePhone();
  const narrowed = isNarrowed(filters);
  // Clearing a search among open deliveries keeps the search and extends it to all estados.
  const clear: SetFilters = () =>
    setFilters({ ...TO_DELIVER, ...(filters.search && filters.estado === TO_DELIVER.estado && { search: filters.search, estado: ALL }) });

  return (
    <>
      <PageHeader
        title="Entregas"
        actions={
          <>
            <VistasMenu vistas={vistas} filters={filters} defaults={DEFAULT_FILTERS} columnas={columns.shown} />
            {!phone && <ViewMenu look={look} columns={columns} />}
          </>
        }
      />
      <EntregasTabs />
      <SinEnviar />
      <EntregasChips filters={filters} setFilters={setFilters} />
      <Filters>
        {/* The width fits the whole placeholder. */}
        <SearchInput {...search} w={phone ? undefined : '25rem'} placeholder="Buscar por número de orden, cliente o producto..." />
        <EstadoFilter value={filters.estado} onChange={(estado) => setFilters({ estado: estado || ALL })} estados={ESTADOS} />
        <PersonFilter of="transportista" filters={filters} setFilters={setFilters} />
        {narrowed && <ClearFilters setFilters={clear} short={!phone} />}
      </Filters>
      <div className={classes.list}>
        <DataTable
          label="Entregas"
          {...table}
          {...columns.table}
          oneLine={look.oneLine}
          card={(pedido) => <EntregaCard pedido={pedido} onOpen={open} actions={buttons(pedido)} />}
          onRow={open}
          rowLines={look.oneLine ? 1 : 2}
          pinLast
          tight
          empty={
            narrowed
              ? { title: 'Ninguna entrega coincide con los filtros', action: <ClearFilters setFilters={clear} /> }
              : {
                  title: 'No hay nada por entregar',
                  hint: 'Los pedidos aparecerán aquí para completarlos.',
                  action: (
                    <Button variant="subtle" onClick={() => setFilters({ estado: ALL })}>
                      Ver todos los estados
                    </Button>
                  ),
                }
          }
        />
      </div>
      {dialogs}
    </>
  );
}
