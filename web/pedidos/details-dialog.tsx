import { Anchor, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { companyLabel } from '../../contract/pedidos.flow.ts';
import type { Pedido, PedidoDisponible } from '../../contract/pedidos.ts';
import { can } from '../../contract/policy.ts';
import { useSession } from '../session/session.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { EstadoBadge } from '../ui/format/estado-badge.tsx';
import { fecha, fechaHora, money, number } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';
import classes from './details-dialog.module.css';

/** An order as any role receives it: what is not for the role's eyes is not there. */
export type PedidoVisible = PedidoDisponible & Partial<Pedido>;

type Props = {
  /** The order to show; undefined closes the dialog. */
  pedido: PedidoVisible | undefined;
  onClose: () => void;
  /** What can be done with it, at the foot. */
  actions?: ReactNode;
};

/** «Detalles del Pedido» (specification, section 2.16). */
export function DetalleDialog({ pedido, onClose, actions }: Props) {
  // Stays drawn while the dialog fades out.
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
      {shown && <Detalle pedido={shown} />}
      {actions && <div className={classes.actions}>{actions}</div>}
    </Dialog>
  );
}

function Detalle({ pedido: p }: { pedido: PedidoVisible }) {
  const prices = can(useSession(), 'pedido:prices') && p.precio_total !== undefined;
  return (
    <>
      <div className={classes.head}>
        <EstadoBadge estado={p.estado} />
        {prices && <span className={classes.total}>{money(p.precio_total)}</span>}
      </div>

      <Section title="Cliente">
        <Fact label="Nombre">{p.cliente_nombre}</Fact>
        <Fact label="Teléfono">
          {p.cliente_telefono && <Anchor href={`tel:${p.cliente_telefono.replace(/[^\d+]/g, '')}`}>{p.cliente_telefono}</Anchor>}
        </Fact>
        <Fact label="Dirección" wide>
          {p.cliente_direccion}
        </Fact>
        <Fact label="Piso / Puerta / Oficina">{p.cliente_direccion2}</Fact>
        <Fact label="Ciudad">{p.cliente_ciudad}</Fact>
        <Fact label="Provincia / Estado">{p.cliente_provincia}</Fact>
        <Fact label="Código Postal">{p.cliente_codigo_postal}</Fact>
        <Fact label="País">{p.cliente_pais}</Fact>
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

      {p.motivo && <Words title="Último intento fallido" text={p.motivo} />}
      {p.instrucciones && <Words title="Instrucciones especiales" text={p.instrucciones} />}
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

/** One line of a section; nothing when the order does not have it. */
function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={wide ? classes.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <section className={classes.section}>
      <Title order={3}>{title}</Title>
      <div className={classes.text}>{text}</div>
    </section>
  );
}
