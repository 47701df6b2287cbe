import { Center, Group, Loader, Text } from '@mantine/core';

export const Loading = () => (
  <Center mih="60vh" role="status">
    <Group gap="sm">
      <Loader size="sm" />
      <Text size="md">Cargando...</Text>
    </Group>
  </Center>
);
