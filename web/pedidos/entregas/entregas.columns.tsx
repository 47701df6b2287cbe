import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { METODO_ENTREGA_LABEL } from '../../../contract/pedidos/metodos.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { number } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import type { Column } from '../../ui/list/table-props.ts';
import { addressOf } from '../address.ts';
import { COMMON, estadoColumn, Missing, NUMBER, numero } from '../table/pedidos.columns.tsx';
import classes from './entregas.columns.module.css';

const clamped = (text: string, oneLine: boolean) => (
  <Text size="xs" lh={1.15} {...(oneLine ? { truncate: true } : { lineClamp: 3 })} title={text}>
    {text}
  </Text>
);

/** Columns of the specification, section 2.11; half a window and a tablet show only the main ones. */
export const entregasColumns = (
  onOpen: (pedido: Pedido) => void,
  onStep: Parameters<typeof estadoColumn>[0],
  actions: (pedido: Pedido) => ReactNode,
  { oneLine = false }: { oneLine?: boolean } = {},
): Column<Pedido>[] => [
  { ...numero('Pedido', onOpen), width: NUMBER, fixed: true },
  {
    key: 'cliente_nombre',
    title: 'Cliente',
    className: `${classes.words} ${classes.cliente}`,
    sortable: true,
    render: ({ cliente_nombre, cliente_telefono }) => (
      <>
        <Text fw={600} lh={1.15} lineClamp={2} title={cliente_nombre}>
          {cliente_nombre}
        </Text>
        {!oneLine && (
          <Text size="xs" lh={1.15} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {telephoneWords(cliente_telefono)}
          </Text>
        )}
      </>
    ),
  },
  {
    key: 'cliente_direccion',
    title: 'Dirección',
    className: `${classes.words} ${classes.wide} ${classes.rest}`,
    render: (pedido) => clamped(addressOf(pedido), oneLine),
  },
  {
    key: 'producto',
    title: 'Producto',
    className: `${classes.words} ${classes.wide} ${classes.rest}`,
    render: ({ producto }) => clamped(producto, oneLine),
  },
  { key: 'cantidad', title: 'Cantidad', className: classes.rest, width: 66, align: 'right', render: ({ cantidad }) => number(cantidad) },
  { ...COMMON.total, width: 78 },
  { ...estadoColumn(onStep), width: 124 },
  { key: 'metodo_entrega', title: 'Método', className: classes.late, width: 60, render: metodo },
  {
    key: 'numero_seguimiento',
    title: 'Seguimiento',
    className: classes.late,
    width: 78,
    ellipsis: true,
    render: (pedido) => (
      <Text span size="xs">
        {seguimiento(pedido)}
      </Text>
    ),
  },
  { ...COMMON.fecha, className: classes.rest, width: 80 },
  { key: 'acciones', title: 'Acciones', width: 88, align: 'right', fixed: true, render: actions },
];

export const metodo = ({ metodo_entrega }: Pedido): ReactNode =>
  metodo_entrega ? METODO_ENTREGA_LABEL[metodo_entrega] : <Missing>—</Missing>;
export const seguimiento = ({ numero_seguimiento, seguimiento_url, en_empresa }: Pedido): ReactNode =>
  numero_seguimiento ? (
    <TrackingLink numero={numero_seguimiento} url={seguimiento_url} />
  ) : (
    <Missing>{en_empresa ? 'Sin número' : 'Sin asignar'}</Missing>
  );
