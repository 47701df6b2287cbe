import type { EditableField } from '../../contract/pedidos.fields.ts';
import { ZONAS, zonaOf } from '../../contract/zonas.ts';
import type { Tx } from '../db/open.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { readSettings } from '../settings/settings.ts';
import { shippingTo } from './price.ts';
import type { PedidoRow } from './row.ts';

type Address = Partial<Record<EditableField, string | null>>;
type Reshipped = {
  /** What to write with the new address. */
  set: { envio_cents?: number; precio_total_cents?: number };
  /** What to tell whoever changes it; undefined when nothing of it matters. */
  means: string | undefined;
};

/**
 * What another address means for the shipping of an order, in cents. In another zone an unpaid order costs what the settings
 * say of that zone, unless somebody set its shipping. A paid one keeps its total, and so does one of which more is paid than
 * it would cost: then only what it means is told.
 */
export async function reship(tx: Tx, row: PedidoRow, address: Address): Promise<Reshipped> {
  const [before, zona] = [zonaOf(row), zonaOf({ ...row, ...address })];
  if (before === zona) return { set: {}, means: undefined };
  const envio_cents = toCents(shippingTo(await readSettings(tx), { ...row, ...address }));
  const more = envio_cents - row.envio_cents;
  if (more === 0) return { set: {}, means: undefined };
  const costs = `el envío a ${zona ? ZONAS[zona].label : 'ese país'} cuesta ${inEuros(envio_cents)}`;
  if (row.envio_fijado) return { set: {}, means: `${costs}, y el pedido sigue con los ${inEuros(row.envio_cents)} acordados` };
  const precio_total_cents = row.precio_total_cents + more;
  if (row.estado !== 'pendiente_pago' || precio_total_cents < row.pagado_cents)
    return { set: {}, means: `${costs}, y el pedido, que ya está pagado, sigue con ${inEuros(row.envio_cents)}` };
  return { set: { envio_cents, precio_total_cents }, means: `${costs} y el total es ahora ${inEuros(precio_total_cents)}` };
}
