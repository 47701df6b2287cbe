import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EN_MANOS, FINALES } from '../../../contract/pedidos/estados.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, money, number } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import type { Column } from '../../ui/list/table-props.ts';
import { EstadoCell, Matter } from '../table/matter.tsx';
import { Numero } from '../table/pedido-link.tsx';
import { NUMBER } from '../table/pedidos.columns.tsx';
import { companyWords } from '../table/with-company.tsx';
import classes from './mis-pedidos.columns.module.css';

const two = (first: string, second: string | null) => (
  <div className={classes.two}>
    <Text lineClamp={2} lh={1.2} title={first}>
      {first}
    </Text>
    <Text truncate size="xs" c="dimmed">
      {second}
    </Text>
  </div>
);
const amount = (pedido: Pedido) => `${number(pedido.cantidad)} ${pedido.cantidad === 1 ? 'pack' : 'packs'}`;

type Actions = (pedido: Pedido) => ReactNode;

export const misPedidosColumns = (actions: Actions): Column<Pedido>[] => [
  { key: 'numero_orden', title: 'Pedido', width: NUMBER, sortable: true, render: (p) => <Numero numero={p.numero_orden} /> },
  { key: 'cliente_nombre', title: 'Cliente', sortable: true, render: (p) => two(p.cliente_nombre, telephoneWords(p.cliente_telefono)) },
  { key: 'producto', title: 'Producto', className: classes.producto, render: (p) => two(p.producto, amount(p)) },
  { key: 'estado', title: 'Estado', width: 150, sortable: true, render: (p) => <EstadoCell pedido={p} /> },
  { key: 'precio_total', title: 'Total', width: 100, sortable: true, align: 'right', render: (p) => money(p.precio_total) },
  { key: 'fecha_pedido', title: 'Fecha', className: classes.fecha, width: 102, sortable: true, render: (p) => fecha(p.fecha_pedido) },
  { key: 'seguimiento', title: 'Seguimiento', className: classes.seguimiento, width: 112, render: (p) => <Seguimiento pedido={p} /> },
  { key: 'acciones', title: 'Acciones', width: 180, align: 'right', render: actions },
];

export const misPedidosCard = (actions: Actions) => (p: Pedido) => (
  <>
    <Group justify="space-between" wrap="nowrap">
      <Text variant="title">{p.numero_orden}</Text>
      <EstadoBadge estado={p.estado} short />
    </Group>
    <Matter pedido={p} />
    <Group gap="md" justify="space-between" wrap="nowrap" align="flex-start" mt={4}>
      <div>
        <div>{p.cliente_nombre}</div>
        <Text c="dimmed">
          {p.producto} · {amount(p)}
        </Text>
      </div>
      <Text size="md" fw={600} style={{ whiteSpace: 'nowrap' }}>
        {money(p.precio_total)}
      </Text>
    </Group>
    <Group gap="md" justify="space-between" wrap="nowrap" align="flex-end" mt={6}>
      <div>
        <Text variant="detail">{fecha(p.fecha_pedido)}</Text>
        <Seguimiento pedido={p} />
      </div>
      {actions(p)}
    </Group>
  </>
);

/** Tracking cell (specification, section 2.15). */
function Seguimiento({ pedido }: { pedido: Pedido }) {
  if (pedido.estado === 'completado' && pedido.numero_seguimiento) {
    return (
      <div>
        <Text variant="detail">Núm. seguimiento</Text>
        <TrackingLink numero={pedido.numero_seguimiento} url={pedido.seguimiento_url} />
      </div>
    );
  }
  return (
    <Text component="span" c="dimmed">
      {companyWords(pedido) ?? wordsOf(pedido.estado)}
      {EN_MANOS.includes(pedido.estado) && <div>Lo lleva {pedido.transportista_nombre}</div>}
    </Text>
  );
}

function wordsOf(estado: Pedido['estado']): string | undefined {
  if (estado === 'completado') return 'Sin seguimiento';
  return FINALES.includes(estado) ? undefined : 'En espera del transportista';
}
