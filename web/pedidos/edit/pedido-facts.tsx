import { Input, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { PEDIDO_FIELDS, pedidoLabel } from '../../../contract/pedidos/fields.ts';
import { companyLabel } from '../../../contract/pedidos/metodos.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { IvaFact } from '../../iva/iva-fact.tsx';
import { GrowingTextarea } from '../../ui/form/growing-textarea.tsx';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { fecha, fechaHora, money, number } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import { Lines } from '../lineas/lines.tsx';
import { useLines } from '../lineas/use-lines.ts';
import { paidWords } from '../pagos/paid.tsx';
import classes from './pedido-form.module.css';

type Props = { pedido: Pedido };

/** Read-only facts at the top of an order's form (specification, section 2.8). `promised` is an input that replaces the promised date. */
export const FixedFacts = ({ pedido, promised }: Props & { promised?: ReactNode }) => (
  <div className={classes.fixed}>
    <Fixed label="Número de orden" value={pedido.numero_orden} />
    <EstadoFact pedido={pedido} />
    <Ordered pedido={pedido} />
    <Recorded pedido={pedido} promised={promised} />
  </div>
);

export const OrderedFacts = ({ pedido }: Props) => (
  <div className={classes.facts}>
    <Ordered pedido={pedido} />
  </div>
);

export const RecordedFacts = ({ pedido }: Props) => (
  <div className={classes.facts}>
    <Fixed label="Número de orden" value={pedido.numero_orden} />
    <Recorded pedido={pedido} />
  </div>
);

export const EstadoFact = ({ pedido }: Props) => (
  <Input.Wrapper label="Estado" labelElement="div" classNames={{ label: classes.label }}>
    <div className={classes.badge}>
      <EstadoBadge estado={pedido.estado} />
    </div>
  </Input.Wrapper>
);

function Ordered({ pedido }: Props) {
  const { envio, descuento } = pedido;
  const known = useLines(pedido);
  return (
    <>
      {known ? (
        <div className={classes.all}>
          <Lines {...known} amounts={pedido} />
        </div>
      ) : (
        <>
          <FixedText label="Producto" value={pedido.producto} className={classes.wide} />
          <TextInput label="Cantidad" value={number(pedido.cantidad)} disabled variant="unstyled" />
          <Fixed label="Precio unitario" value={money(pedido.precio_unitario)} />
          {envio > 0 && <Fixed label="Envío" value={money(envio)} />}
          {descuento > 0 && <Fixed label="Descuento" value={`−${money(descuento)}`} />}
          <Fixed label="Total" value={money(pedido.precio_total)} />
        </>
      )}
      {pedido.iva && <IvaFact pedido={pedido} className={classes.all} />}
      {pedido.contra_reembolso && <Fixed label="Forma de pago" value={PEDIDO_FIELDS.contra_reembolso.label} />}
      <FixedText label="Pagado" value={paidWords(pedido)} />
      {pedido.cantidad_devuelta > 0 && (
        <Fixed label="Devuelto" value={`${number(pedido.cantidad_devuelta)} de ${number(pedido.cantidad)}`} />
      )}
      {pedido.reembolsado > 0 && <Fixed label="Reembolsado" value={money(pedido.reembolsado)} />}
    </>
  );
}

function Recorded({ pedido, promised }: Props & { promised?: ReactNode }) {
  const { metodo_entrega, fecha_estimada } = pedido;
  return (
    <>
      <Fixed label="Fecha de pedido" value={fechaHora(pedido.fecha_pedido)} />
      {promised || <Fixed label="Fecha estimada" value={fecha_estimada && fecha(fecha_estimada)} />}
      <Fixed label="Revendedor" value={pedido.revendedor_nombre} wide />
      <Fixed label="Transportista" value={pedido.transportista_nombre ?? 'Sin asignar'} wide />
      <Fixed label="Empresa" value={pedido.empresa_transporte && companyLabel(pedido.empresa_transporte)} />
      {metodo_entrega && <Fixed label="Método de entrega" value={companyLabel(metodo_entrega)} />}
      {metodo_entrega && <Seguimiento pedido={pedido} />}
      {pedido.fecha_completado && <Fixed label="Fecha de entrega" value={fechaHora(pedido.fecha_completado)} wide />}
      <FixedText label={pedidoLabel('aviso_cliente')} value={pedido.aviso_cliente} className={classes.wide} />
    </>
  );
}

function Seguimiento({ pedido: { numero_seguimiento, seguimiento_url } }: { pedido: Pedido }) {
  if (!numero_seguimiento || !seguimiento_url) return <Fixed label="Seguimiento" value={numero_seguimiento ?? 'Sin seguimiento'} wide />;
  return (
    <Input.Wrapper label="Seguimiento" labelElement="div" classNames={{ label: classes.label }} className={classes.two}>
      <Text size="sm" component="div" className={classes.badge}>
        <TrackingLink numero={numero_seguimiento} url={seguimiento_url} />
      </Text>
    </Input.Wrapper>
  );
}

type FixedProps = { label: string; value: string | null | undefined };

// Renders nothing for a field without a value.
const FixedText = ({ label, value, className }: FixedProps & { className?: string | undefined }) =>
  value && <GrowingTextarea label={label} value={value} readOnly variant="unstyled" minRows={1} className={className} />;

const Fixed = ({ label, value, wide = false }: FixedProps & { wide?: boolean }) =>
  value && <TextInput label={label} value={value} title={value} readOnly variant="unstyled" className={wide ? classes.two : undefined} />;
