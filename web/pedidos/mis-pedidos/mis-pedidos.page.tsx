import { ActionIcon, Button, Group } from '@mantine/core';
import {
  IconCash,
  IconCheck,
  IconCircleCheck,
  IconClipboardList,
  IconClock,
  IconCopy,
  IconCreditCard,
  IconEye,
  IconPlus,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { mayTransition } from '../../../contract/pedidos/flow.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { revendedorStats } from '../../../contract/stats/stats.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { DateRange } from '../../ui/form/date-range.tsx';
import { money, number } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { FilterSelect, Filters, SearchInput } from '../../ui/list/filters.tsx';
import { useCopied } from '../../ui/page/copy-button.tsx';
import { PageHeader } from '../../ui/page/panel.tsx';
import { StatCard } from '../../ui/page/stat-card.tsx';
import { Tip } from '../../ui/page/tip.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { TODOS, useVistas } from '../../vistas/use-vistas.ts';
import { VistasMenu } from '../../vistas/vistas-menu.tsx';
import { type Action, isOffered } from '../actions/actions.ts';
import { useActions } from '../detail/use-actions.tsx';
import { copyPaymentLink } from '../pagos/payment-link.ts';
import { ImportLink } from '../table/import-link.tsx';
import { DEFAULT_FILTERS, isFiltered, NO_FILTERS } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import classes from './figures.module.css';
import { ASIGNADOS, ESTADO_OPTIONS, SALES } from './filters.ts';
import { misPedidosCard, misPedidosColumns } from './mis-pedidos.columns.tsx';

const OWN = {
  own: {
    view: () => import('./dialogs.tsx').then((m) => m.OwnOrder),
    edit: () => import('./dialogs.tsx').then((m) => m.CorrectOrder),
  },
};

export default function MisPedidosPage() {
  const vistas = useVistas('mis-pedidos');
  const { filters, setFilters, search, table } = usePedidos('Error al cargar los pedidos', undefined, vistas);
  const { run, dialogs } = useActions(OWN, table.rows);
  const phone = usePhone();

  const actions = (pedido: Pedido) => <RevendedorActions pedido={pedido} onAction={run} />;
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
            <VistasMenu vistas={vistas} filters={filters} defaults={DEFAULT_FILTERS} />
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
      </Filters>
      <DataTable
        label="Mis pedidos"
        {...table}
        columns={misPedidosColumns(actions)}
        card={misPedidosCard(actions)}
        empty={nothing}
        onRow={(pedido) => run({ kind: 'view' }, pedido)}
        skeletonRows={6}
        pinLast
      />
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

type Props = { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element) => void };

/** Row actions for a reseller: pay, answer and cancel, each only if possible, and view. */
function RevendedorActions({ pedido, onAction }: Props) {
  const actor = useSession();
  const link = isOffered(actor, pedido, 'pedir_pago') ? pedido.payment_link : null;
  const of = `pedido ${pedido.numero_orden}`;
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {link && (
        <>
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
          <CopyLink link={link} of={of} />
        </>
      )}
      {isOffered(actor, pedido, 'responder') && (
        <Button
          size="compact-sm"
          flex="none"
          aria-label={`Responder al ${of}`}
          onClick={(event) => onAction({ kind: 'answer' }, pedido, event.currentTarget)}
        >
          Responder
        </Button>
      )}
      {mayTransition(actor, 'cancelar', pedido) && (
        <Icon
          label={`Cancelar el ${of}`}
          color="red"
          onClick={(event) => onAction({ kind: 'estado', name: 'cancelar' }, pedido, event.currentTarget)}
        >
          <IconX size={16} stroke={1.8} />
        </Icon>
      )}
      <Icon label={`Ver el ${of}`} onClick={(event) => onAction({ kind: 'view' }, pedido, event.currentTarget)}>
        <IconEye size={16} stroke={1.8} />
      </Icon>
    </Group>
  );
}

function CopyLink({ link, of }: { link: string; of: string }) {
  const { copied, run } = useCopied(() => copyPaymentLink(link));
  return (
    <Icon label={copied ? 'Copiado ✓' : `Copiar enlace de pago del ${of}`} color={copied ? 'green' : 'gray'} onClick={run}>
      {copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.8} />}
    </Icon>
  );
}

const Icon = ({
  label,
  color = 'gray',
  onClick,
  children,
}: {
  label: string;
  color?: string;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
}) => (
  <Tip label={label}>
    <ActionIcon variant="subtle" color={color} aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tip>
);
