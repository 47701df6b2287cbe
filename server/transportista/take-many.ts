import type { Answer } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { tomarPedidos } from '../../contract/transportista/transportista.ts';
import type { Db } from '../db/open.ts';
import { asRefusal } from '../kit/errors.ts';
import { takePedido } from '../pedidos/pasos/transition.ts';

/** Takes several orders for a carrier, each in its own transaction; refusals do not stop the rest. */
export async function takeMany(db: Db, actor: Actor, ids: string[]): Promise<Answer<typeof tomarPedidos>> {
  const data: Answer<typeof tomarPedidos>['data'] = [];
  for (const id of new Set(ids)) {
    try {
      await takePedido(db, actor, id, null);
      data.push({ id, ok: true, message: 'Pedido asignado exitosamente' });
    } catch (error) {
      const refusal = asRefusal(error);
      if (!refusal || refusal.status >= 500) throw error;
      data.push({ id, ok: false, message: refusal.message, code: refusal.body.code });
    }
  }
  const taken = data.filter(({ ok }) => ok).length;
  return { message: taken === 1 ? '1 pedido asignado' : `${taken} pedidos asignados`, data };
}
