import '@mantine/core/styles/Indicator.css';
import { ActionIcon, Button, Group, Indicator, Popover, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { listNotifications, type Notification, readNotifications } from '../../contract/notifications.ts';
import { useApi, useMutate } from '../api.ts';
import { hace } from '../ui/format.ts';
import classes from './bell.module.css';

/** What concerns this person, with how much of it is unread. */
export function Bell() {
  const [opened, { toggle, close }] = useDisclosure();
  const { data, error } = useApi(listNotifications, {}, { refetchInterval: 60_000 });
  const read = useMutate(readNotifications, { success: false, failure: false, invalidates: [listNotifications] });
  const { history } = useRouter();
  const unread = data?.unread ?? 0;

  const follow = ({ id, enlace, read_at }: Notification) => {
    if (!read_at) read.mutate({ body: { ids: [id] } });
    close();
    history.push(enlace);
  };

  return (
    <Popover opened={opened} onClose={close} position="bottom-end" width={340} trapFocus returnFocus shadow="md">
      <Indicator label={unread > 99 ? '99+' : unread} size={16} offset={6} disabled={unread === 0} color="red">
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={unread ? `Avisos: ${unread} sin leer` : 'Avisos'}
            aria-expanded={opened}
            onClick={toggle}
          >
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0} role="dialog" aria-label="Avisos">
        <Group justify="space-between" px="md" py="xs">
          <Text fw={600}>Avisos</Text>
          <Button size="compact-sm" variant="subtle" disabled={unread === 0} onClick={() => read.mutate({ body: {} })}>
            Marcar todo como leído
          </Button>
        </Group>
        <ScrollArea.Autosize mah="min(60vh, 26rem)">
          {error && !data && (
            <Text p="md" role="alert">
              {error.message}
            </Text>
          )}
          {data?.data.length === 0 && (
            <Text p="md" c="dimmed">
              No hay avisos. Aquí verás lo que pase con tus pedidos.
            </Text>
          )}
          <Stack gap={0} component="ul" className={classes.list}>
            {data?.data.map((notification) => (
              <li key={notification.id}>
                <UnstyledButton
                  className={classes.item}
                  data-unread={!notification.read_at || undefined}
                  onClick={() => follow(notification)}
                >
                  <Text size="sm" fw={notification.read_at ? 400 : 600}>
                    {notification.texto}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {hace(notification.created_at)}
                    {!notification.read_at && ' · sin leer'}
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
