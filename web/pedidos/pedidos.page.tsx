import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Pedido } from '../../contract/pedidos.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { AccionesMenu } from './actions/actions-menu.tsx';
import { useAcciones } from './actions/use-actions.tsx';
import { useLote } from './lote/use-lote.tsx';
import { PedidosFiltros, QuitarFiltros } from './table/filters.tsx';
import { PedidoCard } from './table/pedido-card.tsx';
import { columnas } from './table/pedidos.columns.tsx';
import { filtrado } from './table/query.ts';
import { usePedidos } from './table/use-pedidos.ts';

/** Gestión de Pedidos (specification, section 2.7). */
export default function PedidosPage() {
  const { filtros, setFiltros, table } = usePedidos('No se pudieron cargar los pedidos');
  const { run, dialogs } = useAcciones();
  const lote = useLote(filtros, table.rows, table.pages.of);
  const open = (pedido: Pedido) => run({ kind: 'ver' }, pedido);
  const menu = (pedido: Pedido) => <AccionesMenu pedido={pedido} onAccion={run} />;
  const create = (
    <Button component={Link} to="/pedidos/nuevo-admin" leftSection={<IconPlus size={16} aria-hidden />}>
      Crear pedido
    </Button>
  );

  return (
    <>
      <PageHeader title="Gestión de Pedidos" actions={create} />
      <PedidosFiltros filtros={filtros} setFiltros={setFiltros} />
      <div className={lote.className}>
        <DataTable
          label="Pedidos"
          {...table}
          columns={columnas(open, menu)}
          card={(pedido) => <PedidoCard pedido={pedido} onOpen={open} acciones={menu(pedido)} casilla={lote.casilla(pedido)} />}
          onRow={open}
          rowLines={3}
          pinLast
          selection={lote.selection}
          empty={
            filtrado(filtros)
              ? { title: 'Ningún pedido coincide con los filtros', action: <QuitarFiltros setFiltros={setFiltros} /> }
              : {
                  title: 'Todavía no hay pedidos',
                  hint: 'Los pedidos de los revendedores y los que crees aquí aparecerán en esta lista.',
                  action: create,
                }
          }
        />
        {lote.barra}
      </div>
      {dialogs}
    </>
  );
}
