import { listPedidos } from '../contract/pedidos/pedidos.ts';
import { connectAs } from '../e2e/api.ts';
import { ADMIN } from './people.ts';

/** Returns the path of the payment page of an unpaid order. */
export async function unpaidPage(url: string): Promise<string> {
  const admin = await connectAs(url, ADMIN);
  const unpaid = (await admin.call(listPedidos, { query: { estado: 'pendiente_pago', per_page: 1 } })).body.data[0];
  return unpaid && 'payment_link' in unpaid ? new URL(unpaid.payment_link ?? '', url).pathname : '/pagar/x';
}
