import type { Estado } from '../../contract/pedidos.flow.ts';
import type { Pedido } from '../../contract/pedidos.ts';
import { useAcciones } from '../pedidos/acciones/use-acciones.tsx';
import { filtrado } from '../pedidos/tabla/consulta.ts';
import { EstadoFilter } from '../pedidos/tabla/estado-filter.tsx';
import { QuitarFiltros } from '../pedidos/tabla/filtros.tsx';
import { usePedidos } from '../pedidos/tabla/use-pedidos.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Filters } from '../ui/filters.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { columnas } from './columnas.tsx';
import { EntregaAcciones } from './entrega-acciones.tsx';
import { EntregaCard } from './entrega-card.tsx';
import classes from './entregas.module.css';

// The specification's first (section 2.11), then the rest (design, section 4.23).
const ESTADOS: Estado[] = ['pendiente', 'asignado', 'completado', 'cancelado', 'pendiente_pago', 'en_proceso', 'en_ruta'];

const OWN = {
  deleted: () => ({ message: 'Pedido eliminado correctamente' }),
  completed: 'Pedido marcado como completado',
  verDialog: () => import('../pedidos/detalle-dialog.tsx').then((m) => m.DetalleDialog),
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
