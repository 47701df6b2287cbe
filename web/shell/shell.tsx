import './mantine.css';
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { Outlet, useRouteContext } from '@tanstack/react-router';
import { Activity, Suspense, useEffect, useState } from 'react';
import { addressOf } from '../../contract/kit/address.ts';
import { mayEver } from '../../contract/policy/policy.ts';
import { PRELOAD } from '../../contract/preload/preload.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import { fetchApi, whenProofIsAsked } from '../api.ts';
import { useEnded } from '../ended.ts';
import { later, lazyPart } from '../lazy.ts';
import { Offline } from '../live/offline.tsx';
import { outboxParts } from '../pedidos/actions/outbox-parts.ts';
import { lastAnswer } from '../session/session.ts';
import { useSuspended } from '../session/suspended.ts';
import { whenConfirmationIsAsked } from '../ui/dialog/confirm.ts';
import { Loading } from '../ui/page/loading.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { Header } from './header.tsx';
import classes from './shell.module.css';

// Loaded on demand, when a session ends.
const SignIn = lazyPart(() => import('../session/auth.page.tsx'));
const side = later(() => import('./side.tsx'));
// Stores the program's files and the person's last answers, so that the program opens without coverage.
const offline = later(() => import('../outbox/answers.ts'));
const ended = later(() => import('../session/ended-bar.tsx'));
const unregistered = later(() => import('../transportista/unregistered.tsx'));
const questions = later(() => import('./questions.tsx').then((m) => m.questions));

takePreload();

const WEEK = 7 * 24 * 60 * 60;

/** Frame of the signed-in screens; shows the sign-in screen after the session has ended. */
export default function Shell() {
  const { user } = useRouteContext({ from: '/shell' });
  const suspended = useSuspended();
  return (
    <>
      {/* A hidden frame handles no keys and sends no requests. The key remounts the frame for another person. */}
      <Activity key={user.id} mode={suspended ? 'hidden' : 'visible'}>
        {mayEver(user, 'device:outbox') && <Sending user={user} />}
        {mayEver(user, 'device:answers') && <Keeping user={user} />}
        <Frame carrier={mayEver(user, 'device:outbox')} />
      </Activity>
      {suspended && (
        <Suspense fallback={<Loading />}>
          <SignIn />
        </Suspense>
      )}
    </>
  );
}

function Sending({ user }: { user: SessionUser }) {
  const parts = outboxParts.useParts(false);
  useEffect(() => void parts?.outboxFor(user), [parts, user]);
  return null;
}

function Keeping({ user }: { user: SessionUser }) {
  const keeper = offline.useParts(false);
  useEffect(() => {
    const answered = lastAnswer();
    if (answered?.session.user.id === user.id) void keeper?.keepForOffline(answered);
  }, [keeper, user.id]);
  return null;
}

function Carrier() {
  const bar = ended.useParts(useEnded());
  const parts = unregistered.useParts(false);
  return (
    <>
      {bar && <bar.EndedBar />}
      {parts && <parts.Unregistered />}
    </>
  );
}

function Frame({ carrier }: { carrier: boolean }) {
  const phone = usePhone();
  const { collapsed, toggle } = useSidebar();
  const [drawer, { toggle: toggleDrawer, close }] = useDisclosure();
  const parts = side.useParts(!phone || drawer);
  const navigation = parts && <parts.Side phone={phone} collapsed={collapsed} opened={drawer} onClose={close} />;
  const asked = questions.useParts(false);
  const onToggle = phone ? toggleDrawer : toggle;
  // Works inside fields too: Ctrl+B does nothing in a plain text field.
  useHotkeys([['mod+B', onToggle]], []);
  useEffect(() => whenProofIsAsked(async () => (await questions.get()).prove()), []);
  useEffect(() => whenConfirmationIsAsked(async (question) => (await questions.get()).ask(question)), []);

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
          {carrier && <Carrier />}
          <Outlet />
        </main>
      </div>
      {asked && <asked.Questions />}
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
