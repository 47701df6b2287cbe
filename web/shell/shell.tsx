import './mantine.css';
import { Drawer } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useRouteContext } from '@tanstack/react-router';
import { Activity, Suspense } from 'react';
import { ProveHost } from '../account/prove-dialog.tsx';
import { lazyPart } from '../lazy.ts';
import { Offline } from '../live/offline.tsx';
import { useHeld } from '../session/held.ts';
import { ConfirmHost } from '../ui/dialog/confirm.tsx';
import { Loading } from '../ui/page/loading.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { useSidebar } from './sidebar.ts';

// Arrives when a session has ended.
const SignIn = lazyPart(() => import('../session/auth.page.tsx'));

/** Every signed-in screen; while its session has ended, the sign-in screen in its place. */
export default function Shell() {
  const { user } = useRouteContext({ from: '/shell' });
  const held = useHeld();
  return (
    <>
      {/* Hidden it hears no key and asks for nothing; what another person finds is new. */}
      <Activity key={user.id} mode={held ? 'hidden' : 'visible'}>
        <Frame />
      </Activity>
      {held && (
        <Suspense fallback={<Loading />}>
          <SignIn />
        </Suspense>
      )}
    </>
  );
}

/** The frame around every signed-in screen. */
function Frame() {
  const phone = usePhone();
  const { collapsed, toggle } = useSidebar();
  const [drawer, { toggle: toggleDrawer, close }] = useDisclosure();
  const onToggle = phone ? toggleDrawer : toggle;
  // Works inside fields too: Ctrl+B does nothing in a plain text field.
  useHotkeys([['mod+B', onToggle]], []);

  return (
    <div className={classes.root} data-collapsed={collapsed || undefined}>
      <a href="#contenido" className={classes.skip}>
        Saltar al contenido
      </a>
      {phone ? (
        // Composed by hand because `Drawer` puts the label on the wrapper, not on the dialog.
        <Drawer.Root opened={drawer} onClose={close} size="18rem" padding={0}>
          <Drawer.Overlay />
          <Drawer.Content aria-label="Navegación">
            <Drawer.Body className={classes.drawer}>
              <Navigation onNavigate={close} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <aside className={classes.side}>
          <Navigation collapsed={collapsed} />
        </aside>
      )}
      <div className={classes.column}>
        <Header phone={phone} navigationOpen={phone ? drawer : !collapsed} onToggle={onToggle} />
        <main id="contenido" tabIndex={-1} className={classes.main}>
          <Offline />
          <Outlet />
        </main>
      </div>
      <ConfirmHost />
      <ProveHost />
    </div>
  );
}
