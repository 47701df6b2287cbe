import { addressLine } from '../../../contract/text/address.ts';
import { plural } from '../../../contract/text/plural.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { Picture } from '../../products/picture.tsx';
import { money, number } from '../../ui/format/format.ts';
import { lineWords } from '../summary.ts';
import { Collect, type Company, Sender } from './parts.tsx';
import classes from './sheet.module.css';
import { type Pick, type Printed, type Route, sumCollected, toCollect } from './sheets.ts';

type Props = { route: Route; today: string; company: Company };

const driverWords = ({ avisar_antes, cliente_nota }: Route['stops'][number]) =>
  [avisar_antes && 'AVISAR ANTES', cliente_nota].filter(Boolean).join(' · ');

export function RouteSheet({ route: { carrier, stops }, today, company }: Props) {
  const whose = carrier ?? 'Sin asignar';
  const { orders, total } = sumCollected(stops);
  return (
    <article className={`${classes.sheet} ${classes.long}`} aria-label={`Hoja de ruta: ${whose}`}>
      <div className={classes.head}>
        <div>
          <p className={classes.label}>
            Hoja de ruta · {today} · {plural(stops.length, 'parada')}
          </p>
          <h2>{whose}</h2>
          {total > 0 && (
            <p className={classes.name}>
              Cobrar {money(total)} en {plural(orders.length, 'parada')}
            </p>
          )}
        </div>
        <Sender company={company} />
      </div>
      <table>
        <thead>
          <tr>
            <th className={`${classes.narrow} ${classes.postcode}`}>C. P.</th>
            <th className={classes.who}>Cliente y dirección</th>
            <th>Pedido</th>
            <th className={classes.narrow}>Hecho</th>
          </tr>
        </thead>
        <tbody>
          {stops.map((stop) => (
            <tr key={stop.id}>
              <td className={`${classes.narrow} ${classes.postcode}`}>{stop.cliente_codigo_postal}</td>
              <td>
                <p className={classes.name}>{stop.cliente_nombre}</p>
                <p>{addressLine(stop)}</p>
                <p>
                  {[stop.cliente_telefono && `Tel. ${telephoneWords(stop.cliente_telefono)}`, stop.franja_horaria]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
                {driverWords(stop) && <p>{driverWords(stop)}</p>}
                {stop.instrucciones && <p>{stop.instrucciones}</p>}
                {stop.aviso_cliente && <p>El cliente pide: {stop.aviso_cliente}</p>}
              </td>
              <td>
                <p>{stop.numero_orden}</p>
                <Collect of={stop} />
                {stop.lineas.map((line) => (
                  <p key={line.numero}>{lineWords(line)}</p>
                ))}
              </td>
              <td className={classes.narrow}>
                <span className={classes.tick} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

type PickingProps = { picks: readonly Pick[]; pedidos: readonly Printed[]; today: string; company: Company };

/** Picking list of the chosen orders: units of each product, and orders paid on delivery. */
export const Picking = ({ picks, pedidos, today, company }: PickingProps) => (
  <article className={`${classes.sheet} ${classes.long}`} aria-labelledby="picking">
    <div className={classes.head}>
      <div>
        <p className={classes.label}>
          {today} · {plural(pedidos.length, 'pedido')}
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
        {picks.map(({ product, picture, packs, unidades }) => (
          <tr key={product}>
            <td className={classes.name}>
              <div className={classes.goods}>
                {picks.some((pick) => pick.picture) && <Picture of={picture} name={product} size={40} />}
                {product}
              </div>
            </td>
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
    <Collected {...sumCollected(pedidos)} />
  </article>
);

/** Orders paid on delivery with their amounts, so that the carrier can take change along. */
function Collected({ orders, total }: ReturnType<typeof sumCollected<Printed>>) {
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
