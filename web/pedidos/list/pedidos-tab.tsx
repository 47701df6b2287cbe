import { estadosListed } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { Filters, SearchInput } from '../../ui/list/filters.tsx';
import { ActionsMenu } from '../actions/actions-menu.tsx';
import { useActions } from '../detail/use-actions.tsx';
import { EstadoFilter } from '../table/estado-filter.tsx';
import { ClearFilters, PersonFilter } from '../table/filters.tsx';
import { columnsOf, PedidoCard } from '../table/pedidos.columns.tsx';
import { isFiltered } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';

export function PedidosTab() {
  const { filters, setFilters, search, table } = usePedidos('No se pudieron cargar los pedidos');
  const { run, dialogs } = useActions({ assignTitle: 'Reasignar' });
  const open = (pedido: Pedido) => run({ kind: 'view' }, pedido);
  const menu = (pedido: Pedido) => (
    <ActionsMenu
      pedido={pedido}
      onAction={run}
      without={['view', 'edit', 'lineas', 'estado', 'complete', 'print', 'separate']}
      labels={{ assign: 'Reasignar' }}
    />
  );

  return (
    <>
      <Filters>
        <SearchInput {...search} placeholder="Buscar por Nº de orden o cliente" />
        <EstadoFilter value={filters.estado} onChange={(estado) => setFilters({ estado })} estados={estadosListed('pedidos')} />
        <PersonFilter of="revendedor" filters={filters} setFilters={setFilters} />
        <PersonFilter of="transportista" filters={filters} setFilters={setFilters} />
        {isFiltered(filters) && <ClearFilters setFilters={setFilters} />}
      </Filters>
      <DataTable
        label="Pedidos"
        {...table}
        pages={{ ...table.pages, counted: true }}
        columns={columnsOf(open, menu).map((column) => (column.key === 'numero_orden' ? { ...column, title: '#' } : column))}
        card={(pedido) => <PedidoCard pedido={pedido} onOpen={open} actions={menu(pedido)} />}
        onRow={open}
        rowLines={2}
        dense
        tight
        pinLast
        empty={
          isFiltered(filters)
            ? { title: 'Ningún pedido coincide con los filtros', action: <ClearFilters setFilters={setFilters} /> }
            : { title: 'Todavía no hay pedidos', hint: 'Los pedidos de los revendedores y los tuyos aparecerán en esta lista.' }
        }
      />
      {dialogs}
    </>
  );
}
