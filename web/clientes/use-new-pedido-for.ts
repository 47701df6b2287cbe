import { useNavigate } from '@tanstack/react-router';
import type { Cliente } from '../../contract/clientes/clientes.ts';
import { can } from '../../contract/policy/policy.ts';
import { newKey } from '../keys.ts';
import { clienteFilled } from '../pedidos/cliente/cliente-values.ts';
import { EMPTY, keepDraft } from '../pedidos/create/draft.ts';
import { mayReplaceDraft } from '../pedidos/create/replace-draft.ts';
import { useSession } from '../session/session.ts';

/** Opens the new order form for a customer; asks before replacing a reseller's draft. */
export function useNewPedidoFor() {
  const actor = useSession();
  const navigate = useNavigate();
  return async (cliente: Cliente) => {
    if (can(actor, 'pedido:create-free')) return navigate({ to: '/pedidos/nuevo-admin', search: { cliente: cliente.id } });
    if (!(await mayReplaceDraft(actor.id))) return;
    keepDraft(actor.id, { key: newKey(), values: { ...EMPTY, ...clienteFilled(EMPTY, cliente) } });
    return navigate({ to: '/pedidos/nuevo' });
  };
}
