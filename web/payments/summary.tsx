import type { PagoPublico } from '../../contract/pagar.ts';
import { companyLabel } from '../../contract/pedidos.flow.ts';
import { type Fact, Facts } from '../ui/format/facts.tsx';
import { fecha, money, number } from '../ui/format/format.ts';
import { TrackingLink } from '../ui/format/tracking-link.tsx';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

export function Summary({ pago }: { pago: PagoPublico }) {
  const facts: Fact[] = [
    ['Pedido', pago.numero_orden],
    ['A nombre de', pago.cliente_nombre],
    ['Producto', pago.producto],
    ['Cantidad', number(pago.cantidad)],
    ['Fecha', fecha(pago.fecha_pedido)],
    ['Entregado con', pago.metodo_entrega && companyLabel(pago.metodo_entrega)],
    ['Núm. seguimiento', pago.numero_seguimiento && <TrackingLink numero={pago.numero_seguimiento} url={pago.seguimiento_url} />],
  ];
  return (
    <Section title="Tu pedido" className={classes.block}>
      <dl className={classes.facts}>
        <Facts of={facts} />
        {pago.pendiente > 0 && pago.pendiente < pago.total && (
          <div>
            <dt>Ya pagado</dt>
            <dd>{money((Math.round(pago.total * 100) - Math.round(pago.pendiente * 100)) / 100)}</dd>
          </div>
        )}
        {/* What is due stands above: the same once more would only be compared. */}
        {pago.pendiente !== pago.total && (
          <div className={classes.total}>
            <dt>Total</dt>
            <dd>{money(pago.total)}</dd>
          </div>
        )}
      </dl>
    </Section>
  );
}
