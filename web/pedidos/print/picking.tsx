import { money, number } from '../../ui/format/format.ts';
import { pedidos as countLabel } from '../table/use-selection.ts';
import { type Company, Sender } from './sender.tsx';
import classes from './sheet.module.css';
import { collectedOf, type Pick, type Printed, toCollect } from './sheets.ts';

type Props = { picks: readonly Pick[]; pedidos: readonly Printed[]; today: string; company: Company };

/** Picking list of the chosen orders: units of each product, and orders paid on delivery. */
export const Picking = ({ picks, pedidos, today, company }: Props) => (
  <article className={`${classes.sheet} ${classes.long}`} aria-labelledby="picking">
    <div className={classes.head}>
      <div>
        <p className={classes.label}>
          {today} · {countLabel(pedidos.length)}
        </p>
        <h2 id="picking">Lista de preparación</h2>
      </div>
      <Sender company={company} />
    </div>
    <table>
      <thead>
        <tr>
          <th>Producto</th>
          <th>Packs</th>
          <th className={classes.units}>Unidades</th>
          <th className={classes.narrow}>Hecho</th>
        </tr>
      </thead>
      <tbody>
        {picks.map(({ product, packs, unidades }) => (
          <tr key={product}>
            <td className={classes.name}>{product}</td>
            <td>
              {packs.map(({ name, cantidad }) => (
                <p key={name}>
                  {number(cantidad)} × {name}
                </p>
              ))}
            </td>
            <td className={classes.units}>{number(unidades)}</td>
            <td className={classes.narrow}>
              <span className={classes.tick} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <Collected {...collectedOf(pedidos)} />
  </article>
);

/** Orders paid on delivery with their amounts, so that the carrier can take change along. */
function Collected({ orders, total }: ReturnType<typeof collectedOf<Printed>>) {
  if (total === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th>Se cobra al entregar</th>
          <th>Cliente</th>
          <th className={classes.units}>{money(total)}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((pedido) => (
          <tr key={pedido.id}>
            <td>{pedido.numero_orden}</td>
            <td>{pedido.cliente_nombre}</td>
            <td className={classes.units}>{money(toCollect(pedido))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
