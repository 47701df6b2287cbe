import { subscribePush, unsubscribePush } from '../../contract/push.ts';
import { call } from '../api.ts';

const WORKER = '/service-worker.js';

/** Why this browser cannot be told, in a sentence; undefined when it can. */
export function obstacle(): string | undefined {
  if (!window.isSecureContext) return 'Este navegador solo puede avisarte si Enruta se abre con https.';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'Este navegador no puede mostrar avisos.';
  if (Notification.permission === 'denied')
    return 'Este navegador tiene bloqueados los avisos de Enruta. Permítelos en sus ajustes y vuelve a abrir esta pantalla.';
  return undefined;
}

/** The address by which this browser is told with `publicKey`, if it has one; null before anything was asked of it. */
export async function ownEndpoint(publicKey: string): Promise<string | null> {
  const subscription = await currentSubscription();
  return subscription && isOf(subscription, publicKey) ? subscription.endpoint : null;
}

/** Asks the person, subscribes this browser and tells the server. Throws what came in between. */
export async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('El navegador no ha dado permiso para mostrar avisos');
  const registration = await navigator.serviceWorker.register(WORKER);
  await navigator.serviceWorker.ready;
  const old = await registration.pushManager.getSubscription();
  // A browser keeps to the key that it first subscribed with.
  if (old && !isOf(old, publicKey)) await old.unsubscribe();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => Promise.reject(new Error('El servicio de avisos de este navegador no responde. Inténtalo más tarde.')));
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  try {
    await call(subscribePush, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** Ends it on both sides, the server's first: a browser that is only forgotten here would go on being told. */
export async function turnOff(): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  await call(unsubscribePush, { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function isOf({ options: { applicationServerKey } }: PushSubscription, publicKey: string): boolean {
  if (!applicationServerKey) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey;
}
