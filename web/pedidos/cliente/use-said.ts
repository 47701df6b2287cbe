import { getPedido, type Pedido, type PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { mayEver } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';

type Seen = PedidoDisponible & Partial<Pick<Pedido, 'cliente_nota' | 'avisar_antes' | 'cliente_id'>>;

/** Notes on an order's customer, fetched if the list did not include them. */
export function useSaid(pedido: Seen): Pick<Seen, 'cliente_nota' | 'avisar_antes' | 'cliente_id'> {
  const actor = useSession();
  const missing = pedido.avisar_antes === undefined && mayEver(actor, 'cliente:read');
  const read: Seen | undefined = useApi(getPedido, { params: { id: pedido.id } }, { enabled: missing }).data?.data;
  const { cliente_nota, avisar_antes, cliente_id } = missing ? (read ?? {}) : pedido;
  return { cliente_nota, avisar_antes, cliente_id };
}
