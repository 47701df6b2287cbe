import type { PedidoTransportista } from '../../../contract/pedidos/pedidos.ts';
import { money } from '../../ui/format/format.ts';
import classes from './sheet.module.css';
import { toCollect } from './sheets.ts';

/** Amount that the carrier collects at the door; renders nothing if nothing is due. */
export function Collect({ of }: { of: Pick<PedidoTransportista, 'por_cobrar' | 'contra_reembolso'> }) {
  const due = toCollect(of);
  if (due === 0) return null;
  return <p className={classes.collect}>Cobrar {money(due)}</p>;
}
