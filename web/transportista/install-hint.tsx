import '@mantine/core/styles/Alert.css';
import { Alert, Button, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { installWords, isInstalled } from '../outbox/installed.ts';

/** Says once, to a browser tab that has lost its coverage, how to install the program. */
export default function InstallHint() {
  const [read, setRead] = useLocalStorage({ key: 'enruta-instalar', defaultValue: '', getInitialValueInEffect: false });
  if (read || isInstalled()) return null;
  return (
    <Alert color="blue" role="note" mb="md" title="Sin cobertura puedes seguir: lo que hagas se guarda en este teléfono">
      <Text size="sm">Para que el navegador no lo borre, instala Enruta. {installWords()}</Text>
      <Button size="sm" variant="default" mt="xs" mih={44} onClick={() => setRead('1')}>
        Entendido
      </Button>
    </Alert>
  );
}
