import type { Answer, BodyIn } from '../../../contract/kit.ts';
import { ESTADO } from '../../../contract/pedidos.flow.ts';
import { getHistorial, getPedido, type setEstado } from '../../../contract/pedidos.ts';
import { mayEver } from '../../../contract/policy.ts';
import type { SessionUser } from '../../../contract/session.ts';
import { call } from '../../api.ts';
import { LOOKING_MS as limit } from '../../unanswered.ts';

type Wanted = { params: { id: string }; body: BodyIn<typeof setEstado> };

// «Ya estaba en ruta por ti» is nothing that anybody says.
const DONE_BY = ['asignado', 'completado', 'cancelado'];

/** Whether the last thing that happened to the order was `actor`'s; undefined for who may not see what happened. */
async function wasMine(actor: SessionUser, id: string): Promise<boolean | undefined> {
  if (!mayEver(actor, 'pedido:history')) return undefined;
  const { data } = await call(getHistorial, { params: { id }, limit });
  return data[0]?.actor_nombre === actor.full_name;
}

/** The answer to a step that turns out to have been made by `actor`, as `useMutate` asks for it; undefined if it was not. */
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
