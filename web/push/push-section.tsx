import '@mantine/core/styles/Switch.css';
import { Skeleton, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getPush } from '../../contract/push.ts';
import { Section } from '../account/section.tsx';
import { useApi } from '../api.ts';
import { ErrorState } from '../ui/list/error-state.tsx';
import { toast } from '../ui/page/toast.tsx';
import { obstacle, ownEndpoint, turnOff, turnOn } from './browser.ts';

/** Turns push notifications on and off in this browser, if the settings and the browser allow it. */
export function PushSection() {
  const { data, error, refetch } = useApi(getPush, {}, { staleTime: 0 });
  const hindered = obstacle();
  const push = data?.data;
  return (
    <Section title="Avisos">
      {push && !push.enabled ? (
        <Reason text="Los avisos en el navegador están desactivados en la configuración. Los sigues viendo en la campana." />
      ) : hindered ? (
        <Reason text={hindered} />
      ) : push ? (
        <ThisBrowser publicKey={push.public_key} endpoints={push.endpoints} onChange={() => void refetch()} />
      ) : error ? (
        <ErrorState title="No se pudieron cargar los avisos" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={44} role="status" aria-label="Cargando..." />
      )}
    </Section>
  );
}

const Reason = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);

type Props = { publicKey: string; endpoints: readonly string[]; onChange: () => void };

function ThisBrowser({ publicKey, endpoints, onChange }: Props) {
  const own = useQuery({ queryKey: ['push-subscription', publicKey], queryFn: () => ownEndpoint(publicKey), staleTime: 0 });
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnOn(publicKey) : turnOff()),
    onSuccess: (_, on) => toast.success(on ? 'Te avisaremos en este navegador' : 'Ya no te avisaremos en este navegador'),
    onError: ({ message }) => toast.error(message, { title: 'No se pudieron cambiar los avisos' }),
    onSettled: () => {
      void own.refetch();
      onChange();
    },
  });
  const on = !!own.data && endpoints.includes(own.data);
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
