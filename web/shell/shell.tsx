import './mantine.css';
import { Drawer } from '@mantine/core';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { Outlet, useRouteContext } from '@tanstack/react-router';
import { Activity, useEffect, useState } from 'react';
import { addressOf } from '../../contract/kit/address.ts';
import { mayEver, type Role } from '../../contract/policy/policy.ts';
import { PRELOAD } from '../../contract/preload/preload.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { ProveHost } from '../account/prove-dialog.tsx';
import { fetchApi } from '../api.ts';
import { Offline } from '../live/live-sign.tsx';
import { storeAnswers } from '../outbox/answers.ts';
import SignIn from '../session/auth.page.tsx';
import { EndedBar } from '../session/ended-bar.tsx';
import { lastAnswer } from '../session/session.ts';
import { useSuspended } from '../session/suspended.ts';
import { Unregistered } from '../transportista/unregistered.tsx';
import { ConfirmHost } from '../ui/dialog/confirm-dialog.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import side from './side.module.css';

takePreload();

const WEEK = 7 * 24 * 60 * 60;
/** Wait in ms before the files of other screens are fetched, so that the first screen goes first. */
const AFTER_FIRST_MS = 2000;

/** Asks the service worker to cache the files of the role's screens and, with `offline`, the page that opens them without coverage. */
async function storeProgram(role: Role, offline: boolean): Promise<void> {
  // The server of the component tests has no service worker.
  if (import.meta.env.MODE === 'test' || !('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('/service-worker.js');
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ role, offline });
}

let measuring = false;
/** Counts the seconds of this page from now on; the browser has kept what came before. */
function startMeasuring(): void {
  if (measuring) return;
  measuring = true;
  void import('../vitals/measure.ts').then(({ measureScreens }) => measureScreens()).catch(() => undefined);
}

/** Frame of the signed-in screens; shows the sign-in screen after the session has ended. */
export default function Shell() {
  const user = useRouteContext({ from: '/shell', select: (context) => context.user });
  const suspended = useSuspended();
  const { role } = user;
  const offline = user.conserva === true;
  const measures = user.mide === true && !navigator.webdriver;
  useEffect(() => {
    const timer = setTimeout(() => {
      void storeProgram(role, offline).catch(() => undefined);
      if (measures) startMeasuring();
    }, AFTER_FIRST_MS);
    return () => clearTimeout(timer);
  }, [role, offline, measures]);
  return (
    <>
      {/* A hidden frame handles no keys and sends no requests. The key remounts the frame for another person. */}
      <Activity key={user.id} mode={suspended ? 'hidden' : 'visible'}>
        {offline && <Keeping user={user} />}
        <Frame carrier={mayEver(user, 'device:outbox')} />
      </Activity>
      {suspended && <SignIn />}
    </>
  );
}

/** Stores the person's last answers on this phone, so that the program opens without coverage. */
function Keeping({ user }: { user: SessionUser }) {
  useEffect(() => {
    const answered = lastAnswer();
    if (answered?.session.user.id === user.id) void storeAnswers(answered).catch(() => undefined);
  }, [user.id]);
  return null;
}

function Frame({ carrier }: { carrier: boolean }) {
  const phone = usePhone();
  const { collapsed, toggle } = useSidebar();
  const [drawer, { toggle: toggleDrawer, close }] = useDisclosure();
  const navigation = <Side phone={phone} collapsed={collapsed} opened={drawer} onClose={close} />;
  const onToggle = phone ? toggleDrawer : toggle;
  // Works inside fields too: Ctrl+B does nothing in a plain text field.
  useHotkeys([['mod+B', onToggle]], []);

  return (
    <div className={classes.root} data-collapsed={collapsed || undefined}>
      <a href="#contenido" className={classes.skip}>
        Saltar al contenido
      </a>
      {phone ? navigation : <aside className={classes.side}>{navigation}</aside>}
      <div className={classes.column}>
        <Header phone={phone} navigationOpen={phone ? drawer : !collapsed} onToggle={onToggle} />
        <main id="contenido" tabIndex={-1} className={classes.main}>
          <Offline />
          {carrier && <EndedBar />}
          {carrier && <Unregistered />}
          <Outlet />
        </main>
      </div>
      <ConfirmHost />
      <ProveHost />
    </div>
  );
}

/** State of the sidebar: the last choice (kept for a week), else collapsed in a narrow window. */
function useSidebar() {
  const narrow = useMediaQuery('(max-width: 74.99em)', false, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState(() => /(?:^|;\s*)sidebar=(\w+)/.exec(document.cookie)?.[1]);
  const collapsed = chosen ? chosen === 'collapsed' : narrow;
  function toggle() {
    const next = collapsed ? 'expanded' : 'collapsed';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
    document.cookie = `sidebar=${next}; path=/; max-age=${WEEK}; samesite=lax`;
    setChosen(next);
  }
  return { collapsed, toggle };
}

/** Prefetches the requests that the server preloaded in the page's head, so that the first render has the data. */
function takePreload(): void {
  const named = new Set([...document.querySelectorAll('link[as="fetch"]')].map((link) => link.getAttribute('href')));
  for (const { endpoint, query } of PRELOAD[location.pathname]?.asks ?? [])
    if (named.has(addressOf(endpoint.path, { query }))) fetchApi(endpoint, { query });
}

type Props = { phone: boolean; collapsed: boolean; opened: boolean; onClose: () => void };

function Side({ phone, collapsed, opened, onClose }: Props) {
  if (!phone) return <Navigation collapsed={collapsed} />;
  return (
    // Composed by hand because `Drawer` puts the label on the wrapper, not on the dialog.
    <Drawer.Root opened={opened} onClose={onClose} size="18rem" padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Navegación">
        <Drawer.Body className={side.drawer}>
          <Navigation onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
