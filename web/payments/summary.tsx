import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PagoPublico } from '../../contract/payments.ts';
import { companyLabel } from '../../contract/pedidos.flow.ts';
import { fecha, money, number } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';
import classes from './pagar.module.css';

export function Summary({ pago }: { pago: PagoPublico }) {
  const facts: [label: string, value: ReactNode][] = [
    ['Pedido', pago.numero_orden],
    ['A nombre de', pago.cliente_nombre],
    ['Producto', pago.producto],
    ['Cantidad', number(pago.cantidad)],
    ['Fecha', fecha(pago.fecha_pedido)],
    ['Entregado con', pago.metodo_entrega && companyLabel(pago.metodo_entrega)],
    ['Núm. seguimiento', pago.numero_seguimiento && <TrackingLink numero={pago.numero_seguimiento} url={pago.seguimiento_url} />],
  ];
  return (
    <section className={classes.block} aria-labelledby="resumen">
      <Title order={2} id="resumen">
        Tu pedido
      </Title>
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        <div className={classes.total}>
          <dt>Total</dt>
          <dd>{money(pago.total)}</dd>
        </div>
      </dl>
    </section>
  );
}
