import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money } from '../../ui/format/format.ts';
import type { Column } from '../../ui/list/data-table.tsx';
import { addressOf } from '../address.ts';
import { Paid } from '../paid.tsx';
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

/** Columns that several lists have, without their widths; the keys are the server's sort keys. */
export const numero = (title: string, onOpen: (pedido: Pedido) => void): Column<Pedido> => ({
  key: 'numero_orden',
  title,
  sortable: true,
  render: (pedido) => <PedidoLink pedido={pedido} onOpen={onOpen} />,
});
export const COMMON = {
  estado: { key: 'estado', title: 'Estado', sortable: true, render: ({ estado }) => <EstadoBadge estado={estado} short /> },
  total: { key: 'precio_total', title: 'Total', sortable: true, align: 'right', render: ({ precio_total }) => money(precio_total) },
  fecha: { key: 'fecha_pedido', title: 'Fecha', sortable: true, render: ({ fecha_pedido }) => fecha(fecha_pedido) },
} satisfies Record<string, Column<Pedido>>;

/** The total, and how much of it is paid. */
const total = (pedido: Pedido) => (
  <>
    <div>{money(pedido.precio_total)}</div>
    <Paid pedido={pedido} />
  </>
);

/** Columns of the specification, section 2.7. */
export const columnsOf = (onOpen: (pedido: Pedido) => void, actions: (pedido: Pedido) => ReactNode): Column<Pedido>[] => [
  { ...numero('ID Pedido', onOpen), width: 150 },
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
  { ...COMMON.estado, width: 142 },
  { ...COMMON.total, width: 124, render: total },
  { ...COMMON.fecha, className: classes.medium, width: 104 },
  { key: 'acciones', title: 'Acciones', width: 84, align: 'right', render: actions },
];
