import { createRootRoute, createRoute, createRouter, type RouteComponent, redirect } from '@tanstack/react-router';
import type { SessionUser } from '../contract/session/session.ts';
import { destinationAfterSignIn, homePath, mayOpen } from './access.ts';
import { mayHaveSession } from './anti-forgery.ts';
import { whenSessionChanges } from './api.ts';
import { CrashPage } from './crash-page.tsx';
import { lazyScreen } from './lazy.ts';
import { INSIDE, OPEN, type Screen } from './routes.ts';
import { fetchSession, whenSignedOutElsewhere } from './session/session.ts';
import { dropSuspended, suspendAt, suspendedScreen } from './session/suspended.ts';
import { LazyRows } from './ui/list/load-rows.ts';
import { Loading } from './ui/page/loading.tsx';
import { isPhone } from './ui/page/use-phone.ts';

// Keeps search parameters as text; pages type them with `useSearchState`.
type Search = Partial<Record<string, string | number>>;
const parseSearch = (search: string): Search => Object.fromEntries(new URLSearchParams(search));
function stringifySearch(search: Search): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') params.set(name, String(value));
  return params.size ? `?${params}` : '';
}

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
  notFoundComponent: lazyScreen(() => import('./not-found.page.tsx')),
});

type Page = { default: RouteComponent };
const PAGES = import.meta.glob<Page>('./**/*.page.tsx');
/** Screens without a session, in the first file of the bundle, so that they appear after one request. */
const PUBLIC = import.meta.glob<Page>('./session/*.page.tsx', { eager: true });

/** Loads the module of a screen by its name in the sitemap (routes.ts). Throws if there is no such module. */
function loadPage(page: string): Promise<Page> {
  const load = PAGES[`./${page}.page.tsx`];
  if (!load) throw new Error(`The sitemap names ${page}.page.tsx, which is not there`);
  return load();
}

function frame() {
  const shell = import('./shell/shell.tsx');
  if (isPhone()) return shell;
  return Promise.all([shell, LazyRows.preload?.()]).then(([module]) => module);
}

// Asks for the session, the frame and the screen of this address before anything is drawn; the router reports failures.
const here = INSIDE.find(({ path }) => path === location.pathname);
if (here && mayHaveSession()) Promise.all([frame(), loadPage(here.page), fetchSession()]).catch(() => undefined);

/** Frame of the signed-in screens, in its own chunk to keep the sign-in page small. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const user = await fetchSession();
    if (user) return { user };
    const suspended = suspendedScreen();
    if (suspended?.href === location.href) return { user: suspended.user };
    throw redirect({ to: '/auth', search: location.href === '/' ? {} : { volver: location.href } });
  },
  component: lazyScreen(frame),
});

/** Redirects to the account screen while a step is pending, and home from screens of other roles. */
function guard(screen: Screen, user: SessionUser) {
  if (user.pending && screen.path !== '/mi-cuenta') throw redirect({ to: '/mi-cuenta', replace: true });
  const home = homePath(user);
  if (!mayOpen(screen, user) || (screen.path === '/' && home !== '/')) throw redirect({ to: home, replace: true });
}

const signedIn = <P extends string>(screen: Screen<P>) =>
  createRoute({
    getParentRoute: () => shell,
    path: screen.path,
    staticData: { title: screen.title },
    beforeLoad: ({ context }) => guard(screen, context.user),
    component: lazyScreen(() => loadPage(screen.page)),
  });

const open = <P extends string>(screen: Screen<P>) =>
  createRoute({
    getParentRoute: () => root,
    path: screen.path,
    staticData: { title: screen.title },
    beforeLoad: async ({ search }) => {
      if (screen.path !== '/auth') return;
      const user = await fetchSession();
      if (user) throw redirect({ href: destinationAfterSignIn(user, search.volver), replace: true });
    },
    component: PUBLIC[`./${screen.page}.page.tsx`]?.default,
  });

// Types each route by its path, so that a link to a missing screen does not compile.
type Inside<S> = { -readonly [I in keyof S]: S[I] extends Screen<infer P> ? ReturnType<typeof signedIn<P>> : never };
type Open<S> = { -readonly [I in keyof S]: S[I] extends Screen<infer P> ? ReturnType<typeof open<P>> : never };
// `map` loses the type of each position of the tuple.
const inside = INSIDE.map((screen) => signedIn<string>(screen)) as unknown as Inside<typeof INSIDE>;
const outside = OPEN.map((screen) => open<string>(screen)) as unknown as Open<typeof OPEN>;
const tree = root.addChildren([shell.addChildren(inside), ...outside]);

/** Router of a window; follows changes of the session. */
export function createAppRouter() {
  const router = createRouter({
    routeTree: tree,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    // The default shows the loading state for at least half a second.
    defaultPendingMinMs: 0,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });

  // A screen whose session has ended stays mounted, hidden behind the sign-in screen and with its address.
  whenSessionChanges((gone) => {
    const inside = router.state.matches.some(({ routeId }) => routeId === shell.id);
    if (!gone || !inside) return void router.invalidate();
    suspendAt(router, gone);
  });

  router.subscribe('onResolved', ({ toLocation }) => {
    if (suspendedScreen() && suspendedScreen()?.href !== toLocation.href) dropSuspended();
  });

  whenSignedOutElsewhere(() => {
    dropSuspended();
    void router.invalidate();
  });

  // Sets the tab's title, and focuses a new screen, or the section that its address names, so that screen readers start there.
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    const { matches } = router.state;
    const missing = matches.some((match) => match._notFound || match.status === 'notFound');
    const title = missing ? 'Página no encontrada' : matches.at(-1)?.staticData.title;
    // A payment page is served with the business's name in its title.
    if (!title || !document.title.startsWith(`${title} · `)) document.title = title ? `${title} · Enruta` : 'Enruta';
    // A dialog opened while the screen was loading keeps the focus.
    if (document.querySelector('[aria-modal="true"]')) return;
    if (!fromLocation || !pathChanged) return;
    const screen = document.getElementById('contenido');
    // A form that has focused its first field keeps the focus.
    if (!toLocation.hash && screen?.contains(document.activeElement) && document.activeElement?.matches('input, textarea')) return;
    (document.getElementById(toLocation.hash) ?? screen)?.focus({ preventScroll: true });
  });

  return router;
}
export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface StaticDataRouteOption {
    title?: string;
  }
  interface HistoryState {
    suspended?: boolean;
    /** True if a dialog was opened in this history entry: closing the dialog goes back. */
    dialog?: boolean;
  }
}
