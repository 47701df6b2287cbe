import { ActionIcon, Button, Group, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { listNotifications, type Notification, readNotifications } from '../../contract/notifications/notifications.ts';
import { useApi, useMutate } from '../api.ts';
import { ago } from '../ui/format/format.ts';
import classes from './bell.module.css';

export function Bell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { data } = useApi(listNotifications, {}, { refetchInterval: 60_000 });
  const unread = data?.unread ?? 0;
  const count = unread > 99 ? '99+' : String(unread);
  const bell = useRef<HTMLButtonElement>(null);
  // Listens on the window: a button pressed in the panel may be gone, and the focus with it.
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened) return;
    close();
    bell.current?.focus({ preventScroll: true });
  });
  return (
    <div className={classes.root}>
      {unread > 0 && (
        <span className={classes.count} aria-hidden>
          {count}
        </span>
      )}
      <Popover opened={opened} onClose={close} position="bottom-end" width={340} trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon
            ref={bell}
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread ? `Avisos: ${count} sin leer` : 'Avisos'}
            aria-expanded={opened}
            aria-haspopup="dialog"
            onClick={toggle}
          >
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={0} role="dialog" aria-label="Avisos">
          <Notices onClose={close} />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

/** Latest notifications; following a notification marks it as read. */
function Notices({ onClose }: { onClose: () => void }) {
  const { data, error } = useApi(listNotifications, {});
  const read = useMutate(readNotifications, { success: false, failure: false, invalidates: [listNotifications] });
  const { history } = useRouter();

  const follow = ({ id, enlace, read_at }: Notification) => {
    if (!read_at) read.mutate({ body: { ids: [id] } });
    onClose();
    history.push(enlace);
  };

  return (
    <>
      <Group gap="md" justify="space-between" px="md" py="xs">
        <Text variant="title">Avisos</Text>
        <Button size="compact-sm" variant="subtle" disabled={!data?.unread} onClick={() => read.mutate({ body: {} })}>
          Marcar todo como leído
        </Button>
      </Group>
      <ScrollArea.Autosize mah="min(60vh, 26rem)">
        {error && !data && (
          <Text size="md" p="md" role="alert">
            {error.message}
          </Text>
        )}
        {data?.data.length === 0 && (
          <Text size="md" p="md" c="dimmed">
            No hay avisos. Aquí verás lo que pase con tus pedidos.
          </Text>
        )}
        <Stack gap={0} component="ul">
          {data?.data.map((notification) => (
            <li key={notification.id}>
              <UnstyledButton
                className={classes.item}
                data-unread={!notification.read_at || undefined}
                onClick={() => follow(notification)}
              >
                <Text fw={notification.read_at ? 400 : 600}>{notification.texto}</Text>
                <Text variant="detail">
                  {ago(notification.created_at)}
                  {!notification.read_at && ' · sin leer'}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </>
  );
}
