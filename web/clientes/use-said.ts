import { getPedido, type Pedido, type PedidoDisponible } from '../../contract/pedidos.ts';
import { mayEver } from '../../contract/policy.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';

type Seen = PedidoDisponible & Partial<Pick<Pedido, 'cliente_nota' | 'avisar_antes' | 'cliente_id'>>;

/** What is said about the customer of an order, and who they are: read once more where a list had not brought it. */
export function useSaid(pedido: Seen): Pick<Seen, 'cliente_nota' | 'avisar_antes' | 'cliente_id'> {
  const actor = useSession();
  const missing = pedido.avisar_antes === undefined && mayEver(actor, 'cliente:read');
  const read: Seen | undefined = useApi(getPedido, { params: { id: pedido.id } }, { enabled: missing }).data?.data;
  const { cliente_nota, avisar_antes, cliente_id } = missing ? (read ?? {}) : pedido;
  return { cliente_nota, avisar_antes, cliente_id };
}
