import { addressOf } from '../../../contract/address.ts';
import { sendPrueba, TIPO_LABEL } from '../../../contract/entrega.ts';
import type { BodyIn } from '../../../contract/kit.ts';
import { TRANSITIONS, type TransitionName } from '../../../contract/pedidos.flow.ts';
import { setEstado } from '../../../contract/pedidos.ts';
import { mayEver } from '../../../contract/policy.ts';
import type { SessionUser } from '../../../contract/session.ts';
import { contarNoAceptado, TOLD_INPUTS } from '../../../contract/transportista.ts';
import { ApiError, call } from '../../api.ts';
import { later } from '../../lazy.ts';
import type { Known, Outbox } from '../../outbox/outbox.ts';
import type { Act } from '../../outbox/store.ts';
import type { Named } from '../subject.tsx';
import { stepMade } from './achieved.ts';
import type { ProofFile } from './send-proof.ts';

/* Steps of a carrier go through the outbox of this telephone. */

type Body = BodyIn<typeof setEstado>;

/** Loaded after the first screen: nothing of it is needed before there are rows. */
export const outboxParts = later(() => import('../../outbox/outbox.ts'));

/** People who work without coverage. */
export const hasOutbox = (actor: SessionUser): boolean => mayEver(actor, 'pedido:take');

export const outboxFor = async (actor: SessionUser): Promise<Outbox> => (await outboxParts.get()).outboxOf(actor.id, hooksOf(actor));

/** A refusal sooner than this is seen by the carrier at once, and the office need not be told. */
const AT_ONCE_MS = 5000;

const isStep = ({ path }: Act) => path.endsWith('/estado');
const hooksOf = (actor: SessionUser) => ({
  already: async (act: Act) => {
    if (!isStep(act)) return undefined;
    const { ocurrido: _, ...body } = act.body as Body;
    return (await stepMade(actor, { params: { id: act.pedido }, body }))?.message;
  },
  report: async (act: Act) => {
    const { paso } = act.body as Body;
    const atOnce = act.refusedAt === null || Date.parse(act.refusedAt) - Date.parse(act.at) < AT_ONCE_MS;
    if (!isStep(act) || !paso || atOnce) return true;
    const typed = Object.fromEntries(TOLD_INPUTS.map((name) => [name, (act.body as Body)[name]]));
    const body = { ...typed, paso, pedido_id: act.pedido, ocurrido: act.at, rechazo: act.reason };
    try {
      await call(contarNoAceptado, { body, headers: { 'idempotency-key': `no-${act.id}` } });
      return true;
    } catch (error) {
      // The order is none of this carrier's any more, or was never: nothing to tell.
      return error instanceof ApiError && [403, 404, 422].includes(error.status);
    }
  },
});

/** Stores a step with its files and sends them; resolves to what is known after a moment. Throws if it could not be stored. */
export async function actOf(
  actor: SessionUser,
  pedido: Named,
  body: Body & { paso: TransitionName },
  files: readonly ProofFile[] = [],
): Promise<Known> {
  const at = new Date().toISOString();
  const outbox = await outboxFor(actor);
  const deed = {
    pedido: pedido.id,
    numero: pedido.numero_orden,
    label: TRANSITIONS[body.paso].label,
    method: 'POST',
    path: addressOf(setEstado.path, { params: pedido }),
    body: { ...body, ocurrido: at },
    at,
  } as const;
  const path = addressOf(sendPrueba.path, { params: pedido });
  return outbox.act(
    deed,
    files.map(({ key, tipo, blob }) => ({ key, label: `${TIPO_LABEL[tipo]} de la entrega`, path, blob })),
  );
}
