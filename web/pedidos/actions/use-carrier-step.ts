import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/page/toast.tsx';
import type { Named } from '../subject.tsx';
import type { StepBody, StepTexts } from './outbox.ts';
import { outboxParts } from './outbox-parts.ts';
import type { ProofFile } from './send-proof.ts';

// Not stored: what was typed stays in the form.
const notStored = (error: unknown, failure: string) =>
  toast.error(error instanceof Error && error.name === 'StoreFull' ? error.message : 'Este teléfono no puede guardar lo que haces', {
    title: failure,
  });

/** Writes a carrier's words about an order by the outbox. `write` resolves to whether they are out of the person's hands. */
export function useCarrierWords(pedido: Named, texts: StepTexts) {
  const actor = useSession();
  const [writing, setWriting] = useState(false);
  async function write(texto: string): Promise<boolean> {
    if (writing) return false;
    setWriting(true);
    try {
      const { writeWords } = await outboxParts.get();
      return await writeWords(actor, pedido, texto, texts);
    } catch (error) {
      notStored(error, texts.failure);
      return false;
    } finally {
      setWriting(false);
    }
  }
  return { write, writing };
}

/** Makes a carrier's steps by the outbox. `make` resolves to whether the step is out of the person's hands: done, stored, or set aside. */
export function useCarrierStep({ success, failure, form }: StepTexts) {
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

  async function make(pedido: Named, body: StepBody, files: readonly ProofFile[] = []): Promise<boolean> {
    if (making === pedido.id) return false;
    setMaking(pedido.id);
    try {
      const { makeStep } = await outboxParts.get();
      return await makeStep(actor, { pedido, body, files }, { success, failure, form }, () => seen.current.promise);
    } catch (error) {
      notStored(error, failure);
      return false;
    } finally {
      setMaking(undefined);
    }
  }
  return { make, making };
}
