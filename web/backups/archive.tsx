import { Button, Group, Loader, Paper, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { getArchivo, probarArchivo } from '../../contract/backups/backups.ts';
import { useApi, useMutate } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';

/** Until when the archive in the bucket can restore, and a button that tests it; nothing where no log goes to a bucket. */
export function Archive() {
  const { data } = useApi(getArchivo, {}, { refetchInterval: 10_000 });
  const test = useMutate(probarArchivo, { success: 'Prueba en curso', failure: 'Error', invalidates: [getArchivo] });
  const archivo = data?.data;
  if (!archivo?.activo) return null;
  const { hasta, probado_at, probado_hasta, pedidos, error, probando } = archivo;
  return (
    <Paper withBorder mb="sm" px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 14rem' }}>
          <Text fw={600}>
            {hasta ? `Hasta el ${fechaHora(hasta)} se puede volver, minuto a minuto` : 'El archivo continuo todavía no está en el cubo'}
          </Text>
          <Text size="xs" c="dimmed">
            {probado_at &&
              !error &&
              `Probado el ${fechaHora(probado_at)}: ${number(pedidos ?? 0)} pedidos, hasta el ${fechaHora(probado_hasta ?? probado_at)}`}
            {!probado_at && 'Cada noche se restaura aparte, para probarlo'}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          onClick={() => test.mutate({})}
          disabled={probando || test.isPending}
          leftSection={probando ? <Loader size={14} color="currentColor" /> : <IconHistory size={14} />}
        >
          {probando ? 'Probando...' : 'Probar ahora'}
        </Button>
      </Group>
      {error && (
        <Text mt={4} role="status" style={{ overflowWrap: 'anywhere' }}>
          La última prueba ha fallado. {error}
        </Text>
      )}
    </Paper>
  );
}
