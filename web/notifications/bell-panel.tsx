import { Button, Group, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { listNotifications, type Notification, readNotifications } from '../../contract/notifications.ts';
import { useApi, useMutate } from '../api.ts';
import { ago } from '../ui/format/format.ts';
import classes from './bell.module.css';

/** The person's latest notifications; following one marks it as read. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
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
      <Group justify="space-between" px="md" py="xs">
        <Text fw={600}>Avisos</Text>
        <Button size="compact-sm" variant="subtle" disabled={!data?.unread} onClick={() => read.mutate({ body: {} })}>
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
