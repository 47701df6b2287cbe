import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EN_MANOS, FINALES } from '../../../contract/pedidos/estados.ts';
import { METODO_ENTREGA_LABEL } from '../../../contract/pedidos/metodos.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Paso } from '../../../contract/pedidos/situations.ts';
import { addressLine } from '../../../contract/text/address.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { fecha, hora, money, number } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import type { Column } from '../../ui/list/table-props.ts';
import { LejosBadge } from '../../zonas/lejos.tsx';
import type { Action } from '../actions/actions.ts';
import { Paid, paidWords } from '../pagos/paid.tsx';
import { summaryWords } from '../summary.ts';
import { EstadoCell, Matter } from '../table/matter.tsx';
import { PedidoLink } from '../table/pedido-link.tsx';
import { companyWords } from '../table/with-company.tsx';
import classes from './orders.module.css';

type Key =
  | ('numero_orden' | 'cliente_nombre' | 'cliente_direccion' | 'producto' | 'cantidad' | 'cliente_ciudad' | 'tienda')
  | ('revendedor_nombre' | 'transportista_nombre' | 'estado' | 'precio_total' | 'pagado' | 'metodo_entrega' | 'numero_seguimiento')
  | ('fecha_pedido' | 'hora' | 'fecha_estimada' | 'situacion' | 'acciones');
export type OnAction = (action: Action, pedido: Pedido, from: Element | null) => void;
type Tools = {
  onOpen: (pedido: Pedido) => void;
  /** Takes the step that the cell of the estado offers. */
  onStep: (paso: Paso, pedido: Pedido, from: Element) => void;
  /** Buttons and menu of a row. */
  actions: (pedido: Pedido) => ReactNode;
  /** Rows of one line: cuts texts and omits second lines. */
  oneLine: boolean;
};

export const Missing = ({ children }: { children: ReactNode }) => (
  <Text span inherit c="dimmed">
    {children}
  </Text>
);

const Words = ({ text, oneLine, second = false }: { text: string; oneLine: boolean; second?: boolean }) => (
  <Text lh={1.2} truncate={oneLine || undefined} title={oneLine ? text : undefined} {...(second && { size: 'xs', c: 'dimmed' })}>
    {text}
  </Text>
);

/** Name, then telephone, and with `place` the whole address. */
export const Cliente = ({ pedido, place = false, oneLine = false }: { pedido: Pedido; place?: boolean; oneLine?: boolean }) => (
  <>
    <Text fw={600} lh={1.2} truncate={oneLine || undefined} title={oneLine ? pedido.cliente_nombre : undefined}>
      {pedido.cliente_nombre}
    </Text>
    {!oneLine && (
      <Text size="xs" lh={1.2} c="dimmed">
        {pedido.cliente_telefono && <span data-shown="telefono">{telephoneWords(pedido.cliente_telefono)}</span>}{' '}
        {place && addressLine(pedido)}
      </Text>
    )}
    {place && <LejosBadge address={pedido} />}
  </>
);

/** Tracking: for the office the number or «Sin asignar», for a reseller who has the order too (specification, 2.11 and 2.15). */
export function Seguimiento({ pedido, own = false }: { pedido: Pedido; own?: boolean }) {
  const { numero_seguimiento: numero, seguimiento_url, estado } = pedido;
  const link = numero && <TrackingLink numero={numero} url={seguimiento_url} />;
  if (!own) return link || <Missing>{pedido.en_empresa ? 'Sin número' : 'Sin asignar'}</Missing>;
  if (estado === 'completado') return link ? <>Núm. seguimiento {link}</> : <Missing>Sin seguimiento</Missing>;
  return (
    <Missing>
      {companyWords(pedido) ?? (FINALES.includes(estado) ? '' : 'En espera del transportista')}
      {EN_MANOS.includes(estado) && <span className={classes.below}>Lo lleva {pedido.transportista_nombre}</span>}
    </Missing>
  );
}

/** Who has the order: its company, its carrier, or nobody. */
export const holderWords = (pedido: Pedido): string | null => companyWords(pedido) ?? pedido.transportista_nombre;
const metodoWords = ({ metodo_entrega }: Pedido): string | null => metodo_entrega && METODO_ENTREGA_LABEL[metodo_entrega];

