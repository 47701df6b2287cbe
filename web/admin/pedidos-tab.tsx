import type { Estado } from '../../contract/pedidos.flow.ts';
import type { Pedido } from '../../contract/pedidos.ts';
import { AccionesMenu } from '../pedidos/acciones/acciones-menu.tsx';
import { useAcciones } from '../pedidos/acciones/use-acciones.tsx';
import { columnas } from '../pedidos/tabla/columnas.tsx';
import { filtrado } from '../pedidos/tabla/consulta.ts';
import { EstadoFilter } from '../pedidos/tabla/estado-filter.tsx';
import { PersonFilter, QuitarFiltros } from '../pedidos/tabla/filtros.tsx';
import { PedidoCard } from '../pedidos/tabla/pedido-card.tsx';
import { usePedidos } from '../pedidos/tabla/use-pedidos.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Filters } from '../ui/filters.tsx';
import { SearchInput } from '../ui/search-input.tsx';

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
