import '@mantine/core/styles/Switch.css';
import { Badge, Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getPush, type PushDevice, unsubscribePush } from '../../contract/push/push.ts';
import { useApi, useMutate } from '../api.ts';
import { ownEndpoint, pushObstacle, turnOff, turnOn } from '../push/browser.ts';
import { fechaHora } from '../ui/format/format.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { toast } from '../ui/page/toast.tsx';
import classes from './account.module.css';
import { deviceName } from './device.ts';

export function PushSection() {
  const query = useApi(getPush, {}, { staleTime: 0 });
  const hindered = pushObstacle();
  const push = query.data?.data;
  return (
    <Panel title="Avisos">
      {push && !push.enabled ? (
        <Reason text="Los avisos en el navegador están desactivados en la configuración. Los sigues viendo en la campana." />
      ) : hindered ? (
        <Reason text={hindered} />
      ) : (
        <Loaded query={query} failed="No se pudieron cargar los avisos" waiting={<Skeletons heights={[44]} />}>
          {({ data }) => <ThisBrowser publicKey={data.public_key} devices={data.devices} onChange={() => void query.refetch()} />}
        </Loaded>
      )}
      {push?.enabled && !push.apple && (
        <Reason text="Los iPhone, iPad y Mac no los recibirán: Apple pide un contacto. Pon el email de la empresa en Configuración o abre Enruta en una dirección https." />
      )}
      {push && <Devices publicKey={push.public_key} devices={push.devices} />}
    </Panel>
  );
}

const Reason = ({ text }: { text: string }) => <Text c="dimmed">{text}</Text>;

type Props = { publicKey: string; devices: readonly PushDevice[] };

const useOwnEndpoint = (publicKey: string) =>
  useQuery({
    queryKey: ['push-subscription', publicKey],
    queryFn: () => (pushObstacle() === undefined ? ownEndpoint(publicKey) : null),
    staleTime: 0,
  });

function ThisBrowser({ publicKey, devices, onChange }: Props & { onChange: () => void }) {
  const own = useOwnEndpoint(publicKey);
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnOn(publicKey) : turnOff()),
    onSuccess: (_, on) => toast.success(on ? 'Te avisaremos en este navegador' : 'Ya no te avisaremos en este navegador'),
    onError: ({ message }) => toast.error(message, { title: 'No se pudieron cambiar los avisos' }),
    onSettled: () => {
      void own.refetch();
      onChange();
    },
  });
  const on = !!own.data && devices.some(({ endpoint }) => endpoint === own.data);
  return (
    <Switch
      label="Avisarme en este navegador"
      description="También con Enruta cerrado y la sesión terminada: no lo actives en un navegador que usen otras personas"
      checked={change.isPending ? change.variables : on}
      disabled={change.isPending || own.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

/** Lists all the person's subscribed browsers, so that a lost device can be removed. */
function Devices({ publicKey, devices }: Props) {
  const own = useOwnEndpoint(publicKey);
  const end = useMutate(unsubscribePush, { failure: 'No se pudieron quitar los avisos', invalidates: [getPush] });
  if (devices.length === 0) return null;
  return (
    <Stack gap={4} mt="md">
      <Text fw={600} id="push-devices">
        Navegadores que reciben tus avisos
      </Text>
      <ul className={classes.sessions} aria-labelledby="push-devices">
        {devices.map(({ endpoint, user_agent, created_at }) => (
          <li key={endpoint}>
            <Group justify="space-between">
              <Group>
                <Text>{deviceName(user_agent)}</Text>
                {endpoint === own.data && <Badge color="gray">Este navegador</Badge>}
              </Group>
              <Button
                variant="default"
                size="xs"
                aria-label={`Quitar los avisos de ${deviceName(user_agent)}`}
                disabled={end.isPending}
                onClick={() => end.mutate({ body: { endpoint } })}
              >
                Quitar
              </Button>
            </Group>
            <Text variant="detail">Desde el {fechaHora(created_at)}</Text>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
