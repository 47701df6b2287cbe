import { useNavigate } from '@tanstack/react-router';
import type { Pedido } from '../../../contract/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { clienteFrom } from '../cliente-values.ts';
import { EMPTY, hasContent, keepDraft, newKey, readDraft } from '../new/draft.ts';

const REPLACE = {
  title: 'Sustituir el borrador',
  message: 'Dejaste un pedido a medias en «Nuevo Pedido»: se perderá lo que escribiste.',
  confirm: 'Sustituir el borrador',
  danger: true,
};

/** Opens «Nuevo Pedido» filled in with an order, in the place of a draft if the person agrees. */
export function useRepeat() {
  const { id } = useSession();
  const navigate = useNavigate();
  return async (pedido: Pedido) => {
    const draft = readDraft(id);
    if (draft && hasContent(draft.values) && !(await confirm(REPLACE))) return;
    const values = { ...EMPTY, ...clienteFrom(pedido), pack_id: pedido.pack_id ?? '', cantidad: String(pedido.cantidad) };
    keepDraft(id, { key: newKey(), values, from: pedido.numero_orden });
    void navigate({ to: '/pedidos/nuevo' });
  };
}
