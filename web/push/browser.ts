import type { Answer } from '../../contract/kit/endpoint.ts';
import { getPush, subscribePush, unsubscribePush } from '../../contract/push/push.ts';
import { call, queryClient } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';

const WORKER = '/service-worker.js';

/** Explains why this browser cannot receive notifications; undefined when it can. */
export function pushObstacle(): string | undefined {
  if (!window.isSecureContext) return 'Este navegador solo puede avisarte si Enruta se abre con https.';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'Este navegador no puede mostrar avisos.';
  if (Notification.permission === 'denied')
    return 'Este navegador tiene bloqueados los avisos de Enruta. Permítelos en sus ajustes y vuelve a abrir esta pantalla.';
  return undefined;
}

/** Push endpoint of this browser for `publicKey`; null if not subscribed. */
export async function ownEndpoint(publicKey: string): Promise<string | null> {
  const subscription = await currentSubscription();
  return subscription && isOf(subscription, publicKey) ? subscription.endpoint : null;
}

/** Asks for permission and subscribes this browser. Throws an Error with a message to show. */
export async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('El navegador no ha dado permiso para mostrar avisos');
  const registration = await navigator.serviceWorker.register(WORKER);
  await navigator.serviceWorker.ready;
  const old = await registration.pushManager.getSubscription();
  // Browsers reject a new key while a subscription with another key exists.
  if (old && !isOf(old, publicKey)) await old.unsubscribe();
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch(() => Promise.reject(new Error('El servicio de avisos de este navegador no responde. Inténtalo más tarde.')));
  try {
    await subscribe(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** Resubscribes this browser, if subscribed before, after an action that ended all the person's subscriptions. */
export async function renewSubscription(): Promise<void> {
  const [[, known] = []] = queryClient.getQueriesData<Answer<typeof getPush>>({ queryKey: [getPush.path] });
  const subscription = pushObstacle() === undefined && (await currentSubscription());
  if (!subscription || !known?.data.devices.some(({ endpoint }) => endpoint === subscription.endpoint)) return;
  await subscribe(subscription).catch(() => toast.error('Vuelve a activar los avisos en este navegador'));
  await queryClient.invalidateQueries({ queryKey: [getPush.path] });
}

async function subscribe(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  await call(subscribePush, { body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } });
}

/** Unsubscribes at the server first, or the server would keep sending. */
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
