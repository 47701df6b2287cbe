import { Anchor, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { EDITABLE_FIELDS, type EditableField, pedidoField } from '../../contract/pedidos.fields.ts';
import { companyLabel } from '../../contract/pedidos.flow.ts';
import type { Pedido, PedidoDisponible } from '../../contract/pedidos.ts';
import { can } from '../../contract/policy.ts';
import { useSession } from '../session/session.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { EstadoBadge } from '../ui/format/estado-badge.tsx';
import { fecha, fechaHora, money, number } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';
import classes from './details-dialog.module.css';

// In the order of the specification, section 2.16; other editable fields follow.
const FIRST: EditableField[] = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_ciudad',
  'cliente_provincia',
  'cliente_codigo_postal',
  'cliente_pais',
];
const isLong = (name: EditableField) => pedidoField(name).kind === 'multiline';
const SHORT = [...FIRST, ...EDITABLE_FIELDS.filter((name) => !FIRST.includes(name) && !isLong(name))];
const LONG = EDITABLE_FIELDS.filter(isLong);

/** An order as any role receives it: fields the role may not see are absent. */
export type PedidoVisible = PedidoDisponible & Partial<Pedido>;

type Props = {
  /** The order to show; undefined closes the dialog. */
  pedido: PedidoVisible | undefined;
  onClose: () => void;
  /** Rendered at the foot. */
  actions?: ReactNode;
};

/** «Detalles del Pedido» (specification, section 2.16). */
export function DetailsDialog({ pedido, onClose, actions }: Props) {
  // Keeps the content while the dialog fades out.
  const [last, setLast] = useState(pedido);
  if (pedido && pedido !== last) setLast(pedido);
  const shown = pedido ?? last;
  return (
    <Dialog
      opened={!!pedido}
      onClose={onClose}
      title={
        <>
          Detalles del Pedido <span className={classes.number}>{shown?.numero_orden}</span>
        </>
      }
    >
      {shown && <Details pedido={shown} />}
      {actions && <div className={classes.actions}>{actions}</div>}
    </Dialog>
  );
}

function Details({ pedido: p }: { pedido: PedidoVisible }) {
  const prices = can(useSession(), 'pedido:prices') && p.precio_total !== undefined;
  return (
    <>
      <div className={classes.head}>
        <EstadoBadge estado={p.estado} />
        {prices && <span className={classes.total}>{money(p.precio_total)}</span>}
      </div>

      <Section title="Cliente">
        {SHORT.map((name) => (
          <Fact key={name} label={pedidoField(name).label} wide={name === 'cliente_direccion'}>
            {pedidoField(name).kind === 'telephone' ? <Telephone number={p[name]} /> : p[name]}
          </Fact>
        ))}
      </Section>

      <Section title="Producto">
        <Fact label="Producto" wide>
          {p.producto}
        </Fact>
        <Fact label="Cantidad">{number(p.cantidad)}</Fact>
        {prices && <Fact label="Precio unitario">{money(p.precio_unitario)}</Fact>}
        {prices && <Fact label="Total">{money(p.precio_total)}</Fact>}
      </Section>

      {p.estado === 'completado' && (
        <Section title="Envío">
          <Fact label="Núm. seguimiento">
            {p.numero_seguimiento ? (
              <TrackingLink numero={p.numero_seguimiento} url={p.seguimiento_url} />
            ) : (
              'Sin información de seguimiento disponible'
            )}
          </Fact>
          <Fact label="Empresa de transporte">{p.empresa_transporte && companyLabel(p.empresa_transporte)}</Fact>
        </Section>
      )}

      <Section title="Fechas">
        <Fact label="Pedido">{fechaHora(p.fecha_pedido)}</Fact>
        <Fact label="Estimada">{p.fecha_estimada && fecha(p.fecha_estimada)}</Fact>
        <Fact label="Completado">{p.fecha_completado && fechaHora(p.fecha_completado)}</Fact>
      </Section>

      {p.motivo && <Words title={pedidoField('motivo').label} text={p.motivo} />}
      {LONG.map((name) => {
        const text = p[name];
        return (
          text && <Words key={name} title={name === 'instrucciones' ? 'Instrucciones especiales' : pedidoField(name).label} text={text} />
        );
      })}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Title order={3} id={id}>
        {title}
      </Title>
      <dl className={classes.facts}>{children}</dl>
    </section>
  );
}

/** One line of a section; omitted without a value. */
function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Telephone = ({ number }: { number: string | null | undefined }) =>
  number ? <Anchor href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</Anchor> : null;

function Words({ title, text }: { title: string; text: string }) {
  return (
    <section className={classes.section}>
      <Title order={3}>{title}</Title>
      <div className={classes.text}>{text}</div>
    </section>
  );
}
