import { type Answered, keepAnswers } from './answers.ts';

/** Caches the program's files and the person's answers on this phone, so that the program opens without coverage. */
export async function keepForOffline(answered: Answered): Promise<void> {
  await Promise.allSettled([keepProgram(), keepAnswers(answered)]);
}

/** Asks the service worker to cache the program's files. */
async function keepProgram(): Promise<void> {
  // The server of the component tests has no service worker.
  if (import.meta.env.MODE === 'test' || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('guardar');
}
