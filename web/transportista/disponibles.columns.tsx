import { Box, Button, Text } from '@mantine/core';
import { IconTruckLoading } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { PedidoDisponible } from '../../contract/pedidos/pedidos.ts';
import { fecha, number } from '../ui/format/format.ts';
import type { Column } from '../ui/list/table-props.ts';
import { Promised } from './delivery.tsx';
import { AddressLink } from './place.tsx';

// Prevents a long word from widening the table.
const words = (least: string, content: ReactNode) => (
  <Box miw={least} style={{ overflowWrap: 'anywhere' }}>
    {content}
  </Box>
);

/** Columns of the orders to take. */
export const columnsOf = (take: (pedido: PedidoDisponible) => void): Column<PedidoDisponible>[] => [
  {
    key: 'numero_orden',
    title: 'Pedido',
    width: 146,
    render: (p) => (
      <Text fz="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {p.numero_orden}
      </Text>
    ),
  },
  { key: 'cliente', title: 'Cliente', render: (p) => words('6.5rem', p.cliente_nombre) },
  { key: 'direccion', title: 'Dirección', render: (p) => words('7.25rem', <AddressLink pedido={p} />) },
  { key: 'producto', title: 'Producto', render: (p) => words('7.75rem', p.producto) },
  { key: 'cantidad', title: 'Cantidad', align: 'right', width: 86, render: (p) => number(p.cantidad) },
  { key: 'fecha_pedido', title: 'Fecha', width: 100, render: (p) => fecha(p.fecha_pedido) },
  { key: 'fecha_estimada', title: 'Entrega estimada', width: 142, render: (p) => <Promised pedido={p} short /> },
  {
    key: 'acciones',
    title: 'Acciones',
    align: 'right',
    width: 166,
    render: (p) => (
      <Button
        size="xs"
        leftSection={<IconTruckLoading size={16} aria-hidden />}
        aria-label={`Tomar Pedido ${p.numero_orden}`}
        onClick={() => take(p)}
      >
        Tomar Pedido
      </Button>
    ),
  },
];
