import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { SearchInput } from '../../ui/list/filters.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { useVistas, type Vistas } from '../../vistas/use-vistas.ts';
import { useLote } from '../lote/use-lote.tsx';
import { ClearFilters, PedidosFilters } from '../table/filters.tsx';
import { ImportLink } from '../table/import-link.tsx';
import { isFiltered } from '../table/query.ts';
import { OrdersTable, useOrders } from './orders-table.tsx';

export default function PedidosPage() {
  const vistas = useVistas('pedidos');
  // Remounts once the saved view from the address has loaded, because that view chooses the columns.
  return <Pedidos key={String(vistas.naming)} vistas={vistas} />;
}

function Pedidos({ vistas }: { vistas: Vistas }) {
  const { filters, setFilters, search, table, shown, menus, dialogs } = useOrders('pedidos', {
    failure: 'No se pudieron cargar los pedidos',
    vistas,
  });
  const lote = useLote(filters, table.rows, table.pages.of);
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
            {menus}
            <ImportLink />
            {create}
          </>
        }
      />
      <PedidosFilters filters={filters} setFilters={setFilters}>
        <SearchInput {...search} placeholder="Buscar por cliente, ID o revendedor..." w={phone ? '9rem' : '17rem'} />
      </PedidosFilters>
      <OrdersTable
        label="Pedidos"
        of={shown}
        lote={lote}
        empty={
          isFiltered(filters)
            ? { title: 'Ningún pedido coincide con los filtros', action: <ClearFilters setFilters={setFilters} /> }
            : { title: 'Todavía no hay pedidos', hint: 'Los pedidos que crees aparecerán en esta lista.', action: create }
        }
      />
      {dialogs}
    </>
  );
}
