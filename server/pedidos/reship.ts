import type { EditableField } from '../../contract/pedidos.fields.ts';
import { ZONAS, zonaOf } from '../../contract/zonas.ts';
import type { Tx } from '../db/open.ts';
import { inEuros, toCents } from '../kit/money.ts';
import { readSettings } from '../settings/settings.ts';
import { shippingTo } from './price.ts';
import type { PedidoRow } from './row.ts';

type Address = Partial<Record<EditableField, string | null>>;
type Reshipped = {
  set: { envio_cents?: number; precio_total_cents?: number };
  /** Explanation for the author; undefined if shipping does not change. */
  means: string | undefined;
};

/** Effect of a new address on shipping, in cents. Unpaid orders get the new zone's price, unless set by hand; paid ones keep theirs. */
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
