import type { Answer, BodyIn } from '../../../contract/kit/endpoint.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { SAME_TIME_MS } from '../../../contract/pedidos/happened.ts';
import { getHistorial, getPedido, type setEstado } from '../../../contract/pedidos/pedidos.ts';
import { mayEver } from '../../../contract/policy/policy.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { call } from '../../api.ts';
import { LOOKING_MS as limit } from '../../unanswered.ts';

type Wanted = { params: { id: string }; body: BodyIn<typeof setEstado> };

// Estados that read well with «por ti»; «Ya estaba en ruta por ti» does not.
const DONE_BY = ['asignado', 'completado', 'cancelado'];

/** True if `actor` made the order's last change; undefined if `actor` may not see the history. */
async function wasMine(actor: SessionUser, id: string): Promise<boolean | undefined> {
  if (!mayEver(actor, 'pedido:history')) return undefined;
  const { data } = await call(getHistorial, { params: { id }, limit });
  return data[0]?.actor_nombre === actor.full_name;
}

// The server replaces a time less than a minute old by its own clock.
const isSameTime = (claimed: string, at: string | null) => !!at && Math.abs(Date.parse(at) - Date.parse(claimed)) < SAME_TIME_MS;

const INPUTS_OF_NO_ORDER = ['version', 'ocurrido'];
/** True if no field of the order contradicts the step's inputs. Skips the `motivo` of a delivery, which only the history shows. */
function isAsTyped(order: object, { motivo, ...body }: Wanted['body']): boolean {
  const now = new Map<string, unknown>(Object.entries(order));
  const typed = Object.entries(body.estado === 'completado' ? body : { ...body, motivo });
  return typed.every(([name, value]) => INPUTS_OF_NO_ORDER.includes(name) || !value || !now.has(name) || now.get(name) === value);
}

/** Returns the answer for a step that the order already shows; undefined if another person made it, or at another time (`ocurrido`). */
export async function stepMade(actor: SessionUser, { params, body }: Wanted): Promise<Answer<typeof setEstado> | undefined> {
  const { data } = await call(getPedido, { params, limit });
  if (data.estado !== body.estado || !isAsTyped(data, body)) return undefined;
  const { ocurrido, estado } = body;
  if (ocurrido && estado === 'completado' && !isSameTime(ocurrido, 'fecha_completado' in data ? data.fecha_completado : null))
    return undefined;
  if ((await wasMine(actor, params.id)) === false) return undefined;
  const { label } = ESTADO[body.estado];
  const by = DONE_BY.includes(body.estado) ? ' por ti' : '';
  return { success: true, message: `Ya estaba ${label.toLowerCase()}${by}`, data };
}
