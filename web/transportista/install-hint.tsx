import '@mantine/core/styles/Alert.css';
import { Alert, Button, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useLostSince } from '../connection.ts';
import { installWords, isInstalled } from '../outbox/installed.ts';

/** Explains how to install the program until dismissed, in a browser tab with coverage. Stands below the list, which matters more. */
export function InstallHint() {
  const lost = useLostSince() !== undefined;
  const [read, setRead] = useLocalStorage({ key: 'enruta-instalar', defaultValue: '', getInitialValueInEffect: false });
  if (read || lost || isInstalled()) return null;
  return (
    <Alert color="blue" role="note" mt="md" title="Sin cobertura podrás seguir: lo que hagas se guarda en este teléfono">
      <Text size="sm">Para que el navegador no lo borre, instala Enruta. {installWords()}</Text>
      <Button size="sm" variant="default" mt="xs" mih={44} onClick={() => setRead('1')}>
        Entendido
      </Button>
    </Alert>
  );
}
