import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Pedido } from '../../contract/pedidos.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters } from '../ui/list/filters.tsx';
import { SearchInput } from '../ui/list/search-input.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { RevendedorActions } from './mis-pedidos/actions.tsx';
import { Figures } from './mis-pedidos/figures.tsx';
import { ESTADO_OPTIONS } from './mis-pedidos/filters.ts';
import { cardOf, columnsOf } from './mis-pedidos/mis-pedidos.columns.tsx';
import { useCancel } from './mis-pedidos/use-cancel.ts';
import { PaymentActions } from './payment-actions.tsx';
import { isFiltered, NO_FILTERS } from './table/query.ts';
import { usePedidos } from './table/use-pedidos.ts';

export default function MisPedidosPage() {
  const { filters, setFilters, search, table } = usePedidos('Error al cargar los pedidos');
  const [openId, setOpenId] = useState<string>();
  const open = table.rows?.find((pedido) => pedido.id === openId);
  const cancel = useCancel();

  const actions = (pedido: Pedido) => (
    <RevendedorActions pedido={pedido} onView={({ id }) => setOpenId(id)} onCancel={(p) => void cancel(p)} />
  );
  const create = (
    <Button component={Link} to="/pedidos/nuevo" leftSection={<IconPlus size={16} aria-hidden />}>
      Nuevo Pedido
    </Button>
  );
  const nothing = isFiltered(filters)
    ? {
        title: 'Ningún pedido coincide con los filtros',
        hint: 'Prueba con otras fechas u otro estado.',
        action: (
          <Button variant="default" size="xs" mt="xs" onClick={() => setFilters(NO_FILTERS)}>
            Quitar los filtros
          </Button>
        ),
      }
    : {
        title: 'Todavía no tienes pedidos',
        hint: 'Crea el primero: elige un pack, escribe los datos del cliente y envíale el enlace de pago.',
        action: create,
      };

  return (
    <>
      <PageHeader title="Mis Pedidos" actions={create} />
      <Figures fecha_desde={filters.fecha_desde} fecha_hasta={filters.fecha_hasta} />
      <Filters>
        <SearchInput {...search} placeholder="Buscar por cliente, ID o teléfono..." />
        <FilterSelect label="Estado" data={ESTADO_OPTIONS} value={filters.estado} onChange={(estado) => setFilters({ estado })} />
        <DateRange
          value={{ from: filters.fecha_desde, to: filters.fecha_hasta }}
          onChange={({ from = '', to = '' }) => setFilters({ fecha_desde: from, fecha_hasta: to })}
        />
      </Filters>
      <DataTable
        label="Mis pedidos"
        {...table}
        columns={columnsOf(actions)}
        card={cardOf(actions)}
        empty={nothing}
        onRow={({ id }) => setOpenId(id)}
        skeletonRows={6}
        pinLast
      />
      <DetailsDialog
        pedido={open}
        onClose={() => setOpenId(undefined)}
        actions={open?.estado === 'pendiente_pago' && open.payment_link && <PaymentActions pedido={open} link={open.payment_link} />}
      />
    </>
  );
}
