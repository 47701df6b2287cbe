import type { CarrierStep } from '../../contract/pedidos/flow.ts';
import type { ReversalName } from '../../contract/pedidos/reversals.ts';

export type LoadStep = { name: CarrierStep | ReversalName; run: () => void; busy: boolean };
/** `complete` ends the order, `forward` advances it, `back` undoes. */
export type Steps = { complete?: LoadStep; forward: LoadStep[]; back: LoadStep[] };

/** Returns the next step, for the primary button; completing, if that is a different step; and the other steps. */
export function orderedSteps({ forward, back, complete }: Steps) {
  // Out for delivery, the next step is to complete; a failed attempt is the exception.
  const next = forward.find(({ name }) => name === 'salir') ?? complete ?? forward[0];
  return {
    next,
    complete: complete === next ? undefined : complete,
    rest: [...forward, ...back].filter((step) => step !== next),
  };
}
