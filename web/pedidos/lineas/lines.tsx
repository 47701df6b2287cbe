import { Skeleton, Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { Picture } from '../../products/picture.tsx';
import { money, number } from '../../ui/format/format.ts';
import classes from './lines.module.css';
import type { SeenLine } from './use-lines.ts';

type Props = {
  lines: readonly SeenLine[];
  /** Number of lines still loading. */
  coming: number;
  /** Amounts of the order, for roles that see prices. */
  amounts?: Pick<Pedido, 'envio' | 'descuento' | 'precio_total'> | undefined;
  /** What became of a line, as a note below its name. */
  became?: (line: SeenLine) => string;
  /** Sums below the total: what is paid, due, or to refund. */
  sums?: readonly SumProps[];
};

export const Lines = ({ lines, coming, amounts, became, sums = [] }: Props) => (
  <table className={classes.lines} data-priced={!!amounts || undefined} aria-label="Líneas del pedido" aria-busy={coming > 0 || undefined}>
    <thead>
      <tr>
        <th>Producto</th>
        <th>Cantidad</th>
        {amounts && <th>Precio unitario</th>}
        {amounts && <th>Importe</th>}
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr key={line.numero}>
          <td>
            <div className={classes.goods}>
              {lines.some(({ imagen }) => imagen) && <Picture of={line.imagen} name={line.producto} size={40} />}
              <div>
                {line.producto}
                {amounts && line.precio_unitario !== undefined && (
                  <span className={classes.each}>
                    {number(line.cantidad)} × {money(line.precio_unitario)}
                  </span>
                )}
                {became && <Text variant="detail">{became(line)}</Text>}
              </div>
            </div>
          </td>
          <td>{number(line.cantidad)}</td>
          {amounts && <td>{money(line.precio_unitario)}</td>}
          {amounts && <td>{money(line.precio_total)}</td>}
        </tr>
      ))}
      {Array.from({ length: coming }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
        <tr key={i}>
          <td colSpan={amounts ? 4 : 2}>
            <Skeleton h="1.25rem" />
          </td>
        </tr>
      ))}
    </tbody>
    {amounts && (
      <tfoot>
        {amounts.envio > 0 && <Sum label="Envío" amount={money(amounts.envio)} />}
        {amounts.descuento > 0 && <Sum label="Descuento" amount={`−${money(amounts.descuento)}`} />}
        <Sum label="Total" amount={money(amounts.precio_total)} strong />
        {sums.map((sum) => (
          <Sum key={sum.label} {...sum} />
        ))}
      </tfoot>
    )}
  </table>
);

type SumProps = { label: string; amount: string; strong?: boolean };

const Sum = ({ label, amount, strong }: SumProps) => (
  <tr data-strong={strong || undefined}>
    <th scope="row">{label}</th>
    <td colSpan={3}>{amount}</td>
  </tr>
);
