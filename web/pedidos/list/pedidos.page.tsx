import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { SearchInput } from '../../ui/list/filters.tsx';
import { useColumns, useLook } from '../../ui/list/use-view.ts';
import { ViewMenu } from '../../ui/list/view-menu.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { useVistas, type Vistas } from '../../vistas/use-vistas.ts';
import { VistasMenu } from '../../vistas/vistas-menu.tsx';
import { ActionsMenu } from '../actions/actions-menu.tsx';
import { useActions } from '../detail/use-actions.tsx';
import { useLote } from '../lote/use-lote.tsx';
import { ClearFilters, PedidosFilters } from '../table/filters.tsx';
import { ImportLink } from '../table/import-link.tsx';
import { PedidoCard, pedidosColumns } from '../table/pedidos.columns.tsx';
import { DEFAULT_FILTERS, isFiltered } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';

export default function PedidosPage() {
  const vistas = useVistas('pedidos');
  // Remounts once the saved view from the address has loaded, because that view chooses the columns.
  return <Pedidos key={String(vistas.naming)} vistas={vistas} />;
}

function Pedidos({ vistas }: { vistas: Vistas }) {
  const key = `enruta-pedidos-${useSession().id}`;
  const look = useLook(key);
  const { filters, setFilters, search, table } = usePedidos('No se pudieron cargar los pedidos', look, vistas);
  const { run, runStep, dialogs } = useActions({}, table.rows);
  const lote = useLote(filters, table.rows, table.pages.of);
  const open = (pedido: Pedido) => run({ kind: 'view' }, pedido);
  const menu = (pedido: Pedido) => <ActionsMenu pedido={pedido} onAction={run} row compact={look.oneLine} />;
  const columns = useColumns(key, pedidosColumns(open, runStep, menu, look), vistas.chosen);
  const phone = usePhone();
  const create = (
    <Button component={Link} to="/pedidos/nuevo-admin" leftSection={<IconPlus size={16} aria-hidden />}>
      Crear pedido
    </Button>
  );

  return (
    <>
      <PageHeader
        title="Gestión de Pedidos"
        actions={
          <>
            <VistasMenu vistas={vistas} filters={filters} defaults={DEFAULT_FILTERS} columnas={columns.shown} />
            {!phone && <ViewMenu look={look} columns={columns} />}
            <ImportLink />
            {create}
          </>
        }
      />
      <PedidosFilters filters={filters} setFilters={setFilters}>
        <SearchInput {...search} placeholder="Buscar por cliente, ID o revendedor..." w={phone ? '9rem' : '17rem'} />
      </PedidosFilters>
      <div className={lote.className}>
        <DataTable
          label="Pedidos"
          {...table}
          {...columns.table}
          oneLine={look.oneLine}
          card={(pedido) => <PedidoCard pedido={pedido} onOpen={open} actions={menu(pedido)} tick={lote.tick(pedido)} onStep={runStep} />}
          onRow={open}
          drawnBy={[lote.selection?.rows, look.oneLine]}
          rowLines={look.oneLine ? 1 : 2}
          dense
          linked
          tight
          pinLast
          selection={lote.selection}
          empty={
            isFiltered(filters)
              ? { title: 'Ningún pedido coincide con los filtros', action: <ClearFilters setFilters={setFilters} /> }
              : {
                  title: 'Todavía no hay pedidos',
                  hint: 'Los pedidos que crees aparecerán en esta lista.',
                  action: create,
                }
          }
        />
        {lote.bar}
      </div>
      {dialogs}
    </>
  );
}
