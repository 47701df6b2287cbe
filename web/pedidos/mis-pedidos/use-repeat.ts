import { useNavigate } from '@tanstack/react-router';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { type ApiError, call } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/page/toast.tsx';
import { clienteCopied } from '../cliente/cliente-values.ts';
import { EMPTY, keepDraft } from '../create/draft.ts';
import { mayReplaceDraft } from '../create/replace-draft.ts';
import { EMPTY_LINEA, type LineaValues } from '../lineas/values.ts';

/** Lines whose pack is still on sale, and the products of all other lines (`gone`). */
async function linesAgain({ id }: Pedido): Promise<{ lineas: LineaValues[]; gone: string[] }> {
  const [{ data }, packs] = await Promise.all([call(getPedido, { params: { id } }), call(listPacks)]);
  const sold = new Set(packs.data.filter((pack) => pack.available).map((pack) => pack.id));
  const lines = isWhole(data) ? (data.lineas ?? []) : [];
  const lineas: LineaValues[] = [];
  const gone: string[] = [];
  for (const { numero, pack_id, producto, cantidad } of lines) {
    if (pack_id && sold.has(pack_id)) lineas.push({ ...EMPTY_LINEA, key: numero, pack_id, cantidad: String(cantidad) });
    else gone.push(producto);
  }
  return { lineas: lineas.length ? lineas : [EMPTY_LINEA], gone };
}

/** Opens «Nuevo Pedido» with a copy of an order; asks before replacing a draft. */
export function useRepeat() {
  const { id } = useSession();
  const navigate = useNavigate();
  return async (pedido: Pedido) => {
    if (!(await mayReplaceDraft(id))) return;
    const again = await linesAgain(pedido).catch((error: ApiError) => toast.failure(error, 'No se pudo repetir el pedido'));
    if (!again) return;
    const values = { ...EMPTY, ...clienteCopied(pedido), lineas: again.lineas };
    keepDraft(id, { key: newKey(), values, from: pedido.numero_orden });
    if (again.gone.length) toast.info(`Ya no se vende: ${again.gone.join('; ')}`);
    void navigate({ to: '/pedidos/nuevo' });
  };
}
