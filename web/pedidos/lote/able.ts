import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { situationOf } from '../../../contract/pedidos/situation.ts';
import { clock } from '../../ui/format/format.ts';
import { actionName, actionsFor } from '../actions/actions.ts';
import type { Chosen } from '../table/use-selection.ts';

/** `none`: true if the action is possible for none of the chosen orders. `words`: why, or for how many it is; absent if for all. */
export function ableIn(actor: Parameters<typeof actionsFor>[0], chosen: readonly Chosen[], act: string): { none: boolean; words?: string } {
  const known = chosen.filter((pedido): pedido is Pedido => pedido.estado !== undefined);
  const out = known.filter((pedido) => !actionsFor(actor, pedido).some(({ action, reason }) => actionName(action) === act && !reason));
  const [first] = out;
  if (!first) return { none: false };
  if (out.length < chosen.length) return { none: false, words: `${chosen.length - out.length} de ${chosen.length}` };
  return { none: true, words: `${first.numero_orden}: ${situationOf(first, actor, clock()).sentence}` };
}
