import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { type Failure, listFailures } from '../../contract/failures/failures.ts';
import { useApi } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Undelivered } from './undelivered.tsx';

export const FailuresTab = () => (
  <Loaded
    query={useApi(listFailures, {}, { refetchInterval: 60_000 })}
    failed="No se pudieron cargar las tareas"
    waiting={<Skeletons heights={[96]} />}
  >
    {({ data }) =>
      data.length === 0 ? (
        <Undelivered
          otherwise={
            <EmptyState title="Ninguna tarea falla" hint="Los correos, las copias y lo demás que el sistema hace solo van bien." />
          }
        />
      ) : (
        <Stack gap="lg">
          <Stack component="ul" aria-label="Tareas con error">
            {data.map((failure) => (
              <Line key={failure.name} failure={failure} />
            ))}
          </Stack>
          <Undelivered />
        </Stack>
      )
    }
  </Loaded>
);

const Line = ({ failure: { titulo, consejo, motivo, veces, desde, ultima_vez } }: { failure: Failure }) => (
  <Paper component="li" withBorder p="md">
    <Group justify="space-between" gap="sm">
      <Text size="md" fw={600}>
        {titulo}
      </Text>
      <Badge color="red" variant="light">
        {veces === 1 ? 'Ha fallado 1 vez' : `Ha fallado ${number(veces)} veces seguidas`}
      </Badge>
    </Group>
    <Text mt={4}>{consejo}</Text>
    <Text size="xs" c="dimmed" mt={4}>
      Desde el {fechaHora(desde)} · Última vez: {fechaHora(ultima_vez)} · Motivo: {motivo}
    </Text>
  </Paper>
);
