import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/page/toast.tsx';
import { makeStep, type Step, type StepTexts } from './outbox.ts';

/** Shows that a step or comment could not be stored. */
export const notStored = (error: unknown, failure: string) =>
  toast.error(error instanceof Error && error.name === 'StoreFull' ? error.message : 'Este teléfono no puede guardar lo que haces', {
    title: failure,
  });

/** Makes a carrier's steps through the outbox. `make` resolves to false if the form must stay open to correct or repeat the step. */
export function useCarrierStep({ success, failure, form }: StepTexts) {
  const actor = useSession();
  const [making, setMaking] = useState<string>();

  async function make(step: Step, undo?: () => void): Promise<boolean> {
    const { pedido } = step;
    if (making === pedido.id) return false;
    setMaking(pedido.id);
    try {
      return await makeStep(actor, step, { success, undo, failure, form });
    } catch (error) {
      notStored(error, failure);
      return false;
    } finally {
      setMaking(undefined);
    }
  }
  return { make, making };
}
