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
import { type ReactNode, Suspense, useState } from 'react';
import { mayTransition } from '../../../contract/pedidos/flow.ts';
import { getPedido, isWhole, type Pedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { revendedorStats } from '../../../contract/stats/stats.ts';
import { type ApiError, useApi, useMutate } from '../../api.ts';
import { lazyPart } from '../../lazy.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
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
import { stepMade } from '../actions/achieved.ts';
import { useDialogAddress } from '../actions/use-dialog-address.ts';
import { copyPaymentLink } from '../pagos/payment-link.ts';
import { ImportLink } from '../table/import-link.tsx';
import { DEFAULT_FILTERS, isFiltered, NO_FILTERS } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import classes from './figures.module.css';
import { ASIGNADOS, ESTADO_OPTIONS, SALES } from './filters.ts';
import { cardOf, columnsOf } from './mis-pedidos.columns.tsx';

const Dialogs = lazyPart(() => import('./dialogs.tsx'));

export default function MisPedidosPage() {
  const vistas = useVistas('mis-pedidos');
  const { filters, setFilters, search, table } = usePedidos('Error al cargar los pedidos', undefined, vistas);
  const { id: openId, open: show, close } = useDialogAddress();
  const listed = table.rows?.find((pedido) => pedido.id === openId);
  const elsewhere = useApi(getPedido, { params: { id: openId ?? '' } }, { enabled: !!openId && !!table.rows && !listed }).data?.data;
  const open = listed ?? (elsewhere && isWhole(elsewhere) ? elsewhere : undefined);
  const view = (pedido: Pedido) => show({ kind: 'view' }, pedido);
  const [editing, setEditing] = useState<Pedido>();
  // Order whose lines are edited. Stays set, with `opened` false, while the dialog fades out.
  const [changing, setChanging] = useState<{ pedido: Pedido; opened: boolean }>();
  const phone = usePhone();
  const cancel = useCancel();
  function correct() {
    setEditing(open);
    close();
  }

  function change() {
    if (open) setChanging({ pedido: open, opened: true });
    close();
  }

  const actions = (pedido: Pedido) => <RevendedorActions pedido={pedido} onView={view} onCancel={(p) => void cancel(p)} />;
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
        columns={columnsOf(actions)}
        card={cardOf(actions)}
        empty={nothing}
        onRow={view}
        skeletonRows={6}
        pinLast
      />
      <Suspense>
        <Dialogs
          open={open}
          editing={editing}
          changing={changing}
          onClose={close}
          onEdit={correct}
          onChangeLines={change}
          onEdited={() => setEditing(undefined)}
          onChanged={() => setChanging((last) => last && { ...last, opened: false })}
        />
      </Suspense>
    </>
  );
}

function useCancel() {
  const actor = useSession();
  const cancel = useMutate(setEstado, {
    success: 'Pedido cancelado',
    failure: 'No se pudo cancelar el pedido',
    achieved: (wanted) => stepMade(actor, wanted),
  });
  const owed = ({ pagado }: Pedido) => (pagado ? ` Hay ${money(pagado)} pagados, que habrá que reembolsar al cliente.` : '');
  return (pedido: Pedido) =>
    confirm({
      title: 'Cancelar pedido',
      message: `¿Cancelar el pedido ${pedido.numero_orden} de ${pedido.cliente_nombre}? Su enlace de pago dejará de servir y no se puede deshacer.${owed(pedido)}`,
      confirm: 'Cancelar pedido',
      cancel: 'Volver',
      danger: true,
      action: () =>
        cancel
          .mutateAsync({ params: { id: pedido.id }, body: { estado: 'cancelado', paso: 'cancelar', version: pedido.version } })
          .catch((error: ApiError) => {
            // Ignores an order that was paid, cancelled or deleted meanwhile: a retry is pointless, and the list is being refetched.
            if (error.status !== 404 && error.status !== 409) throw error;
          }),
    });
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

type Props = { pedido: Pedido; onView: (pedido: Pedido) => void; onCancel: (pedido: Pedido) => void };

/** Row actions for a reseller. Offers to pay or cancel only an unpaid order. */
function RevendedorActions({ pedido, onView, onCancel }: Props) {
  const actor = useSession();
  const cancellable = mayTransition(actor, 'cancelar', pedido);
  const link = pedido.estado === 'pendiente_pago' ? pedido.payment_link : null;
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
      {cancellable && (
        <Icon label={`Cancelar el ${of}`} color="red" onClick={() => onCancel(pedido)}>
          <IconX size={16} stroke={1.8} />
        </Icon>
      )}
      <Icon label={`Ver el ${of}`} onClick={() => onView(pedido)}>
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
  onClick: () => void;
  children: ReactNode;
}) => (
  <Tip label={label}>
    <ActionIcon variant="subtle" color={color} size="md" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tip>
);
