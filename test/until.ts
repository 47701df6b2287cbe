import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until the condition holds, first after 5 ms and then less often, at last every 50 ms. Throws the message of `late` after `seconds`. */
export async function until(ask: () => boolean | Promise<boolean>, late: () => string, seconds = 120): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  for (let pause = 5; !(await ask()); pause = Math.min(50, pause * 2)) {
    if (Date.now() > deadline) throw new Error(late());
    await sleep(pause);
  }
}

/** True if `url` reports readiness. */
export const ready = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
