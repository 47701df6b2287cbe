import type { Answer, BodyIn } from '../../../contract/kit.ts';
import { ESTADO } from '../../../contract/pedidos.estados.ts';
import { getHistorial, getPedido, type setEstado } from '../../../contract/pedidos.ts';
import { mayEver } from '../../../contract/policy.ts';
import type { SessionUser } from '../../../contract/session.ts';
import { call } from '../../api.ts';
import { LOOKING_MS as limit } from '../../unanswered.ts';

type Wanted = { params: { id: string }; body: BodyIn<typeof setEstado> };

// Estados that read well with «por ti»; «Ya estaba en ruta por ti» does not.
const DONE_BY = ['asignado', 'completado', 'cancelado'];

/** Whether `actor` made the order's last change; undefined if the actor may not see the history. */
async function wasMine(actor: SessionUser, id: string): Promise<boolean | undefined> {
  if (!mayEver(actor, 'pedido:history')) return undefined;
  const { data } = await call(getHistorial, { params: { id }, limit });
  return data[0]?.actor_nombre === actor.full_name;
}

/** Returns the answer of a step that `actor` has already made (`achieved` of `useMutate`); otherwise undefined. */
export async function stepMade(actor: SessionUser, { params, body }: Wanted): Promise<Answer<typeof setEstado> | undefined> {
  const { data } = await call(getPedido, { params, limit });
  if (data.estado !== body.estado) return undefined;
  const now = new Map<string, unknown>(Object.entries(data));
  const asTyped = Object.entries(body).every(([name, value]) => name === 'version' || !value || !now.has(name) || now.get(name) === value);
  if (!asTyped || (await wasMine(actor, params.id)) === false) return undefined;
  const { label } = ESTADO[body.estado];
  const by = DONE_BY.includes(body.estado) ? ' por ti' : '';
  return { success: true, message: `Ya estaba ${label.toLowerCase()}${by}`, data };
}
