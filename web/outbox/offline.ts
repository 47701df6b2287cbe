import { type Answered, keepAnswers } from './answers.ts';

/** From now on the program opens without coverage: its files and the person's last answers stay on this telephone. */
export async function keepForOffline(answered: Answered): Promise<void> {
  await Promise.allSettled([keepProgram(), keepAnswers(answered)]);
}

/** Has the service worker keep the program's files. */
async function keepProgram(): Promise<void> {
  // The server of the component tests has no worker.
  if (import.meta.env.MODE === 'test' || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('guardar');
}
