import { Button } from '@mantine/core';
import { IconCash, IconCircleCheck, IconClipboardList, IconClock, IconCreditCard, IconPlus, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { PEDIDO_FILTERS } from '../../../contract/pedidos/filters.fields.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { revendedorStats } from '../../../contract/stats/stats.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { DateRange } from '../../ui/form/date-range.tsx';
import { money, number } from '../../ui/format/format.ts';
import { FilterSelect, Filters, SearchInput } from '../../ui/list/filters.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { StatCard } from '../../ui/page/stat-card.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { TODOS, useVistas } from '../../vistas/use-vistas.ts';
import { isOffered } from '../actions/actions.ts';
import type { OnAction } from '../list/orders.columns.tsx';
import { OrdersTable, useOrders } from '../list/orders-table.tsx';
import { ImportLink } from '../table/import-link.tsx';
import { isFiltered, NO_FILTERS } from '../table/query.ts';
import { SITUATION_OPTIONS } from '../table/situation-options.ts';
import classes from './figures.module.css';
import { ASIGNADOS, ESTADO_OPTIONS, SALES } from './filters.ts';

const OWN = {
  own: {
    view: () => import('./dialogs.tsx').then((m) => m.OwnOrder),
    edit: () => import('./dialogs.tsx').then((m) => m.CorrectOrder),
  },
};

export default function MisPedidosPage() {
  const vistas = useVistas('mis-pedidos');
  const { filters, setFilters, search, shown, menus, dialogs } = useOrders('mis-pedidos', {
    failure: 'Error al cargar los pedidos',
    vistas,
    acts: OWN,
    main: (pedido, onAction) => <MainStep pedido={pedido} onAction={onAction} />,
  });
  const phone = usePhone();
  const create = (
    <Button component={Link} to="/pedidos/nuevo" leftSection={<IconPlus size={16} aria-hidden />}>
      Nuevo Pedido
    </Button>
  );
  const nothing = isFiltered(filters)
    ? {
        title: 'Ningún pedido coincide con los filtros',
        hint: 'Prueba con otras fechas u otro estado.',
        onReset: () => setFilters(NO_FILTERS),
      }
    : {
        title: 'Todavía no tienes pedidos',
        hint: 'Crea el primero: elige un pack, escribe los datos del cliente y envíale el enlace de pago.',
        action: create,
      };

  return (
    <>
      <PageHeader
        title="Mis Pedidos"
        actions={
          <>
            {menus}
            <ImportLink />
            {create}
          </>
        }
      />
      <Figures fecha_desde={filters.fecha_desde} fecha_hasta={filters.fecha_hasta} />
      <Filters>
        <SearchInput {...search} placeholder="Buscar por cliente, ID o teléfono..." w={phone ? '100%' : undefined} />
        <FilterSelect
          w={phone ? '0px' : '13.5rem'}
          label="Estado"
          data={ESTADO_OPTIONS}
          value={filters.estado}
          onChange={(estado) => setFilters({ estado })}
        />
        <DateRange
          value={{ from: filters.fecha_desde, to: filters.fecha_hasta }}
          onChange={({ from = '', to = '' }) => setFilters({ fecha_desde: from, fecha_hasta: to })}
        />
        <FilterSelect
          w={phone ? '100%' : '13.5rem'}
          label={PEDIDO_FILTERS.situacion.label}
          data={SITUATION_OPTIONS}
          value={filters.situacion}
          onChange={(situacion) => setFilters({ situacion })}
        />
      </Filters>
      <OrdersTable label="Mis pedidos" of={shown} empty={nothing} skeletonRows={6} />
      {dialogs}
    </>
  );
}

/** Five figures of «Mis Pedidos», each linked to the orders that it counts. Blank on error (specification, section 8). */
function Figures({ fecha_desde, fecha_hasta }: { fecha_desde: string; fecha_hasta: string }) {
  const { data, isPending } = useApi(
    revendedorStats,
    { query: { from: fecha_desde || undefined, to: fecha_hasta || undefined } },
    { keepPrevious: true },
  );
  const { totalPedidos, ingresos, estado } = data?.data ?? {};
  const card = (label: string, value: string, Icon: typeof IconClock, filter: string) => (
    <StatCard
      label={label}
      value={value}
      icon={<Icon size={18} stroke={1.8} />}
      loading={isPending}
      low
      link={{ to: '/mis-pedidos', search: { fecha_desde, fecha_hasta, ...(filter ? { estado: filter } : { vista: TODOS }) } }}
    />
  );
  return (
    <div className={classes.grid}>
      {card('Total', number(totalPedidos), IconClipboardList, '')}
      {card('Pendientes', number(estado?.pendiente), IconClock, 'pendiente')}
      {card('Asignados', number(estado?.asignado), IconUserCheck, ASIGNADOS)}
      {card('Completados', number(estado?.completado), IconCircleCheck, 'completado')}
      {card('Ventas', money(ingresos), IconCash, SALES)}
    </div>
  );
}

/** What a reseller's order waits for: its payment, or an answer. */
function MainStep({ pedido, onAction }: { pedido: Pedido; onAction: OnAction }) {
  const actor = useSession();
  const link = isOffered(actor, pedido, 'pedir_pago') && pedido.payment_link;
  const of = `pedido ${pedido.numero_orden}`;
  if (link)
    return (
      <Button
        component="a"
        href={link}
        target="_blank"
        rel="noopener noreferrer"
        size="compact-sm"
        flex="none"
        leftSection={<IconCreditCard size={14} aria-hidden />}
        aria-label={`Pagar el ${of}`}
      >
        Pagar
      </Button>
    );
  if (!isOffered(actor, pedido, 'responder')) return null;
  return (
    <Button
      size="compact-sm"
      flex="none"
      aria-label={`Responder al ${of}`}
      onClick={(event) => onAction({ kind: 'answer' }, pedido, event.currentTarget)}
    >
      Responder
    </Button>
  );
}
