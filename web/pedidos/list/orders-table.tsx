import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import type { DataTableProps } from '../../ui/list/table-props.ts';
import { useColumns, useLook } from '../../ui/list/use-view.ts';
import { ViewMenu } from '../../ui/list/view-menu.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import type { Vistas } from '../../vistas/use-vistas.ts';
import { VistasMenu } from '../../vistas/vistas-menu.tsx';
import type { Action } from '../actions/actions.ts';
import { ActionsMenu } from '../actions/actions-menu.tsx';
import { useActions } from '../detail/use-actions.tsx';
import { Paid } from '../pagos/paid.tsx';
import { summaryWords } from '../summary.ts';
import { Matter } from '../table/matter.tsx';
import { PedidoLink } from '../table/pedido-link.tsx';
import { DEFAULT_FILTERS } from '../table/query.ts';
import { usePedidos } from '../table/use-pedidos.ts';
import { Cliente, holderWords, Missing, type OnAction, ordersColumns, type PresetName, Seguimiento } from './orders.columns.tsx';

type Options = {
  /** Title of a failure to load. */
  failure: string;
  vistas?: Vistas;
  /** Filters without any in the address. */
  defaults?: typeof DEFAULT_FILTERS;
  acts?: Parameters<typeof useActions>[0];
  /** Words of the row's menu, where a list has its own. */
  labels?: Partial<Record<Action['kind'], string>>;
  /** Button before the row's menu. */
  main?: (pedido: Pedido, onAction: OnAction) => ReactNode;
};

/** A list of orders: what it asks the server, its columns and its actions. `preset` decides columns and titles. */
export function useOrders(preset: PresetName, { failure, vistas, defaults, acts, labels, main }: Options) {
  const key = `enruta-${preset}-${useSession().id}`;
  const look = useLook(key);
  const list = usePedidos(failure, look, vistas, defaults);
  const { run, runStep, dialogs } = useActions(acts, list.table.rows);
  const onOpen = (pedido: Pedido) => run({ kind: 'view' }, pedido);
  const menu = (pedido: Pedido) => <ActionsMenu pedido={pedido} onAction={run} labels={labels} compact={look.oneLine} />;
  const button = (pedido: Pedido) => main?.(pedido, run);
  const actions = (pedido: Pedido) => (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {button(pedido)}
      {menu(pedido)}
    </Group>
  );
  const columns = useColumns(key, ordersColumns(preset, { onOpen, onStep: runStep, actions, oneLine: look.oneLine }), vistas?.chosen);
  const phone = usePhone();
  return {
    ...list,
    dialogs,
    /** Menus of the list's header: saved views and columns. */
    menus: (
      <>
        {vistas && <VistasMenu vistas={vistas} filters={list.filters} defaults={DEFAULT_FILTERS} columnas={columns.shown} />}
        {!phone && <ViewMenu look={look} columns={columns} />}
      </>
    ),
    shown: {
      ...list.table,
      ...columns.table,
      oneLine: look.oneLine,
      onRow: onOpen,
      parts: { preset, onOpen, onStep: runStep, menu, button },
    },
  };
}

type Lote = {
  className: string | undefined;
  selection: DataTableProps<Pedido>['selection'];
  tick: (pedido: Pedido) => ReactNode;
  bar: ReactNode;
};
type Props = Pick<DataTableProps<Pedido>, 'label' | 'empty' | 'skeletonRows' | 'pages'> & {
  of: ReturnType<typeof useOrders>['shown'];
  /** Choice of several orders. */
  lote?: Lote;
};

/** Rows of `useOrders`: a table, cards on a phone. */
export function OrdersTable({ of: { parts, ...table }, lote, ...props }: Props) {
  return (
    <div className={lote?.className}>
      <DataTable
        {...table}
        {...props}
        card={(pedido) => <OrderCard pedido={pedido} {...parts} tick={lote?.tick(pedido)} />}
        drawnBy={[lote?.selection?.rows, table.oneLine]}
        rowLines={table.oneLine ? 1 : 2}
        {...(lote && { selection: lote.selection })}
        dense
        linked
        tight
        pinLast
      />
      {lote?.bar}
    </div>
  );
}

type CardProps = ReturnType<typeof useOrders>['shown']['parts'] & { pedido: Pedido; tick: ReactNode };

/** An order on a phone. */
const OrderCard = ({ pedido, preset, onOpen, onStep, menu, button, tick }: CardProps) => (
  <>
    <Group justify="space-between" wrap="nowrap" mb={4}>
      <Group gap={8} wrap="nowrap">
        {tick}
        <PedidoLink pedido={pedido} onOpen={() => onOpen(pedido)} />
      </Group>
      <Group gap={4} wrap="nowrap">
        <EstadoBadge estado={pedido.estado} short />
        {menu(pedido)}
      </Group>
    </Group>
    <Matter pedido={pedido} onStep={onStep} />
    <Cliente pedido={pedido} place />
    <Text mt={4}>{summaryWords(pedido)}</Text>
    <Group justify="space-between" mt={8} wrap="nowrap" align="flex-end">
      <Text variant="detail">
        {preset === 'mis-pedidos' ? <Seguimiento pedido={pedido} own /> : (holderWords(pedido) ?? <Missing>Sin asignar</Missing>)} ·{' '}
        {fecha(pedido.fecha_pedido)}
        {preset === 'entregas' && (
          <>
            {' '}
            · <Seguimiento pedido={pedido} />
          </>
        )}
      </Text>
      <Group gap="xs" wrap="nowrap" justify="flex-end">
        <div style={{ textAlign: 'right' }}>
          <Text variant="title">{money(pedido.precio_total)}</Text>
          <Paid pedido={pedido} />
        </div>
        {button(pedido)}
      </Group>
    </Group>
  </>
);