/** Method of the delivery, once there is one, and its tracking. */
const Entrega = ({ pedido }: { pedido: Pedido }) => (
  <>
    {pedido.metodo_entrega && `${METODO_ENTREGA_LABEL[pedido.metodo_entrega]} · `}
    <Seguimiento pedido={pedido} />
  </>
);

/** Width of reseller and carrier, which shrink first: a narrow window leaves the room to the customer. */
const PERSON = 'clamp(6.625rem, 20cqw - 6rem, 12.5rem)';
/** Width of the order number; jumps at 80rem, where «ORD-» and the year appear (pedido-link.module.css). */
const NUMBER = 'clamp(5.25rem, (100cqw - 80rem) * 100, 8.875rem)';

/** Every column of the lists of orders. The keys are the server's sort keys. A preset with `stacked` columns has a second value below the first. */
const columnsOf = (
  { onOpen, onStep, actions, oneLine }: Tools,
  { stacked, place, own, tracked }: Preset,
): Record<Key, Omit<Column<Pedido>, 'key'>> => {
  const stack = stacked && !oneLine;
  const below = (value: ReactNode) => stack && <div className={classes.below}>{value}</div>;
  const joined = (title: string, second: string) => (stack ? `${title} · ${second}` : title);
  const person = (name: string | null, none: string) => (name ? <Words text={name} oneLine={oneLine} /> : <Missing>{none}</Missing>);
  return {
    numero_orden: {
      title: joined('Pedido', 'Fecha'),
      ...(stack && { sortBy: 'fecha_pedido' }),
      width: NUMBER,
      sortable: true,
      fixed: true,
      render: (pedido) => (
        <>
          <PedidoLink pedido={pedido} onOpen={() => onOpen(pedido)} />
          {below(fecha(pedido.fecha_pedido))}
        </>
      ),
    },
    cliente_nombre: {
      title: 'Cliente',
      className: classes.words,
      sortable: true,
      ...(!place && { width: 'clamp(7.5rem, 13cqw, 14rem)' }),
      render: (pedido) => (
        <>
          <Cliente pedido={pedido} place={place} oneLine={oneLine} />
          {!place && !oneLine && <div className={`${classes.below} ${classes.narrow}`}>{addressLine(pedido)}</div>}
        </>
      ),
    },
    cliente_direccion: {
      title: 'Dirección',
      className: `${classes.words} ${classes.address}`,
      width: 'clamp(9rem, 16cqw, 20rem)',
      render: (pedido) => (
        <>
          <Words text={addressLine(pedido)} oneLine={oneLine} second />
          <LejosBadge address={pedido} />
        </>
      ),
    },
    producto: {
      title: joined('Producto', 'Cantidad'),
      className: `${classes.words} ${classes.rest}`,
      ...((place || !stacked) && { width: 'clamp(9rem, 18cqw, 22rem)' }),
      render: (pedido) => <Words text={summaryWords(pedido)} oneLine={oneLine} />,
    },
    cantidad: { title: 'Cantidad', width: 70, align: 'right', render: ({ cantidad }) => number(cantidad) },
    cliente_ciudad: { title: 'Ciudad', width: 120, sortable: true, render: ({ cliente_ciudad }) => person(cliente_ciudad, '—') },
    tienda: { title: 'Tienda en línea', width: 130, render: ({ tienda }) => person(tienda, '—') },
    revendedor_nombre: {
      title: 'Revendedor',
      className: `${classes.people} ${classes.seller}`,
      width: PERSON,
      sortable: true,
      render: ({ revendedor_nombre }) => person(revendedor_nombre, 'Tienda'),
    },
    transportista_nombre: {
      title: 'Transportista',
      className: classes.people,
      width: PERSON,
      sortable: true,
      render: (pedido) => person(holderWords(pedido), 'Sin asignar'),
    },
    estado: {
      title: tracked ? joined('Estado', 'Seguimiento') : 'Estado',
      width: 168,
      sortable: true,
      render: (pedido) => (
        <>
          <EstadoCell pedido={pedido} onStep={onStep} />
          {tracked && below(<Entrega pedido={pedido} />)}
        </>
      ),
    },
    precio_total: {
      title: 'Total',
      width: 'clamp(5.25rem, 12cqw - 1.75rem, 7.5rem)',
      sortable: true,
      align: 'right',
      render: (pedido) => (
        <>
          {money(pedido.precio_total)}
          {!oneLine && <Paid pedido={pedido} />}
        </>
      ),
    },
    pagado: { title: 'Pagado', width: 112, align: 'right', render: (pedido) => paidWords(pedido) ?? '—' },
    metodo_entrega: { title: 'Método', className: classes.late, width: 112, render: (pedido) => metodoWords(pedido) ?? '—' },
    numero_seguimiento: {
      title: 'Seguimiento',
      className: `${classes.words} ${classes.late}`,
      width: 116,
      render: (pedido) => <Seguimiento pedido={pedido} own={own} />,
    },
    fecha_pedido: { title: 'Fecha', width: 94, sortable: true, render: ({ fecha_pedido }) => fecha(fecha_pedido) },
    hora: { title: 'Hora', width: 64, render: ({ fecha_pedido }) => hora(Date.parse(fecha_pedido)) },
    fecha_estimada: { title: 'Prometido', width: 104, sortable: true, render: ({ fecha_estimada }) => fecha(fecha_estimada) },
    situacion: {
      title: 'Qué pasa',
      className: `${classes.words} ${classes.rest}`,
      width: 'clamp(9rem, 16cqw, 20rem)',
      sortable: true,
      render: (pedido) => <Matter pedido={pedido} />,
    },
    acciones: { title: 'Acciones', width: own ? 128 : 74, align: 'right', fixed: true, render: actions },
  };
};
type Preset = {
  shown: readonly Key[];
  /** Columns that a person may add. */
  more: readonly Key[];
  titles?: Partial<Record<Key, string>>;
  /** The address stands below the customer. */
  place: boolean;
  /** Date and quantity stand below another value. */
  stacked: boolean;
  /** So do method and tracking, below the estado. */
  tracked?: boolean;
  /** Of a reseller: what is told of the tracking, and room for «Pagar». */
  own?: boolean;
};

