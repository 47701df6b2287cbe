import type { Estado } from '../../../contract/pedidos.flow.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { Filters } from '../../ui/list/filters.tsx';
import { SearchInput } from '../../ui/list/search-input.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { useAcciones } from '../actions/use-actions.tsx';
import { EstadoFilter } from '../table/estado-filter.tsx';
import { QuitarFiltros } from '../table/filters.tsx';
import { filtrado } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import { EntregaAcciones } from './entrega-actions.tsx';
import { EntregaCard } from './entrega-card.tsx';
import { columnas } from './entregas.columns.tsx';
import classes from './entregas.module.css';

// The specification's first (section 2.11), then the rest (design, section 4.23).
const ESTADOS: Estado[] = ['pendiente', 'asignado', 'completado', 'cancelado', 'pendiente_pago', 'en_proceso', 'en_ruta'];

const OWN = {
  deleted: () => ({ message: 'Pedido eliminado correctamente' }),
  completed: 'Pedido marcado como completado',
  verDialog: () => import('../details-dialog.tsx').then((m) => m.DetalleDialog),
};

/** Entregas (specification, section 2.11). */
export default function EntregasPage() {
  const { filtros, setFiltros, table } = usePedidos('Error al cargar los pedidos');
  const { run, dialogs } = useAcciones(OWN);
  const open = (pedido: Pedido) => run({ kind: 'ver' }, pedido);
  const buttons = (pedido: Pedido) => <EntregaAcciones pedido={pedido} onAccion={run} />;

  return (
    <>
      <PageHeader title="Entregas" />
      <Filters>
        <SearchInput
          value={filtros.search}
          onChange={(search) => setFiltros({ search }, { replace: true })}
          placeholder="Buscar por número de orden, cliente o producto..."
        />
        <EstadoFilter value={filtros.estado} onChange={(estado) => setFiltros({ estado })} estados={ESTADOS} />
        {filtrado(filtros) && <QuitarFiltros setFiltros={setFiltros} />}
      </Filters>
      <div className={classes.list}>
        <DataTable
          label="Entregas"
          {...table}
          columns={columnas(open, buttons)}
          card={(pedido) => <EntregaCard pedido={pedido} onOpen={open} acciones={buttons(pedido)} />}
          onRow={open}
          rowLines={3}
          pinLast
          empty={
            filtrado(filtros)
              ? { title: 'Ninguna entrega coincide con los filtros', action: <QuitarFiltros setFiltros={setFiltros} /> }
              : { title: 'Todavía no hay entregas', hint: 'Los pedidos aparecerán aquí para completarlos.' }
          }
        />
      </div>
      {dialogs}
    </>
  );
}
