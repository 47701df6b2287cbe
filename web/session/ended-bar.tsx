import '@mantine/core/styles/Alert.css';
import { Alert, Button, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEnded } from '../ended.ts';
import { useSession } from './session.ts';
import { suspendAt } from './suspended.ts';

/** Bar above the list of a carrier whose session has ended; links to the sign-in screen. */
export function EndedBar() {
  const ended = useEnded();
  const router = useRouter();
  const user = useSession();
  if (!ended) return null;
  return (
    <Alert color="orange" role="status" mb="md" p="sm" title="Tu sesión ha terminado">
      <Text>Puedes seguir: lo que hagas se guarda en este teléfono. Entra para enviarlo y ver lo nuevo.</Text>
      <Button size="sm" mt="xs" mih={48} onClick={() => suspendAt(router, user)}>
        Entrar
      </Button>
    </Alert>
  );
}
