import './mantine.css';
import { Drawer } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { ConfirmHost } from '../ui/dialog/confirm.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { useSidebar } from './sidebar.ts';

/** The frame around every signed-in screen. */
export default function Shell() {
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
          <Outlet />
        </main>
      </div>
      <ConfirmHost />
    </div>
  );
}