const OFFICE = {
  shown: ['numero_orden', 'cliente_nombre', 'revendedor_nombre', 'transportista_nombre', 'estado', 'precio_total', 'fecha_pedido'],
  more: ['producto', 'cliente_ciudad', 'tienda', 'pagado', 'hora', 'fecha_estimada', 'situacion'],
  place: true,
  stacked: false,
} as const;
/** Columns and titles of each list (specification, 2.7, 2.11, 2.15 and 2.21). */
const PRESETS = {
  pedidos: { ...OFFICE, titles: { numero_orden: 'ID Pedido' } },
  supervision: { ...OFFICE, titles: { numero_orden: '#' } },
  entregas: {
    shown: ['numero_orden', 'cliente_nombre', 'cliente_direccion', 'producto', 'precio_total', 'estado'],
    more: ['cantidad', 'metodo_entrega', 'numero_seguimiento', 'fecha_pedido', 'fecha_estimada', 'transportista_nombre', 'situacion'],
    place: false,
    stacked: true,
    tracked: true,
  },
  'mis-pedidos': {
    shown: ['numero_orden', 'cliente_nombre', 'producto', 'estado', 'precio_total', 'numero_seguimiento'],
    more: ['fecha_pedido', 'fecha_estimada', 'cliente_ciudad', 'pagado', 'situacion'],
    place: true,
    stacked: true,
    own: true,
  },
} as const satisfies Record<string, Preset>;
export type PresetName = keyof typeof PRESETS;

export function ordersColumns(name: PresetName, tools: Tools): Column<Pedido>[] {
  const preset: Preset = PRESETS[name];
  const columns = columnsOf(tools, preset);
  return [...preset.shown, ...preset.more, 'acciones' as const].map((key) => ({
    ...columns[key],
    key,
    title: preset.titles?.[key] ?? columns[key].title,
    optional: preset.more.includes(key),
  }));
}
