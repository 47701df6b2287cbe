import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Named } from '../subject.tsx';
import { type StepTexts, writeWords } from './outbox.ts';
import { notStored } from './use-carrier-step.ts';

/** Sends a carrier's comment on an order through the outbox. `write` resolves to false if the comment must be corrected or repeated. */
export function useCarrierWords(pedido: Named, texts: StepTexts) {
  const actor = useSession();
  const [writing, setWriting] = useState(false);
  async function write(texto: string): Promise<boolean> {
    if (writing) return false;
    setWriting(true);
    try {
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
