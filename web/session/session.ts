import { hashKey, queryOptions, useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { mayEver } from '../../contract/policy/policy.ts';
import type { ReglasEntrega } from '../../contract/pruebas/pruebas.ts';
import { ANSWERS_DB, ANSWERS_LIFE_MS } from '../../contract/session/fields.ts';
import { getUser, logout, type SessionUser } from '../../contract/session/session.ts';
import { clearAntiForgery, mayHaveSession } from '../anti-forgery.ts';
import { ApiError, call, queryClient, SESSION_KEY, whenSessionEnds } from '../api.ts';
import { adoptAppearance } from '../appearance.ts';
import { markOffline, serverTime, whenReachable } from '../connection.ts';
import { deleteDrafts } from '../drafts.ts';
import { setEnded } from '../ended.ts';
import type { Kept, LastSession } from '../outbox/answers.ts';
import { readStored, storeLocally } from '../stored.ts';
import { setTimeZone } from '../ui/format/format.ts';
import { toast } from '../ui/page/toast.tsx';
import { clearUndo } from '../ui/page/undo.ts';
import { LATE } from '../unanswered.ts';
import { setShared } from './shared-link.ts';

/** Time without a response, in ms, after which the screen says that there is no connection. */
const SILENCE_MS = 2000;
/** Interval of requests to the server, in ms, while a cached session is shown. */
const AGAIN_MS = 30_000;
/** Time, in ms, for which the server's response about the session waits for the cached session, which comes with lists that take the server longer. */
const STORAGE_MS = 500;

type Session = LastSession['session'];
const isEnd = (error: unknown) => error instanceof ApiError && error.status === 401;
// A server error does not end the session.
const isSilence = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);
const pause = (ms: number) => new Promise<void>((then) => setTimeout(then, ms));
const nothing = () => undefined;

/** Time of the cached responses on the screen, in ms since 1970 by the server's clock. */
let shownOf: number | undefined;
const isOutdated = () => shownOf !== undefined && (serverTime() ?? 0) - shownOf > ANSWERS_LIFE_MS;

function answered(session: Session): SessionUser {
  setEnded(false);
  shownOf = undefined;
  // Responses of another person must be deleted (decision 064).
  if (session.user.conserva) deleteOthers(session.user.id);
  else deleteStored();
  return adopted(session);
}

let last: LastSession | undefined;
/** Returns the last response about this session, which a telephone may cache. */
export const lastAnswer = (): LastSession | undefined => last;

function adopted(session: Session, at = Date.now()): SessionUser {
  const { user, negocio } = session;
  last = { session, at };
  setTimeZone(negocio.timezone);
  adoptAppearance(negocio);
  setShared(negocio.direccion, mayEver(user, 'settings:manage'));
  deleteDrafts(user.id);
  clearUndo(user.id);
  return user;
}

/** Returns the session of the server or, until its response, the session cached on this telephone. Throws if there is neither. */
async function openSession(): Promise<SessionUser> {
  const asked = call(getUser);
  const kept = lastKept().catch(nothing);
  let refusal: unknown;
  const response = asked.then(
    ({ user }) => (user.conserva ? Promise.race([kept, pause(STORAGE_MS).then(nothing)]) : undefined),
    (error: unknown) => {
      refusal = error;
      return kept;
    },
  );
  const known = await Promise.race([kept, response]);
  if (!known) return answered(await asked);
  if (isEnd(refusal) && outlives(known.session.user)) return goOnEnded(known);
  if (refusal && !isSilence(refusal)) throw refusal;
  show(known);
  const late = setTimeout(markOffline, SILENCE_MS);
  void response.then(() => clearTimeout(late));
  void confirm(asked, known.session.user.id);
  return adopted(known.session, known.at);
}

function show(known: Kept): void {
  shownOf = known.serverAt;
  known.show();
}

/** Lets a carrier go on with the cached list after the session has ended. A new session needs the password. */
function goOnEnded(known: Kept): SessionUser {
  show(known);
  setEnded(true);
  return adopted(known.session, known.at);
}

/** Goes on with a carrier's cached session if the browser lost its cookie when closed; null for other roles. */
async function withoutCookie(): Promise<SessionUser | null> {
  const known = await lastKept().catch(nothing);
  return known && outlives(known.session.user) ? goOnEnded(known) : null;
}

/** True if the lists stay on the screen after the session has ended: a carrier's (decision 064). */
const outlives = (user: SessionUser) => mayEver(user, 'device:outbox');

// Keeps the lists on a carrier's phone until they are outdated.
whenSessionEnds((user) => {
  const stays = outlives(user) && !isOutdated();
  if (stays) setEnded(true);
  return stays;
});

/** Requests the session until the server answers: applies its settings, stops on a refusal, and replaces the person if another signed in. */
async function confirm(asked: Promise<Session>, person: string): Promise<void> {
  const find = () => queryClient.getQueryCache().find({ queryKey: SESSION_KEY });
  const shown = find();
  // True if signed out or ended meanwhile.
  const isGone = () => find() !== shown || shown?.state.data === null;
  for (let next = asked; ; next = call(getUser)) {
    const session = await next.catch((error: unknown) => (isSilence(error) ? undefined : null));
    if (session === null || isGone()) return;
    if (session) return confirmed(session, person);
    await reachable();
    if (isGone()) return;
  }
}

const reachable = () =>
  new Promise<void>((then) => {
    const stop = whenReachable(then);
    void pause(AGAIN_MS).then(stop).then(then);
  });

