import { number } from '../../ui/format/format.ts';
import { pedidos } from '../table/use-selection.ts';
import { type Company, Sender } from './sender.tsx';
import classes from './sheet.module.css';
import type { Pick } from './sheets.ts';

type Props = { picks: readonly Pick[]; orders: number; today: string; company: Company };

/** Picking list for the chosen orders: units of each product. */
export const Picking = ({ picks, orders, today, company }: Props) => (
  <article className={`${classes.sheet} ${classes.long}`} aria-labelledby="picking">
    <div className={classes.head}>
      <div>
        <p className={classes.label}>
          {today} · {pedidos(orders)}
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
  </article>
);
