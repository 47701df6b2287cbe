import '@mantine/core/styles/Indicator.css';
import { ActionIcon, Indicator, Popover, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { Suspense } from 'react';
import { listNotifications } from '../../contract/notifications.ts';
import { useApi } from '../api.ts';
import { lazyPart } from '../lazy.ts';

// What is behind the bell arrives when it is opened.
const BellPanel = lazyPart(() => import('./bell-panel.tsx'));

/** How much of what concerns this person is unread, on every screen. */
export function Bell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { data } = useApi(listNotifications, {}, { refetchInterval: 60_000 });
  const unread = data?.unread ?? 0;
  const count = unread > 99 ? '99+' : String(unread);
  // Wherever the focus is: the button that was pressed in the panel may be gone, or the panel not there yet.
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && close());
  return (
    <Popover opened={opened} onClose={close} position="bottom-end" width={340} trapFocus returnFocus shadow="md">
      <Indicator label={count} size={16} offset={6} disabled={unread === 0} color="red">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread ? `Avisos: ${count} sin leer` : 'Avisos'}
            aria-expanded={opened}
            onClick={toggle}
          >
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} role="dialog" aria-label="Avisos">
        <Suspense
          fallback={
            <Text size="sm" p="sm">
              Cargando...
            </Text>
          }
        >
          <BellPanel onClose={close} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
