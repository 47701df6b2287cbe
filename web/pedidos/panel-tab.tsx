import type { Estado } from '../../contract/pedidos.flow.ts';
import type { Pedido } from '../../contract/pedidos.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { Filters } from '../ui/list/filters.tsx';
import { SearchInput } from '../ui/list/search-input.tsx';
import { AccionesMenu } from './actions/actions-menu.tsx';
import { useAcciones } from './actions/use-actions.tsx';
import { EstadoFilter } from './table/estado-filter.tsx';
import { PersonFilter, QuitarFiltros } from './table/filters.tsx';
import { PedidoCard } from './table/pedido-card.tsx';
import { columnas } from './table/pedidos.columns.tsx';
import { filtrado } from './table/query.ts';
import { usePedidos } from './table/use-pedidos.ts';

// The specification's five first and in its order.
const ESTADOS: Estado[] = ['pendiente', 'asignado', 'en_ruta', 'completado', 'cancelado', 'pendiente_pago', 'en_proceso'];

/** Orders, to give to another carrier, repeat or delete. */
export function PedidosTab() {
  const { filtros, setFiltros, table } = usePedidos('No se pudieron cargar los pedidos');
  const { run, dialogs } = useAcciones({ assignTitle: 'Reasignar' });
  const open = (pedido: Pedido) => run({ kind: 'ver' }, pedido);
  const menu = (pedido: Pedido) => (
    <AccionesMenu pedido={pedido} onAccion={run} without={['ver', 'editar', 'estado', 'completar']} labels={{ asignar: 'Reasignar' }} />
  );

  return (
    <>
      <Filters>
        <SearchInput
          value={filtros.search}
          onChange={(search) => setFiltros({ search }, { replace: true })}
          placeholder="Buscar por Nº de orden o cliente"
        />
        <EstadoFilter value={filtros.estado} onChange={(estado) => setFiltros({ estado })} estados={ESTADOS} />
        <PersonFilter
          of="revendedor"
          label="Revendedor"
          all="Revendedor: todos"
          value={filtros.revendedor_id}
          onChange={(revendedor_id) => setFiltros({ revendedor_id })}
        />
        <PersonFilter
          of="transportista"
          label="Transportista"
          all="Transportista: todos"
          nobody="Sin asignar"
          value={filtros.transportista_id}
          onChange={(transportista_id) => setFiltros({ transportista_id })}
        />
        {filtrado(filtros) && <QuitarFiltros setFiltros={setFiltros} />}
      </Filters>
      <DataTable
        label="Pedidos"
        {...table}
        pages={{ ...table.pages, counted: true }}
        columns={columnas(open, menu).map((column) => (column.key === 'numero_orden' ? { ...column, title: '#' } : column))}
        card={(pedido) => <PedidoCard pedido={pedido} onOpen={open} acciones={menu(pedido)} />}
        onRow={open}
        pinLast
        empty={
          filtrado(filtros)
            ? { title: 'Ningún pedido coincide con los filtros', action: <QuitarFiltros setFiltros={setFiltros} /> }
            : { title: 'Todavía no hay pedidos', hint: 'Los pedidos de los revendedores y los tuyos aparecerán en esta lista.' }
        }
      />
      {dialogs}
    </>
  );
}
