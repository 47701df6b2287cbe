import { Center, Group, Loader, Text } from '@mantine/core';

/** Full-page loading state (specification, section 2.2). */
export const Loading = () => (
  <Center mih="60vh" role="status">
    <Group gap="sm">
      <Loader size="sm" />
      <Text>Cargando...</Text>
    </Group>
  </Center>
);
