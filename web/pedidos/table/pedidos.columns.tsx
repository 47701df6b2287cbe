import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Paso } from '../../../contract/pedidos/situations.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, hora, money } from '../../ui/format/format.ts';
import type { Column } from '../../ui/list/table-props.ts';
import { LejosBadge } from '../../zonas/lejos.tsx';
import { addressOf } from '../address.ts';
import { Paid, paidWords } from '../pagos/paid.tsx';
import { summaryWords } from '../summary.ts';
import { EstadoCell, Matter } from './matter.tsx';
import { PedidoLink } from './pedido-link.tsx';
import classes from './pedidos.columns.module.css';
import { companyWords } from './with-company.tsx';

export const Missing = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

const nameCell = (name: string | null, none: string, oneLine: boolean) => (
  <Text lh={1.25} {...(oneLine ? { truncate: true } : { lineClamp: 2 })} c={name ? undefined : 'dimmed'} title={name ?? undefined}>
    {name ?? none}
  </Text>
);
const OneLine = ({ text }: { text: string }) => (
  <Text fw={600} truncate title={text}>
    {text}
  </Text>
);

/** Name, then telephone and whole address, on two lines if need be; a wide row has the telephone beside the name. */
export function Cliente({ pedido }: { pedido: Pedido }) {
  const { cliente_nombre, cliente_telefono } = pedido;
  const address = addressOf(pedido);
  return (
    <>
      <Text fw={600} lh={1.15} truncate title={cliente_nombre} className={classes.name}>
        {cliente_nombre}
      </Text>
      <Text size="xs" lh={1.15} c="dimmed" lineClamp={2} title={address}>
        {cliente_telefono && <span data-shown="telefono">{telephoneWords(cliente_telefono)}</span>} {address}
      </Text>
      <LejosBadge address={pedido} />
    </>
  );
}

type OnStep = (paso: Paso, pedido: Pedido, from: Element) => void;

/** Columns that several lists share, without widths. The keys are the server's sort keys. */
export const numero = (title: string, onOpen: (pedido: Pedido) => void): Column<Pedido> => ({
  key: 'numero_orden',
  title,
  sortable: true,
  render: (pedido) => <PedidoLink pedido={pedido} onOpen={onOpen} />,
});
/** Column of the estado, whose cell says what is the matter and offers the next step. */
export const estadoColumn = (onStep?: OnStep): Column<Pedido> => ({
  key: 'estado',
  title: 'Estado',
  sortable: true,
  width: 172,
  render: (pedido) => <EstadoCell pedido={pedido} onStep={onStep} />,
});
export const COMMON = {
  total: { key: 'precio_total', title: 'Total', sortable: true, align: 'right', render: ({ precio_total }) => money(precio_total) },
  fecha: { key: 'fecha_pedido', title: 'Fecha', sortable: true, render: ({ fecha_pedido }) => fecha(fecha_pedido) },
} satisfies Record<string, Column<Pedido>>;

const total = (pedido: Pedido) => (
  <>
    <div>{money(pedido.precio_total)}</div>
    <div className={classes.paid}>
      <Paid pedido={pedido} />
    </div>
  </>
);

/** Width of the reseller and carrier columns, which shrink first: a narrow window leaves the room to the customer. */
const PERSON = 'clamp(6.625rem, 20cqw - 6rem, 12.5rem)';
/** Width of the total. In a narrow window, «Pagado 50,00 €» overflows a little to the left, where the badge leaves room. */
const TOTAL = 'clamp(6.25rem, 12cqw - 1rem, 7.5rem)';

/** Width of the order number; jumps at 80rem, where «ORD-» and the year appear (pedido-link.module.css). */
export const NUMBER = 'clamp(5.25rem, (100cqw - 80rem) * 100, 8.875rem)';

/** Columns of the specification (section 2.7) and optional ones; rows of one line omit second lines, shown elsewhere. */
export const pedidosColumns = (
  onOpen: (pedido: Pedido) => void,
  onStep: OnStep,
  actions: (pedido: Pedido) => ReactNode,
  { oneLine = false }: { oneLine?: boolean } = {},
): Column<Pedido>[] => [
  { ...numero('ID Pedido', onOpen), width: NUMBER, fixed: true },
  {
    key: 'cliente_nombre',
    title: 'Cliente',
    className: classes.cliente,
    sortable: true,
    render: (pedido) => (oneLine ? <OneLine text={pedido.cliente_nombre} /> : <Cliente pedido={pedido} />),
  },
  {
    key: 'producto',
    title: 'Producto',
    width: 190,
    optional: true,
    render: (pedido) => nameCell(summaryWords(pedido), '—', oneLine),
  },
  {
    key: 'cliente_ciudad',
    title: 'Ciudad',
    width: 120,
    optional: true,
    sortable: true,
    render: ({ cliente_ciudad }) => nameCell(cliente_ciudad, '—', oneLine),
  },
  { key: 'tienda', title: 'Tienda en línea', width: 130, optional: true, render: ({ tienda }) => nameCell(tienda, '—', oneLine) },
  {
    key: 'revendedor_nombre',
    title: 'Revendedor',
    className: `${classes.people} ${classes.seller}`,
    width: PERSON,
    sortable: true,
    render: ({ revendedor_nombre }) => nameCell(revendedor_nombre, '—', oneLine),
  },
  {
    key: 'transportista_nombre',
    title: 'Transportista',
    className: classes.people,
    width: PERSON,
    sortable: true,
    render: (pedido) => nameCell(companyWords(pedido) ?? pedido.transportista_nombre, 'Sin asignar', oneLine),
  },
  estadoColumn(onStep),
  { ...COMMON.total, width: TOTAL, render: oneLine ? COMMON.total.render : total },
  { key: 'pagado', title: 'Pagado', width: 112, align: 'right', optional: true, render: (pedido) => paidWords(pedido) ?? '—' },
  { ...COMMON.fecha, width: 84 },
  { key: 'hora', title: 'Hora', width: 64, optional: true, render: ({ fecha_pedido }) => hora(Date.parse(fecha_pedido)) },
  {
    key: 'fecha_estimada',
    title: 'Prometido',
    width: 104,
    optional: true,
    sortable: true,
    render: ({ fecha_estimada }) => fecha(fecha_estimada),
  },
  { key: 'acciones', title: 'Acciones', width: 70, align: 'right', fixed: true, render: actions },
];

type Props = { pedido: Pedido; onOpen: (pedido: Pedido) => void; actions: ReactNode; tick?: ReactNode; onStep: OnStep };

export const PedidoCard = ({ pedido, onOpen, actions, tick, onStep }: Props) => (
  <>
    <Group justify="space-between" wrap="nowrap" mb={6}>
      <Group gap={6} wrap="nowrap">
        {tick}
        <PedidoLink pedido={pedido} onOpen={onOpen} />
      </Group>
      <Group gap={4} wrap="nowrap">
        <EstadoBadge estado={pedido.estado} short />
        {actions}
      </Group>
    </Group>
    <Cliente pedido={pedido} />
    <Matter pedido={pedido} onStep={onStep} />
    <Group justify="space-between" mt={8} wrap="nowrap">
      <Text size="xs" c="dimmed">
        {companyWords(pedido) ?? pedido.transportista_nombre ?? <Missing>Sin asignar</Missing>} · {fecha(pedido.fecha_pedido)}
      </Text>
      <div style={{ textAlign: 'right' }}>
        <Text size="md" fw={600}>
          {money(pedido.precio_total)}
        </Text>
        <Paid pedido={pedido} />
      </div>
    </Group>
  </>
);
