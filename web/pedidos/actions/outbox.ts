import { addComentario } from '../../../contract/comentarios/comentarios.ts';
import { deshacerPaso } from '../../../contract/deshacer/deshacer.ts';
import { MOTIVO_PARTE_LABEL } from '../../../contract/devoluciones/fields.ts';
import { addressOf } from '../../../contract/kit/address.ts';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { placeWords } from '../../../contract/pedidos/direccion.ts';
import type { Estado } from '../../../contract/pedidos/estados.ts';
import { TRANSITIONS, type TransitionName } from '../../../contract/pedidos/flow.ts';
import { setEstado } from '../../../contract/pedidos/pedidos.ts';
import { REVERSALS, type ReversalName } from '../../../contract/pedidos/reversals.ts';
import { mayEver } from '../../../contract/policy/policy.ts';
import { TIPO_LABEL } from '../../../contract/pruebas/fields.ts';
import { sendPrueba } from '../../../contract/pruebas/pruebas.ts';
import { PERSON } from '../../../contract/session/fields.ts';
import type { SessionUser } from '../../../contract/session/session.ts';
import { TOLD_INPUTS } from '../../../contract/transportista/fields.ts';
import { contarNoAceptado } from '../../../contract/transportista/transportista.ts';
import { ApiError, call, fieldErrors } from '../../api.ts';
import type { Operation } from '../../outbox/operation.ts';
import { type Outbox, openOutbox, type Result } from '../../outbox/outbox.ts';
import { type FocusableForm, focusFirst } from '../../ui/form/form-actions.tsx';
import { TIME_TO_UNDO, type ToastOptions, toast } from '../../ui/page/toast.tsx';
import type { Named } from '../subject.tsx';
import { stepMade } from './achieved.ts';
import type { ProofFile } from './send-proof.ts';

/* Sends a carrier's steps and comments through the outbox of this telephone. */

type Body = BodyIn<typeof setEstado>;

/** True for a role that can work without coverage. */
export const hasOutbox = (actor: SessionUser): boolean => mayEver(actor, 'device:outbox');

export const outboxFor = (actor: SessionUser): Outbox => openOutbox(actor.id, hooksOf(actor));

const isStep = ({ path }: Operation) => path.endsWith('/estado');
const BARE = ['estado', 'paso', 'version', 'ocurrido', 'direccion_vista'];
/** True for a step without details that a refusal would lose, such as money, a reason or files. */
const isBare = (body: object) =>
  Object.entries(body).every(([name, value]) => BARE.includes(name) || value === null || value === undefined || value === '');
const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'idempotency_unknown';

const hooksOf = (actor: SessionUser) => ({
  name: actor.full_name,
  already: async (operation: Operation, error: unknown) => {
    const body = operation.body as Body;
    // The idempotency key repeats the answer of a step that was made. A refusal therefore means that another person changed the order:
    // counting the step as made would lose the details.
    if (!isStep(operation) || !(isUnknown(error) || isBare(body))) return undefined;
    return (await stepMade(actor, { params: { id: operation.pedido }, body }))?.message;
  },
  report,
});

/** Reports a refused or faulty step to the office. Returns 'files' if the step's files must follow. Throws `ApiError`. */
async function report(operation: Operation): Promise<'reported' | 'files'> {
  const { paso, pruebas } = operation.body as Body;
  const isPending = operation.state === 'pendiente';
  // Reports only steps. Skips a step without details whose refusal the carrier has seen: nothing is lost.
  if (!isStep(operation) || !paso || (operation.seen && isBare(operation.body))) return 'reported';
  const typed = Object.fromEntries(TOLD_INPUTS.map((name) => [name, (operation.body as Body)[name]]));
  const about = { paso, pedido_id: operation.pedido, ocurrido: operation.at, rechazo: operation.reason?.slice(0, 500) };
  // The files of a pending step are not announced: they are sent after the step itself.
  const body = { ...about, ...typed, ...leftWords(operation), ...(isPending ? { pendiente: true } : { pruebas }) };
  const headers = { 'idempotency-key': `${isPending ? 'fallo' : 'no'}-${operation.id}`, [PERSON]: operation.person };
  await call(contarNoAceptado, { body, headers });
  return !isPending && pruebas?.length ? 'files' : 'reported';
}

// Names each line by number only, because the office can look up the product.
function leftWords({ body }: Operation) {
  const { no_entregado = [] } = body as Body;
  const words = no_entregado.map(
    ({ numero, cantidad, motivo }) => `línea ${numero}: ${cantidad} (${MOTIVO_PARTE_LABEL[motivo].toLowerCase()})`,
  );
  return words.length > 0 && { sin_entregar: `No entregado: ${words.join('; ')}`.slice(0, 500) };
}

