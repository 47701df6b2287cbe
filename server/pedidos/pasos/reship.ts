import { EFECTIVO_LIMITE, overCash } from '../../../contract/pedidos/contra-reembolso.ts';
import type { EditableField } from '../../../contract/pedidos/fields.ts';
import { ZONAS, zonaOf } from '../../../contract/zonas/zonas.ts';
import type { Db, Tx } from '../../db/open.ts';
import { invalid } from '../../kit/errors.ts';
import { inEuros, toCents } from '../../kit/money.ts';
import { readSettings } from '../../settings/settings.ts';
import type { PedidoRow } from '../lectura/row.ts';
import { shippingTo } from '../lineas/price.ts';

export type Address = Partial<Record<EditableField, string | null>>;
type Reshipped = {
  set: { envio_cents?: number; precio_total_cents?: number };
  /** Explanation for the author; undefined if shipping does not change. */
  means: string | undefined;
};

/** Returns the effect of a new address on shipping, in cents; paid orders and prices set by hand stay. Throws 422: cash limit. */
export async function repriceShipping(tx: Db | Tx, row: PedidoRow, address: Address): Promise<Reshipped> {
  const [before, zona] = [zonaOf(row), zonaOf({ ...row, ...address })];
  if (before === zona) return { set: {}, means: undefined };
  const envio = shippingTo(await readSettings(tx), { ...row, ...address });
  if (envio === undefined)
    return { set: {}, means: `no hay tarifa de envío a ese país, y el pedido sigue con ${inEuros(row.envio_cents)}` };
  const envio_cents = toCents(envio);
  const more = envio_cents - row.envio_cents;
  if (more === 0) return { set: {}, means: undefined };
  const costs = `el envío a ${zona ? ZONAS[zona].label : 'ese país'} cuesta ${inEuros(envio_cents)}`;
  if (row.envio_fijado) return { set: {}, means: `${costs}, y el pedido sigue con los ${inEuros(row.envio_cents)} acordados` };
  const precio_total_cents = row.precio_total_cents + more;
  if (row.pendiente_cents === 0 || precio_total_cents < row.pagado_cents)
    return { set: {}, means: `${costs}, y el pedido, que ya está pagado, sigue con ${inEuros(row.envio_cents)}` };
  if (row.contra_reembolso && overCash(precio_total_cents)) throw invalid('cliente_codigo_postal', EFECTIVO_LIMITE);
  return { set: { envio_cents, precio_total_cents }, means: `${costs} y el total es ahora ${inEuros(precio_total_cents)}` };
}
