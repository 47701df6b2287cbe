import { addComentario } from '../../../contract/comentarios/comentarios.ts';
import { MOTIVO_PARTE_LABEL } from '../../../contract/devoluciones/partes.ts';
import { addressOf } from '../../../contract/kit/address.ts';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { TRANSITIONS, type TransitionName } from '../../../contract/pedidos/flow.ts';
import { setEstado } from '../../../contract/pedidos/pedidos.ts';
import { TIPO_LABEL } from '../../../contract/pruebas/fields.ts';
import { sendPrueba } from '../../../contract/pruebas/pruebas.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { TOLD_INPUTS } from '../../../contract/transportista/fields.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { ApiError, call, fieldErrors } from '../../api.ts';
import { type Known, type Outbox, outboxOf } from '../../outbox/outbox.ts';
import type { Act } from '../../outbox/store.ts';
import { type FocusableForm, focusFirst } from '../../ui/form/focus-first.ts';
import { toast } from '../../ui/page/toast.tsx';
import type { Named } from '../subject.tsx';
import { stepMade } from './achieved.ts';
import type { ProofFile } from './send-proof.ts';

/* Steps of a carrier go through the outbox of this telephone. */

type Body = BodyIn<typeof setEstado>;

export const outboxFor = (actor: SessionUser): Outbox => outboxOf(actor.id, hooksOf(actor));

/** A refusal sooner than this is seen by the carrier at once, and the office need not be told. */
const AT_ONCE_MS = 5000;

const isStep = ({ path }: Act) => path.endsWith('/estado');
const BARE = ['estado', 'paso', 'version', 'ocurrido'];
/** True for a step without details of the delivery: method, money, receiver, PIN, reason, parts or files. */
const isBare = (body: object) =>
  Object.entries(body).every(([name, value]) => BARE.includes(name) || value === null || value === undefined || value === '');
const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'idempotency_unknown';

const hooksOf = (actor: SessionUser) => ({
  already: async (act: Act, error: unknown) => {
    const body = act.body as Body;
    // The key repeats the answer of a step that was made. Refused, the order is so by another hand: what was done at the door would be lost.
    if (!isStep(act) || !(isUnknown(error) || isBare(body))) return undefined;
    return (await stepMade(actor, { params: { id: act.pedido }, body }))?.message;
  },
  report: async (act: Act) => {
    const { paso } = act.body as Body;
    const atOnce = act.refusedAt === null || Date.parse(act.refusedAt) - Date.parse(act.at) < AT_ONCE_MS;
    if (!isStep(act) || !paso || atOnce) return true;
    const typed = Object.fromEntries(TOLD_INPUTS.map((name) => [name, (act.body as Body)[name]]));
    const { pruebas } = act.body as Body;
    const body = { ...typed, ...leftWords(act), pruebas, paso, pedido_id: act.pedido, ocurrido: act.at, rechazo: act.reason };
    try {
      await call(contarNoAceptado, { body, headers: { 'idempotency-key': `no-${act.id}` } });
      return pruebas?.length ? 'files' : true;
    } catch (error) {
      // The order is none of this carrier's any more, or was never: nothing to tell.
      return error instanceof ApiError && [403, 404, 422].includes(error.status);
    }
  },
});

// Quantities by line; the office knows the products.
function leftWords(act: Act) {
  const { no_entregado = [] } = act.body as Body;
  const words = no_entregado.map(
    ({ numero, cantidad, motivo }) => `línea ${numero}: ${cantidad} (${MOTIVO_PARTE_LABEL[motivo].toLowerCase()})`,
  );
  return words.length > 0 && { sin_entregar: `Sin entregar: ${words.join('; ')}`.slice(0, 500) };
}

/** Stores a step with its files and sends them; resolves to what is known after a moment. Throws if it could not be stored. */
export async function actOf(actor: SessionUser, pedido: Named, body: StepBody, files: readonly ProofFile[] = []): Promise<Known> {
  const at = new Date().toISOString();
  const outbox = outboxFor(actor);
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

/** What is said of a step, and the form it was made in. */
export type StepTexts = {
  success?: string | undefined;
  failure: string;
  form?: (FocusableForm & { setErrors: (errors: Record<string, string>) => void }) | undefined;
};
export type StepBody = Body & { paso: TransitionName };
type Step = { pedido: Named; body: StepBody; files: readonly ProofFile[] };

/** Makes a step and says what became of it; `seen` resolves while its form is on the screen. Resolves to whether it is out of the person's hands. */
export async function makeStep(
  actor: SessionUser,
  { pedido, body, files }: Step,
  texts: StepTexts,
  seen: () => Promise<void>,
): Promise<boolean> {
  return told(actor, await actOf(actor, pedido, body, files), texts, seen);
}

/** Writes about an order; as `makeStep`. */
export async function writeWords(actor: SessionUser, pedido: Named, texto: string, texts: StepTexts): Promise<boolean> {
  const { method } = addComentario;
  const path = addressOf(addComentario.path, { params: pedido });
  const deed = { pedido: pedido.id, numero: pedido.numero_orden, label: 'Comentar', method, path, body: { texto } };
  return told(actor, await outboxFor(actor).act({ ...deed, at: new Date().toISOString() }), texts, async () => undefined);
}

async function told(actor: SessionUser, first: Known, { success, failure, form }: StepTexts, seen: () => Promise<void>): Promise<boolean> {
  let known = first;
  // Kept, since another person may sign in. The form waits with it behind the sign-in, and ends when its person is back.
  if (known.kind === 'session' && form) {
    const outbox = outboxFor(actor);
    while (known.kind === 'session') known = await outbox.next(known.id);
    await seen();
  }
  if (known.kind === 'done') toast.success(success ?? known.message);
  if (known.kind === 'stored') toast.info('Guardado en este teléfono: se enviará al volver la cobertura');
  if (known.kind === 'bug') toast.error(known.reason, { title: failure });
  if (known.kind !== 'no' || !(known.error instanceof ApiError)) return true;
  toast.failure(known.error, failure);
  if (known.error.status !== 422 || !form) return true;
  // Still in the form: it can be corrected there, so nothing is kept of it.
  await outboxFor(actor).forget(known.id);
  form.setErrors(fieldErrors(known.error));
  focusFirst(form, known.error.errors);
  return false;
}