/** Stores and sends a step with its files. Resolves to the server's result, or after a moment to `stored`. Throws if storing fails. */
export async function storeStep(actor: SessionUser, { pedido, body, files = [], form, replaces }: Step): Promise<Result> {
  const at = new Date().toISOString();
  const outbox = outboxFor(actor);
  const input = {
    pedido: pedido.id,
    numero: pedido.numero_orden,
    label: TRANSITIONS[body.paso].label,
    method: 'POST',
    path: addressOf(setEstado.path, { params: pedido }),
    body: { ...body, ocurrido: at, ...seenPlace(pedido) },
    at,
    ...(form && { form }),
  } as const;
  const path = addressOf(sendPrueba.path, { params: pedido });
  return outbox.add(
    input,
    files.map(({ key, tipo, blob }) => ({ key, label: `${TIPO_LABEL[tipo]} de la entrega`, path, blob })),
    replaces,
  );
}

type Undo = { pedido: Named; name: ReversalName; motivo: string; back?: Estado | undefined };

/** Takes a carrier's step back: without a trace if it never left this telephone, else as a step of its own. */
export async function storeUndo(actor: SessionUser, { pedido, name, motivo, back }: Undo): Promise<Result | { kind: 'gone' }> {
  const outbox = outboxFor(actor);
  const { of, label } = REVERSALS[name];
  if (await outbox.takeBack(pedido.id, of)) return { kind: 'gone' };
  const at = new Date().toISOString();
  const { method } = deshacerPaso;
  const path = addressOf(deshacerPaso.path, { params: pedido });
  const body = { paso: name, motivo, ocurrido: at };
  return outbox.add({ pedido: pedido.id, numero: pedido.numero_orden, label, method, path, body, at, ...(back && { back }) });
}

/** Address that the telephone showed; the office may have changed the address while there was no coverage. */
function seenPlace(pedido: Named) {
  const { cliente_direccion: street, cliente_direccion2 = null, cliente_codigo_postal = null } = pedido;
  const { cliente_ciudad = null, cliente_provincia = null, cliente_pais = null } = pedido;
  if (street === undefined) return {};
  const rest = { cliente_direccion2, cliente_codigo_postal, cliente_ciudad, cliente_provincia, cliente_pais };
  return { direccion_vista: placeWords({ cliente_direccion: street, ...rest }) };
}

/** Messages about a step, and the form that shows its errors. */
export type StepTexts = {
  success?: string | undefined;
  /** Opens the question of whether to take the step back; the toast offers it for some seconds. */
  undo?: (() => void) | undefined;
  failure: string;
  form?: (FocusableForm & { setErrors: (errors: Record<string, string>) => void }) | undefined;
};
export type StepBody = Body & { paso: TransitionName };
export type Step = {
  pedido: Named;
  body: StepBody;
  files?: readonly ProofFile[];
  /** Typed and drawn content, to restore the form. */
  form?: Operation['form'];
  /** Id of the refused operation that this step corrects. */
  replaces?: string | undefined;
};

/** Makes a step and shows its result. Resolves to false if the form must be corrected, otherwise to true. */
export const makeStep = async (actor: SessionUser, step: Step, texts: StepTexts): Promise<boolean> =>
  showResult(actor, await storeStep(actor, step), texts);

/** Comments on an order and shows the result. Resolves like `makeStep`. */
export async function writeWords(actor: SessionUser, pedido: Named, texto: string, texts: StepTexts): Promise<boolean> {
  const { method } = addComentario;
  const path = addressOf(addComentario.path, { params: pedido });
  const input = { pedido: pedido.id, numero: pedido.numero_orden, label: 'Comentar', method, path, body: { texto } };
  return showResult(actor, await outboxFor(actor).add({ ...input, at: new Date().toISOString() }), texts);
}

/** Shows the result of a stored operation. Resolves to false if the form must be corrected. */
export async function showResult(actor: SessionUser, result: Result, { success, undo, failure, form }: StepTexts): Promise<boolean> {
  const offered: ToastOptions = undo ? { autoClose: TIME_TO_UNDO, action: { label: 'Deshacer', onClick: undo } } : {};
  if (result.kind === 'accepted') toast.success(success ?? result.message, offered);
  if (result.kind === 'stored') toast.info('Guardado en este teléfono: se enviará al volver la cobertura', offered);
  if (result.kind === 'signedOut') toast.info('Guardado en este teléfono: se enviará cuando vuelvas a entrar', offered);
  if (result.kind === 'faulty') reportFault(result.reason, failure);
  if (result.kind !== 'refused' || !(result.error instanceof ApiError)) return true;
  toast.failure(result.error, failure);
  if (result.error.status !== 422 || !form) return true;
  // The form is still open to correct the input, so the stored operation is not needed.
  await outboxFor(actor).discard(result.id);
  form.setErrors(fieldErrors(result.error));
  focusFirst(form, result.error.errors);
  return false;
}

/** Shows that an operation met a fault and stays stored. */
export const reportFault = (reason: string, title?: string): void =>
  toast.error(`${reason}. Está guardado en este teléfono y se volverá a enviar.`, title === undefined ? {} : { title });
