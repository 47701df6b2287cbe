import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { companyLabel } from '../../contract/pedidos/metodos.ts';
import { plural } from '../../contract/text/plural.ts';
import { type Fact, Facts } from '../ui/format/facts.tsx';
import { fecha, fechaCercana, money, number } from '../ui/format/format.ts';
import { isAnnounced } from './message.ts';
import { PagarSection } from './parts.tsx';

export function PagarSummary({ pago }: { pago: PagoPublico }) {
  const { lineas, envio, descuento, parcial } = pago;
  const missing = parcial?.valor ?? 0;
  // The amount of a single line equals the total, so no sum is shown.
  const adds = lineas.length > 1 || envio > 0 || descuento > 0 || missing > 0;
  const pictured = lineas.some(({ imagen }) => imagen);
  const facts: Fact[] = [
    ['Pedido', pago.numero_orden],
    ['A nombre de', pago.cliente_nombre],
    [
      'Producto',
      !adds && (
        <>
          {pictured && <Picture of={lineas[0]?.imagen} name={pago.producto} />}
          {pago.producto}
        </>
      ),
    ],
    ['Cantidad', !adds && plural(pago.cantidad, 'pack')],
    ['Se entrega en', pago.direccion],
    ['Llega', !isAnnounced(pago) && pago.fecha_si_paga && `El ${fechaCercana(pago.fecha_si_paga)}, si se paga hoy`],
    ['Fecha', fecha(pago.fecha_pedido)],
    ['Entregado con', pago.metodo_entrega && companyLabel(pago.metodo_entrega)],
    ['Núm. seguimiento', pago.numero_seguimiento && <Tracking numero={pago.numero_seguimiento} url={pago.seguimiento_url} />],
  ];
  return (
    <PagarSection id="pedido" title="Tu pedido">
      <dl className="facts">
        <Facts of={facts} />
        {adds &&
          lineas.map(({ producto, cantidad, precio_total, imagen }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no id here
            <div key={i} className="line">
              <dt>
                {pictured && <Picture of={imagen} name={producto} />}
                <span>
                  {number(cantidad)} × {producto}
                </span>
              </dt>
              <dd>{money(precio_total)}</dd>
            </div>
          ))}
        {envio > 0 && <Amount label="Envío" of={money(envio)} />}
        {descuento > 0 && <Amount label="Descuento" of={`−${money(descuento)}`} />}
        {/* Omits a total that only repeats the amount due above. */}
        {(adds || pago.pendiente !== pago.total) && <Amount label="Total" of={money(pago.total)} className="total" />}
        {missing > 0 && (
          <>
            <Amount label="No entregado" of={`−${money(missing)}`} />
            <Amount label="Total de lo entregado" of={money(minus(pago.total, missing))} className="total" />
          </>
        )}
        {pago.pendiente > 0 && pago.pagado > 0 && <Amount label="Ya pagado" of={money(pago.pagado)} />}
      </dl>
    </PagarSection>
  );
}

const Picture = ({ of, name }: { of: string | undefined; name: string }) =>
  of ? (
    <img className="goods" src={of} alt="" width={40} height={40} />
  ) : (
    <span className="goods" aria-hidden="true">
      {name.charAt(0).toUpperCase()}
    </span>
  );

const Tracking = ({ numero, url }: { numero: string; url: string | null }) =>
  url ? (
    <a href={url} target="_blank" rel="noreferrer" aria-label={`Seguir el envío ${numero}`}>
      {numero}
    </a>
  ) : (
    numero
  );

const Amount = ({ label, of, className }: { label: string; of: string; className?: string | undefined }) => (
  <div className={className}>
    <dt>{label}</dt>
    <dd>{of}</dd>
  </div>
);

/** Difference of two amounts in euros, without rounding errors. */
const minus = (total: number, part: number) => (Math.round(total * 100) - Math.round(part * 100)) / 100;
