import { useEffect, useRef, useState } from 'react';
import type { BodyIn } from '../../../contract/kit.ts';
import type { TransitionName } from '../../../contract/pedidos.flow.ts';
import type { setEstado } from '../../../contract/pedidos.ts';
import { ApiError, fieldErrors } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { type FocusableForm, focusFirst } from '../../ui/form/focus-first.ts';
import { toast } from '../../ui/page/toast.tsx';
import type { Named } from '../subject.tsx';
import { actOf, outboxFor } from './outbox.ts';
import type { ProofFile } from './send-proof.ts';

type Body = BodyIn<typeof setEstado> & { paso: TransitionName };
type Texts = {
  success?: string;
  failure: string;
  form?: FocusableForm & { setErrors: (errors: Record<string, string>) => void };
};

const KEPT = 'Guardado en este teléfono: se enviará al volver la cobertura';

/** Makes a carrier's steps by the outbox. `make` resolves to whether the step is out of the person's hands: done, stored, or set aside. */
export function useCarrierStep({ success, failure, form }: Texts) {
  const actor = useSession();
  const [making, setMaking] = useState<string>();
  // Resolved while the component is on the screen.
  const seen = useRef(Promise.withResolvers<void>());
  useEffect(() => {
    seen.current.resolve();
    return () => {
      seen.current = Promise.withResolvers();
    };
  }, []);

  async function made(pedido: Named, body: Body, files: readonly ProofFile[]): Promise<boolean> {
    let known = await actOf(actor, pedido, body, files);
    // Kept, since another person may sign in. The form waits with it behind the sign-in, and ends when its person is back.
    if (known.kind === 'session' && form) {
      const outbox = await outboxFor(actor);
      while (known.kind === 'session') known = await outbox.next(known.id);
      await seen.current.promise;
    }
    if (known.kind === 'done') toast.success(success ?? known.message);
    if (known.kind === 'stored') toast.info(KEPT);
    if (known.kind === 'bug') toast.error(known.reason, { title: failure });
    if (known.kind !== 'no' || !(known.error instanceof ApiError)) return true;
    toast.failure(known.error, failure);
    if (known.error.status !== 422 || !form) return true;
    // Still in the form: it can be corrected there, so nothing is kept of it.
    await (await outboxFor(actor)).forget(known.id);
    form.setErrors(fieldErrors(known.error));
    focusFirst(form, known.error.errors);
    return false;
  }

  async function make(pedido: Named, body: Body, files: readonly ProofFile[] = []): Promise<boolean> {
    if (making === pedido.id) return false;
    setMaking(pedido.id);
    try {
      return await made(pedido, body, files);
    } catch (error) {
      // Not stored: what was typed stays in the form.
      toast.error(error instanceof Error && error.name === 'StoreFull' ? error.message : 'Este teléfono no puede guardar lo que haces', {
        title: failure,
      });
      return false;
    } finally {
      setMaking(undefined);
    }
  }
  return { make, making };
}
