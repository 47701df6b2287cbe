import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { money } from '../../ui/format/format.ts';
import classes from './lineas.module.css';
import { type Ordered, parseEuros, sumLines } from './values.ts';

type Props = { pedido: Pedido; ordered: readonly Ordered[]; envio: string; descuento: string };

/** Shows the new total of the order, the stored total if different, and the effect on the payment. */
export function NewTotal({ pedido, ordered, envio, descuento }: Props) {
  const lines = sumLines(ordered);
  const [shipping, discount] = [amountOf(envio), amountOf(descuento)];
  const known = lines !== undefined && shipping !== undefined && discount !== undefined;
  const total = known ? Math.round((lines + shipping - discount) * 100) / 100 : undefined;
  const negative = total !== undefined && total < 0;
  const meaning = total === undefined || negative ? undefined : totalMeaning(pedido, total);
  const words = negative ? 'El descuento no puede superar el importe del pedido.' : meaning?.words;
  return (
    <div aria-live="polite">
      <dl className={classes.amounts}>
        {(!!shipping || !!discount) && <Amount label="Productos" amount={lines} />}
        {!!shipping && <Amount label="Envío" amount={shipping} />}
        {!!discount && <Amount label="Descuento" amount={-discount} />}
        <dt className={classes.total}>Total</dt>
        <dd className={classes.total}>
          {total !== undefined && total !== pedido.precio_total && (
            <Text component="span" c="dimmed" mr="xs">
              antes {money(pedido.precio_total)}
            </Text>
          )}
          {money(negative ? undefined : total)}
        </dd>
      </dl>
      {words && (
        <Text fw={600} c={negative || meaning?.refused ? 'var(--mantine-color-error)' : undefined}>
          {words}
        </Text>
      )}
    </div>
  );
}

const amountOf = (typed: string) => (typed.trim() === '' ? 0 : parseEuros(typed));

const Amount = ({ label, amount }: { label: string; amount: number | undefined }) => (
  <>
    <dt>{label}</dt>
    <dd>{money(amount)}</dd>
  </>
);

type Paid = Pick<Pedido, 'estado' | 'pagado' | 'precio_total'>;

/** Spanish words for the effect of a new total in euros on an order with payments; undefined if there is none. */
export function totalMeaning({ estado, pagado, precio_total }: Paid, total: number): { words: string; refused?: true } | undefined {
  const cents = Math.round(total * 100) - Math.round(pagado * 100);
  if (pagado === 0 || total === precio_total) return undefined;
  if (cents === 0) return { words: `Queda pagado: ya hay ${money(pagado)} pagados.` };
  if (cents > 0) return { words: `Ya hay ${money(pagado)} pagados: faltarán ${money(cents / 100)} por cobrar.` };
  if (estado === 'pendiente_pago') return { words: `Ya se han pagado ${money(pagado)}: el total no puede ser menos.`, refused: true };
  return { words: `Ya hay ${money(pagado)} pagados: sobrarán ${money(-cents / 100)}, que habrá que reembolsar al cliente.` };
}
