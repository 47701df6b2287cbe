import { Badge, Button, Group, Text } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { closeOtherSessions, listSessions, type OwnSession } from '../../contract/account/account.ts';
import { useApi, useMutate } from '../api.ts';
import { renewSubscription } from '../push/browser.ts';
import { ago, fechaHora } from '../ui/format/format.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import classes from './account.module.css';
import { deviceOf } from './device.ts';

export function SessionsSection() {
  const sessions = useApi(listSessions, {}, { staleTime: 0 });
  const close = useMutate(closeOtherSessions, {
    failure: 'No se pudieron cerrar las sesiones',
    invalidates: [listSessions],
    onSuccess: () => void renewSubscription(),
  });
  const aside = sessions.data && sessions.data.data.length > 1 && (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconLogout size={14} aria-hidden />}
      disabled={close.isPending}
      onClick={() => close.mutate({})}
    >
      Cerrar las demás
    </Button>
  );

  return (
    <Panel title="Sesiones" aside={aside}>
      <Loaded query={sessions} failed="No se pudieron cargar las sesiones" waiting={<Skeletons heights={[64]} />}>
        {({ data }) => (
          <ul className={classes.sessions} aria-label="Sesiones abiertas">
            {data.map((session, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sessions have no id that may leave the server
              <Session key={i} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

const Session = ({ session: { ip, user_agent, created_at, last_seen_at, actual } }: { session: OwnSession }) => (
  <li>
    <Group>
      <Text fw={600}>{deviceOf(user_agent)}</Text>
      {actual && <Badge color="gray">Esta sesión</Badge>}
    </Group>
    <Text size="xs" c="dimmed">
      {[ip, `abierta el ${fechaHora(created_at)}`, `última actividad: ${ago(last_seen_at).toLowerCase()}`].filter(Boolean).join(' · ')}
    </Text>
  </li>
);
