import { Anchor, Text } from '@mantine/core';
import type { PedidoTransportista } from '../../contract/pedidos.ts';
import type { Column } from '../ui/data-table.tsx';
import { EstadoBadge } from '../ui/estado-badge.tsx';
import { fecha, number } from '../ui/format.ts';
import { llamar } from './direccion.ts';
import { Entrega, Motivo } from './entrega.tsx';
import { DireccionEnlace } from './lugar.tsx';
import { RowSteps } from './step-buttons.tsx';
import type { Steps } from './use-steps.tsx';

type StepsOf = (pedido: PedidoTransportista) => Steps;

/** The table of one's own orders; never a price (specification, section 6). */
export function columnsOf(stepsOf: StepsOf, onDetails: (pedido: PedidoTransportista) => void): Column<PedidoTransportista>[] {
  return [
    {
      key: 'numero_orden',
      title: 'Pedido',
      width: 155,
      render: (p) => (
        <>
          <Text fz="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
            {p.numero_orden}
          </Text>
          <Text size="xs" c="dimmed">
            {fecha(p.fecha_pedido)}
          </Text>
        </>
      ),
    },
    {
      key: 'cliente',
      title: 'Cliente',
      render: (p) => (
        <>
          <Text fz="sm">{p.cliente_nombre}</Text>
          {p.cliente_telefono && (
            <Anchor size="xs" href={llamar(p.cliente_telefono)}>
              {p.cliente_telefono}
            </Anchor>
          )}
        </>
      ),
    },
    { key: 'direccion', title: 'Dirección', render: (p) => <DireccionEnlace pedido={p} /> },
    { key: 'producto', title: 'Producto', render: (p) => `${number(p.cantidad)} × ${p.producto}` },
    {
      key: 'estado',
      title: 'Estado',
      width: 150,
      render: (p) => (
        <>
          <EstadoBadge estado={p.estado} />
          <Motivo pedido={p} />
        </>
      ),
    },
    { key: 'entrega', title: 'Entrega', width: 165, render: (p) => <Entrega pedido={p} /> },
    {
      key: 'acciones',
      title: 'Acciones',
      align: 'right',
      width: 375,
      render: (p) => <RowSteps name={p.numero_orden} steps={stepsOf(p)} onDetails={() => onDetails(p)} />,
    },
  ];
}
