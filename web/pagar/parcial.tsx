import type { MotivoParte } from '../../contract/devoluciones/fields.ts';
import type { PagoPublico } from '../../contract/pagar/pagar.ts';
import { plural } from '../../contract/text/plural.ts';
import { money, number } from '../ui/format/format.ts';
import { PagarSection } from './parts.tsx';

type Of = NonNullable<PagoPublico['parcial']>;

/** Spanish reasons from the customer's point of view, singular and plural. */
const WHY: Record<MotivoParte, readonly [string, string]> = {
  rechazado: ['no lo quisiste', 'no los quisiste'],
  falta: ['no venía', 'no venían'],
  danado: ['estaba dañado', 'estaban dañados'],
};
const reason = ({ cantidad, motivo }: Of['lineas'][number]['faltan'][number]) => plural(cantidad, ...WHY[motivo]);

/** Partial delivery: delivered and undelivered goods by line, and the state of the money for undelivered goods. */
export function Parcial({ of: { lineas, resto, ...amounts } }: { of: Of }) {
  return (
    <PagarSection id="entregado" title="Lo que se ha entregado">
      <dl className="facts">
        {lineas.map(({ producto, pedidas, faltan }, i) => {
          const came = pedidas - faltan.reduce((sum, { cantidad }) => sum + cantidad, 0);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no id here
            <div key={i} className="line">
              <dt>
                {producto}
                {faltan.length > 0 && <p className="small dimmed">{faltan.map(reason).join(' · ')}</p>}
              </dt>
              <dd>
                {number(came)} de {number(pedidas)}
              </dd>
            </div>
          );
        })}
      </dl>
      {moneyWords(amounts).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {resto && (
        <p>
          {resto.cancelado ? 'El pedido que traía lo que falta se ha cancelado: ' : 'Lo que falta te llega en otro pedido: '}
          <a href={resto.url}>{resto.numero_orden}</a>
          {amounts.pasado > 0 && !resto.cancelado && `. Ya está pagado con ${money(amounts.pasado)} de este.`}
        </p>
      )}
    </PagarSection>
  );
}

/** Sentences on the money of undelivered goods; none for goods without a price. */
const moneyWords = ({ valor, sin_pagar, por_devolver, devuelto }: Omit<Of, 'lineas' | 'resto'>): string[] =>
  [
    sin_pagar > 0 &&
      (sin_pagar === valor ? `No se te cobra: ${money(valor)} menos.` : `De lo que falta no se te cobran ${money(sin_pagar)}.`),
    por_devolver > 0 && `Te devolvemos ${money(por_devolver)} de lo que ya habías pagado.`,
    devuelto > 0 && `Te hemos devuelto ${money(devuelto)}.`,
  ].filter((sentence) => sentence !== false);
