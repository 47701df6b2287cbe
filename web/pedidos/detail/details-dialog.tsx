import { Stack } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { firmLabel } from '../../../contract/pedidos/metodos.ts';
import { getPedido, isWhole, type Pedido, type PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { can, mayEver } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import Returns from '../../devoluciones/returns.tsx';
import IvaOf from '../../iva/iva-fact.tsx';
import { useReadNotices } from '../../notifications/use-read-notices.ts';
import { useSession } from '../../session/session.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { type Fact, FactList, WIDE } from '../../ui/format/facts.tsx';
import { fecha, fechaHora, money, number } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import { MetadataSection } from '../../ui/page/metadata.tsx';
import { Section } from '../../ui/page/panel.tsx';
import { Lejos } from '../../zonas/lejos.tsx';
import type { PedidoDialogProps } from '../actions/actions.ts';
import { CustomerMessage } from '../actions/customer-message.tsx';
import { useWithdrawn, Withdrawn } from '../actions/withdrawn.tsx';
import { SaidOfCliente } from '../cliente/said.tsx';
import { Lines } from '../lineas/lines.tsx';
import { useLines } from '../lineas/use-lines.ts';
import { paidWords } from '../pagos/paid.tsx';
import { customerFacts, LONG, type PedidoVisible, Recipient } from './customer-facts.tsx';
import DeliveryProof from './delivery-proof.tsx';
import classes from './details-dialog.module.css';
import { SealedNotice } from './sealed-notice.tsx';
import { SituationBar } from './situation.tsx';
import { OrderTimeline } from './timeline.tsx';

type Props = {
  pedido: PedidoVisible | undefined;
  onClose: () => void;
  /** Situation with its steps, in place of the badge. */
  situation?: ReactNode;
  /** Buttons that stay visible at the bottom. */
  foot?: ReactNode;
};

export function DetailsDialog({ pedido, onClose, situation, foot }: Props) {
  useReadNotices(pedido?.id);
  return (
    <Dialog
      opened={!!pedido}
      onClose={onClose}
      title={
        <>
          Detalles del Pedido <span className={classes.number}>{pedido?.numero_orden}</span>
        </>
      }
    >
      {pedido && <Details pedido={pedido} situation={situation} />}
      {foot && <div className={classes.foot}>{foot}</div>}
    </Dialog>
  );
}

export type StepsProps = { pedido: Pedido; onAction: NonNullable<PedidoDialogProps['onAction']> };
type WholeProps = PedidoDialogProps & { Steps?: ComponentType<StepsProps> };

/** Details of an order for roles that see all of it, with its situation and steps. */
export function WholeDetails({ pedido: row, onClose, onAction = () => undefined, Steps = SituationBar }: WholeProps) {
  const { data } = useApi(getPedido, { params: { id: row?.id ?? '' } }, { enabled: !!row });
  const pedido = row && data && isWhole(data.data) ? data.data : row;
  const situation = pedido && (
    <Stack gap="xs" mb="md">
      <Steps pedido={pedido} onAction={onAction} />
    </Stack>
  );
  return <DetailsDialog pedido={pedido} onClose={onClose} situation={situation} />;
}

function Details({ pedido: p, situation }: { pedido: PedidoVisible; situation: ReactNode }) {
  const actor = useSession();
  const prices = can(actor, 'pedido:prices') && p.precio_total !== undefined;
  const withdrawn = useWithdrawn(p.id);
  const words = useSaid(p);
  const tracking = p.numero_seguimiento ? <TrackingLink numero={p.numero_seguimiento} url={p.seguimiento_url} /> : undefined;
  if (withdrawn && !withdrawn.kept) return <Withdrawn by={withdrawn.by} />;
  return (
    <>
      {withdrawn && <Withdrawn by={withdrawn.by} />}
      <SealedNotice pedido={p} />
      {situation}
      <div className={classes.head}>
        {!situation && <EstadoBadge estado={p.estado} />}
        {prices && <span className={classes.total}>{money(p.precio_total)}</span>}
        {p.contra_reembolso && !!p.por_cobrar && <span className={classes.total}>Cobrar {money(p.por_cobrar)}</span>}
        {prices && <CustomerMessage pedido={p} small />}
      </div>

      <Group title="Cliente" facts={customerFacts({ ...p, ...words })}>
        <Recipient pedido={{ ...p, ...words }} />
        <Lejos address={p} />
        <SaidOfCliente nota={words.cliente_nota} avisar_antes={words.avisar_antes} />
      </Group>

      <Ordered pedido={p} prices={prices} />
      {actor.iva && <IvaOf id={p.id} />}

      {p.estado === 'completado' && (
        <Group
          title="Envío"
          facts={[
            ['Núm. seguimiento', tracking ?? 'Sin información de seguimiento disponible'],
            ['Empresa de transporte', firmLabel(p.empresa_transporte)],
          ]}
        />
      )}

      <Group
        title="Fechas"
        facts={[
          ['Pedido', fechaHora(p.fecha_pedido)],
          ['Estimada', p.fecha_estimada && fecha(p.fecha_estimada)],
          ['Completado', p.fecha_completado && fechaHora(p.fecha_completado)],
        ]}
      />

      {p.aviso_cliente && <Words title={pedidoField('aviso_cliente').label} text={p.aviso_cliente} />}
      {p.motivo && <Words title={pedidoField('motivo').label} text={p.motivo} />}
      {LONG.map((name) => {
        const text = p[name];
        return (
          text && <Words key={name} title={name === 'instrucciones' ? 'Instrucciones especiales' : pedidoField(name).label} text={text} />
        );
      })}
      <MetadataSection metadata={p.metadata} className={classes.section} />
      {p.estado === 'completado' && <DeliveryProof id={p.id} />}
      {!!p.cantidad_devuelta && <Returns pedido={{ revendedor_id: null, ...p }} />}
      <OrderTimeline key={p.id} pedido={{ revendedor_id: null, ...p }} />
    </>
  );
}

/** A single line as facts, several lines as a table. */
function Ordered({ pedido: p, prices }: { pedido: PedidoVisible; prices: boolean }) {
  const known = useLines(p);
  const { precio_total, envio = 0, descuento = 0 } = p;
  const amounts = prices && precio_total !== undefined ? { precio_total, envio, descuento } : undefined;
  const paid: Fact = ['Pago', prices && paidOf(p)];
  if (!known) {
    const facts: Fact[] = [
      ['Producto', p.producto, WIDE],
      ['Cantidad', number(p.cantidad)],
      ['Precio unitario', prices && money(p.precio_unitario)],
      ['Envío', prices && envio > 0 && money(envio)],
      ['Descuento', prices && descuento > 0 && `−${money(descuento)}`],
      ['Total', prices && money(precio_total)],
      paid,
    ];
    return <Group title="Producto" facts={facts} />;
  }
  return (
    <Group title="Productos" facts={[paid]}>
      <Lines {...known} amounts={amounts} />
    </Group>
  );
}

const paidOf = ({
  por_reembolsar = 0,
  estado,
  precio_total,
  pagado,
  pendiente,
  contra_reembolso,
  transferencia_avisada_at = null,
  cobro_empresa = 0,
  cobro_en = null,
}: PedidoVisible) =>
  precio_total !== undefined &&
  pagado !== undefined &&
  pendiente !== undefined &&
  paidWords({
    por_reembolsar,
    estado,
    precio_total,
    pagado,
    pendiente,
    contra_reembolso,
    transferencia_avisada_at,
    cobro_empresa,
    cobro_en,
  });

const Group = ({ title, facts, children }: { title: string; facts: readonly Fact[]; children?: ReactNode }) => (
  <Section title={title} order={3} className={classes.section}>
    {children}
    <FactList of={facts} />
  </Section>
);

const Words = ({ title, text }: { title: string; text: string }) => (
  <Section title={title} order={3} className={classes.section}>
    <div className={classes.text}>{text}</div>
  </Section>
);

type Seen = PedidoDisponible & Partial<Pick<Pedido, 'cliente_nota' | 'avisar_antes' | 'cliente_id'>>;

/** Note, badge and id of an order's customer, fetched if missing in the list. */
function useSaid(pedido: Seen): Pick<Seen, 'cliente_nota' | 'avisar_antes' | 'cliente_id'> {
  const actor = useSession();
  const missing = pedido.avisar_antes === undefined && mayEver(actor, 'cliente:read');
  const read: Seen | undefined = useApi(getPedido, { params: { id: pedido.id } }, { enabled: missing }).data?.data;
  const { cliente_nota, avisar_antes, cliente_id } = missing ? (read ?? {}) : pedido;
  return { cliente_nota, avisar_antes, cliente_id };
}
