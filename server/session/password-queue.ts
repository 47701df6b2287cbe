import { DomainError } from '../kit/errors.ts';

/** Limit per queue: enough for an office at nine in the morning, too low for a flood. */
const MAX_WAITING = 100;

const busy = new Set<string>();
const waiting: { queues: readonly string[]; start: () => void }[] = [];

/** Runs `work` when its queues (person, account, address) are free: a flood delays only its sender. Throws 429 if a queue is full. */
export async function inPasswordQueue<T>(queues: readonly string[], work: () => Promise<T>): Promise<T> {
  if (queues.some((queue) => busy.has(queue))) await wait(queues);
  else take(queues);
  try {
    return await work();
  } finally {
    for (const queue of queues) busy.delete(queue);
    startWaiting();
  }
}

function wait(queues: readonly string[]): Promise<void> {
  if (queues.some((queue) => waiting.filter((turn) => turn.queues.includes(queue)).length >= MAX_WAITING))
    throw new DomainError(429, 'Hay demasiados intentos a la vez. Vuelve a probar dentro de unos segundos.', {
      headers: { 'retry-after': '2' },
    });
  return new Promise((start) => waiting.push({ queues, start }));
}

const take = (queues: readonly string[]) => queues.forEach((queue) => void busy.add(queue));

// Starts waiting turns in order of arrival, skipping turns with a busy queue.
function startWaiting(): void {
  for (const turn of [...waiting]) {
    if (turn.queues.some((queue) => busy.has(queue))) continue;
    waiting.splice(waiting.indexOf(turn), 1);
    take(turn.queues);
    turn.start();
  }
}
