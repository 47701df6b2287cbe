import { setTimeout as sleep } from 'node:timers/promises';

/** Asks every 50 ms until the answer is yes. Throws what `late` says when it is not within `seconds`. */
export async function until(ask: () => boolean | Promise<boolean>, late: () => string, seconds = 120): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(late());
    await sleep(50);
  }
}

/** Whether something answers at `url` that it is ready. */
export const ready = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