function confirmed(session: Session, person: string): void {
  const user = answered(session);
  const isSame = user.id === person;
  if (!isSame) queryClient.clear();
  queryClient.setQueryData(SESSION_KEY, user);
  if (!isSame) return void leave();
  const answer = { session, at: Date.now(), serverAt: serverTime() };
  void import('../outbox/answers.ts').then(({ storeAnswers }) => storeAnswers(answer)).catch(nothing);
}

function refused(error: unknown): null {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return null;
  throw error;
}

const session = queryOptions<SessionUser | null>({
  queryKey: SESSION_KEY,
  // A refusal means signed out (specification, section 4); without a response that is unknown.
  queryFn: () => (mayHaveSession() ? openSession().catch(refused) : withoutCookie()),
  // Retries once, because one lost request would leave a white page until the next request, seconds later.
  retry: (failures, error) => failures === 0 && error instanceof ApiError && error.status === 0 && error.code !== LATE,
  retryDelay: 500,
  staleTime: Number.POSITIVE_INFINITY,
});

// Deletes cached responses when the session ends, also for roles that cache none and while a screen is still loading.
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'success') return;
  if (event.query.queryHash === hashKey(SESSION_KEY) && event.query.state.data === null) deleteStored();
});

// Keeps the last settings for times without coverage, even while no screen uses them.
queryClient.setQueryDefaults(SESSION_KEY, { gcTime: Number.POSITIVE_INFINITY });

/** Returns the signed-in person, or null. Fetched once and cached until sign-out or a 401. */
export const fetchSession = (): Promise<SessionUser | null> => queryClient.ensureQueryData(session);

/** Refetches the session, after signing in or a change to the own account. */
export async function refreshSession(): Promise<SessionUser> {
  const user = answered(await call(getUser));
  queryClient.setQueryData(SESSION_KEY, user);
  return user;
}

// Posts and listens on the same object, which does not receive its own messages.
const otherTabs = new BroadcastChannel('enruta-signed-out');

/** Sends a carrier's unsent steps. Returns a function that stops the outbox; shows a toast and returns undefined if steps stay unsent. */
async function allSent(): Promise<(() => void) | undefined> {
  const user = queryClient.getQueryData<SessionUser | null>(SESSION_KEY);
  if (!user || !mayEver(user, 'device:outbox')) return nothing;
  const { openOutbox, stopOutbox } = await import('../outbox/outbox.ts');
  const outbox = openOutbox(user.id);
  if ((await outbox.unsent()).length) await outbox.sendNow();
  const { length } = await outbox.unsent();
  if (length) {
    const waits = length === 1 ? 'Queda 1 acto sin enviar' : `Quedan ${length} actos sin enviar`;
    toast.error(`${waits} en este teléfono: si cierras sesión no llegarán. Envíalos cuando haya cobertura y vuelve a cerrarla.`, {
      action: { label: 'Enviar ahora', onClick: () => void outbox.sendNow() },
    });
    return undefined;
  }
  return stopOutbox;
}

/** Signs out. Returns false, still signed in, on failure or with unsent steps. */
export async function signOut(): Promise<boolean> {
  // A telephone without storage has no unsent steps.
  const stopSending = await allSent().catch(() => nothing);
  if (!stopSending) return false;
  try {
    await call(logout);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      toast.error('Error al cerrar sesión');
      return false;
    }
  }
  // Must run after the sign-out: if the sign-out fails, the screen still uses this outbox.
  stopSending();
  clearAntiForgery();
  clearPerson();
  otherTabs.postMessage(null);
  return true;
}

function clearPerson(): void {
  setEnded(false);
  queryClient.clear();
  deleteDrafts();
  clearUndo();
  deleteStored();
}

let leave = () => {};
/** Calls `listener` after a sign-out in another tab, or a response for another person, once this tab has deleted the person's data. */
export function whenSignedOutElsewhere(listener: () => void): void {
  leave = listener;
  otherTabs.onmessage = () => {
    clearPerson();
    leave();
  };
}

/** The signed-in person, for components of signed-in screens. */
export function useSession(): SessionUser {
  // During sign-out the cache is already empty while the screen is still mounted.
  const user = useRouteContext({ from: '/shell', select: (context) => context.user });
  return useQuery(session).data ?? user;
}

/** Rules for completing a delivery, which the dialog has without a connection. */
export const deliveryRules = (): ReglasEntrega | undefined => last?.session.negocio.entrega;

/*
 * Owner of the cached responses that this telephone shows until the server answers. The owner's id is written synchronously, so that a tab killed
 * before the database is deleted shows no other person's responses.
 */

const OWNER = 'enruta-respuestas-de';
const NOBODY = '';

const owner = (): string => readStored(OWNER) ?? NOBODY;

function own(person: string): void {
  storeLocally(OWNER, person);
  try {
    // IndexedDB is not in every browser, and throws if all cookies are blocked.
    globalThis.indexedDB?.deleteDatabase(ANSWERS_DB);
  } catch {
    // If IndexedDB throws, there is nothing to delete.
  }
}

/** Deletes the cached responses unless `person` owns them. */
function deleteOthers(person: string): void {
  if (owner() !== person) own(person);
}

export const deleteStored = (): void => own(NOBODY);

/** Returns the session cached on this telephone; undefined if none may be shown. Loads the code that reads it only for a telephone with an owner. */
async function lastKept(): Promise<Kept | undefined> {
  if (owner() === NOBODY) return undefined;
  const { lastSession } = await import('../outbox/answers.ts');
  const known = await lastSession();
  return owner() === known?.session.user.id ? known : undefined;
}
