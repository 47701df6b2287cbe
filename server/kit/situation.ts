import type { Pedido } from '../../contract/pedidos/pedidos.ts';
import { type Clock, type SituationOrder, situationOf } from '../../contract/pedidos/situation.ts';
import type { Actor } from '../../contract/policy/policy.ts';

/** Returns what is the matter with an order as answers and webhooks tell it; hidden fields of `order` are null. */
export function presentSituation(order: SituationOrder, actor: Actor, clock: Clock): NonNullable<Pedido['situacion']> {
  const { id, sentence, since, mayLeave, tone, who, next, others, more } = situationOf(order, actor, clock);
  const [paso, otros] = [next?.paso ?? null, others.map((other) => other.paso)];
  return { id, frase: sentence, desde: since, puede_salir: mayLeave, tono: tone, quien: who ?? null, paso, otros, ademas: more };
}
