import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPlugConnected } from '@tabler/icons-react';
import { testDatabase, testMail } from '../../contract/settings/settings.ts';
import { useMutate } from '../api.ts';

/** Tests a connection with a real attempt. */
export function ConnectionTest({ of }: { of: 'database' | 'mail' }) {
  const test = useMutate(of === 'database' ? testDatabase : testMail, {
    success: 'Conexión exitosa',
    failure: 'Error de conexión',
    invalidates: [],
    // The server allows the remote host fifteen seconds for each step.
    limit: 60_000,
  });
  return (
    <Stack gap="sm" mt="md">
      <Text size="sm">
        {of === 'database'
          ? 'Comprueba la base de datos en la que se guarda todo.'
          : 'Comprueba que el servidor de correo responde, con lo que esté guardado.'}
      </Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} stroke={1.7} />}
          disabled={test.isPending}
          onClick={() => test.mutate({})}
        >
          {test.isPending ? 'Probando...' : 'Probar conexión'}
        </Button>
      </Group>
      <div aria-live="polite">
        {test.error && (
          <Alert color="red" icon={<IconAlertTriangle size={18} />} title="Error de conexión">
            {test.error.message}
          </Alert>
        )}
        {test.data && (
          <Alert color="green" icon={<IconCheck size={18} />} title="Conexión exitosa">
            <Table withRowBorders={false} verticalSpacing={2}>
              <Table.Tbody>
                {test.data.data.map(({ nombre, valor }) => (
                  <Table.Tr key={nombre}>
                    <Table.Th fw={500}>{nombre}</Table.Th>
                    <Table.Td>{valor}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Alert>
        )}
      </div>
    </Stack>
  );
}
