import { setTimeout as sleep } from 'node:timers/promises';

/** Polls every 50 ms until the condition holds. Throws the message of `late` after `seconds`. */
export async function until(ask: () => boolean | Promise<boolean>, late: () => string, seconds = 120): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(late());
    await sleep(50);
  }
}

/** True if `url` reports readiness. */
export const ready = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
