import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { addressOf } from '../address.ts';
import classes from './columns.module.css';
import { PedidoLink } from './pedido-link.tsx';

/** Placeholder for a missing value, as «Sin asignar». */
export const Missing = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

const nameCell = (name: string | null, none: string) => (
  <Text size="sm" lineClamp={2} c={name ? undefined : 'dimmed'} title={name ?? undefined}>
    {name ?? none}
  </Text>
);

export function Cliente({ pedido }: { pedido: Pedido }) {
  return (
    <>
      <Text size="sm" fw={600} truncate>
        {pedido.cliente_nombre}
      </Text>
      {pedido.cliente_telefono && (
        <Text size="xs" c="dimmed" truncate>
          {pedido.cliente_telefono}
        </Text>
      )}
      <Text size="xs" c="dimmed" lineClamp={2} title={addressOf(pedido)}>
        {addressOf(pedido)}
      </Text>
    </>
  );
}

/** Columns of the specification, section 2.7; the keys are the server's sort keys. */
export const columnsOf = (onOpen: (pedido: Pedido) => void, actions: (pedido: Pedido) => ReactNode): Column<Pedido>[] => [
  {
    key: 'numero_orden',
    title: 'ID Pedido',
    width: 150,
    sortable: true,
    render: (pedido) => <PedidoLink pedido={pedido} onOpen={onOpen} />,
  },
  { key: 'cliente_nombre', title: 'Cliente', className: classes.cliente, sortable: true, render: (pedido) => <Cliente pedido={pedido} /> },
  {
    key: 'revendedor_nombre',
    title: 'Revendedor',
    className: classes.large,
    width: 128,
    sortable: true,
    render: (pedido) => nameCell(pedido.revendedor_nombre, '—'),
  },
  {
    key: 'transportista_nombre',
    title: 'Transportista',
    className: classes.medium,
    width: 128,
    sortable: true,
    render: (pedido) => nameCell(pedido.transportista_nombre, 'Sin asignar'),
  },
  { key: 'estado', title: 'Estado', width: 142, sortable: true, render: ({ estado }) => <EstadoBadge estado={estado} short /> },
  {
    key: 'precio_total',
    title: 'Total',
    width: 106,
    sortable: true,
    align: 'right',
    render: ({ precio_total }) => money(precio_total),
  },
  {
    key: 'fecha_pedido',
    title: 'Fecha',
    className: classes.medium,
    width: 104,
    sortable: true,
    render: ({ fecha_pedido }) => fecha(fecha_pedido),
  },
  { key: 'acciones', title: 'Acciones', width: 84, align: 'right', render: actions },
];
