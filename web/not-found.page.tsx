import { Center, Stack, Text, Title } from '@mantine/core';
import { ButtonLink } from './ui/page/link.tsx';

export default function NotFoundPage() {
  return (
    <Center mih="80vh" p="md" component="main">
      <Stack align="center">
        <Text size="md" c="dimmed" fw={600}>
          404
        </Text>
        <Title size="h2">Página no encontrada</Title>
        <Text size="md" c="dimmed" ta="center">
          La dirección no existe o ha cambiado.
        </Text>
        <ButtonLink to="/" mt="sm">
          Volver al inicio
        </ButtonLink>
      </Stack>
    </Center>
  );
}
