import type { UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useImperativeHandle, useState } from 'react';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import type { TransitionName } from '../../../contract/pedidos/flow.ts';
import { setEstado } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { draftName } from '../../drafts.ts';
import { useSession } from '../../session/session.ts';
import type { InDialog } from '../../ui/dialog/form-dialog.tsx';
import { useFormDraft } from '../../ui/form/use-form-draft.ts';
import type { Named } from '../subject.tsx';
import { stepMade } from './achieved.ts';
import { hasOutbox, outboxFor } from './outbox.ts';
import { type ProofFile, sendFiles } from './send-proof.ts';
import { useCarrierStep } from './use-carrier-step.ts';
import { useWithdrawn } from './withdrawn.tsx';

/** Props of the form of a transition. */
export type StepProps = InDialog & {
  pedido: Named;
  onDone: () => void;
  /** True if the telephone has made this step already: the tab was killed before the form closed. */
  made?: boolean | undefined;
};

/** Saves a transition's form; a lost answer counts as saved if the order shows the step. `withdrawn` names who took the order. */
export function useStep<V extends Record<string, string | null>>(
  form: Pick<UseFormReturnType<V>, 'values' | 'setValues' | 'isDirty' | 'setErrors' | 'getInputNode'>,
  { pedido, onDone, dirty, made }: StepProps,
  toasts: { success: string; failure: string },
) {
  const actor = useSession();
  const { mutate, isPending } = useMutate(setEstado, { ...toasts, form, achieved: (wanted) => stepMade(actor, wanted) });
  const { make, making } = useCarrierStep({ ...toasts, form });
  const busy = isPending || making !== undefined;
  useFormDraft(form, draftName(actor.id, `-${pedido.id}`));
  const replaces = useCorrection(form, pedido);
  const navigate = useNavigate();
  const askUndo = () => void navigate({ to: '/pedidos-asignados', search: { pedido: pedido.id, accion: 'deshacer_entrega' } });
  const withdrawn = useWithdrawn(pedido.id)?.by;
  const close = useEffectEvent(onDone);
  useEffect(() => {
    if (made && !busy) close();
  }, [made, busy]);
  useImperativeHandle(dirty, () => () => form.isDirty() && !busy && withdrawn === undefined);
  function save(body: BodyIn<typeof setEstado> & { paso: TransitionName }, files: readonly ProofFile[] = []) {
    const { foto: _, ...typed } = form.values;
    const step = { pedido, body, files, form: typed, replaces };
    if (hasOutbox(actor)) return void make(step, body.paso === 'completar' ? askUndo : undefined).then((made) => made && onDone());
    mutate(
      { params: { id: pedido.id }, body },
      {
        onSuccess: () => {
          void sendFiles(pedido.id, files);
          onDone();
        },
        // Another person changed or deleted the order: the toast explains the refusal, and the list is being refetched.
        onError: ({ status }) => (status === 404 || status === 409) && onDone(),
      },
    );
  }
  return { save, busy, withdrawn };
}

type Values = Record<string, string | null>;
type CorrectedForm<V extends Values> = Pick<UseFormReturnType<V>, 'values' | 'setValues' | 'setErrors' | 'isDirty'>;

const jpegUrl = (photo: ArrayBuffer) => {
  let bytes = '';
  for (const byte of new Uint8Array(photo)) bytes += String.fromCharCode(byte);
  return `data:image/jpeg;base64,${btoa(bytes)}`;
};

/** Restores a refused step into the form; returns its id, which the correction replaces. Closing without one reports it. */
function useCorrection<V extends Values>(form: CorrectedForm<V>, pedido: Named): string | undefined {
  const actor = useSession();
  const [replaces, setReplaces] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once for each order
  useEffect(() => {
    if (!hasOutbox(actor)) return undefined;
    let closed = false;
    let report = () => {};
    void (async () => {
      const outbox = outboxFor(actor);
      const found = await outbox.correctable(pedido.id);
      const { form: typed = {}, fields = {} } = found?.step ?? {};
      // Skips a refused step of a different form of the same order.
      if (!found || closed || Object.keys(typed).some((name) => !(name in form.values))) return;
      form.setValues({ ...typed, ...(found.photo && { foto: jpegUrl(found.photo) }) } as Partial<V>);
      form.setErrors(fields);
      setReplaces(found.step.id);
      report = () => void outbox.reportNow(found.step.id);
    })().catch(() => undefined);
    return () => {
      closed = true;
      report();
    };
  }, [pedido.id]);
  return replaces;
}
