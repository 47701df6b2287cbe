import { Button, Center, Stack, Text, Title } from '@mantine/core';

/** Replaces a screen that failed to render. */
export function CrashPage() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" role="alert">
        <Title order={1} size="h3">
          Algo ha fallado en esta pantalla
        </Title>
        <Text c="dimmed">Vuelve a cargarla; si sigue igual, avisa a quien administra Enruta.</Text>
        <Button onClick={() => location.reload()}>Volver a cargar</Button>
      </Stack>
    </Center>
  );
}
