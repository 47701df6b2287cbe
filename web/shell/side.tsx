import { Drawer } from '@mantine/core';
import { Navigation } from './navigation.tsx';
import classes from './side.module.css';

type Props = { phone: boolean; collapsed: boolean; opened: boolean; onClose: () => void };

/** Navigation: a sidebar, or a drawer on a phone. */
export function Side({ phone, collapsed, opened, onClose }: Props) {
  if (!phone) return <Navigation collapsed={collapsed} />;
  return (
    // Composed by hand because `Drawer` puts the label on the wrapper, not on the dialog.
    <Drawer.Root opened={opened} onClose={onClose} size="18rem" padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Navegación">
        <Drawer.Body className={classes.drawer}>
          <Navigation onNavigate={onClose} />
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
