import '@mantine/core/styles/Progress.css';
import '@mantine/core/styles/Paper.css';
import { Button, Group, Paper, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconX } from '@tabler/icons-react';
import { cancelExport, downloadExport, type ExportRecord, listExports } from '../../contract/exports/exports.ts';
import { useProvenDownload } from '../account/use-proven-download.ts';
import { useMutate } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { sizeOf } from '../ui/format/size.ts';
import { EmptyState } from '../ui/list/empty-state.tsx';
import { Loaded, type Query } from '../ui/list/loaded.tsx';

const ESTADO = { listo: '', en_curso: 'En curso', error: 'No se pudo hacer', cancelado: 'Cancelada' };

/** Downloads an export's file, which demands the password. */
export function useExportDownload() {
  const { download, isPending } = useProvenDownload();
  return { download: ({ id, name }: ExportRecord) => download(downloadExport.path.replace(':id', id), name), isPending };
}

export const RecentExports = ({ query }: { query: Query<{ data: ExportRecord[] }> }) => (
  <section aria-labelledby="recent-exports">
    <Title order={2} size="h4" id="recent-exports" mb="xs">
      Exportaciones recientes
    </Title>
    <Paper withBorder>
      <Loaded query={query} failed="No se pudieron cargar las exportaciones" waiting={<Skeleton height={72} radius={0} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="Todavía no has exportado nada" hint="Aquí quedan las cinco últimas, para volver a descargarlas." />
          ) : (
            <Stack component="ul" gap={0}>
              {data.map((record, i) => (
                <Line key={record.id} record={record} first={i === 0} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Paper>
  </section>
);

function Line({ record, first }: { record: ExportRecord; first: boolean }) {
  const cancel = useMutate(cancelExport, { invalidates: [listExports] });
  const { download, isPending } = useExportDownload();
  const { id, name, estado, hechas, total, size, error, created_at } = record;
  const percent = total ? Math.round((100 * hechas) / total) : 0;
  return (
    <li style={{ padding: '10px 16px', borderTop: first ? 'none' : '1px solid var(--line)' }}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {[fechaHora(created_at), size === null ? '' : sizeOf(size), ESTADO[estado], error].filter(Boolean).join(' · ')}
          </Text>
        </div>
        {estado === 'listo' && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            leftSection={<IconDownload size={14} />}
            aria-label={`Descargar ${name}`}
            onClick={() => download(record)}
            disabled={isPending}
          >
            Descargar
          </Button>
        )}
        {estado === 'en_curso' && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            leftSection={<IconX size={14} />}
            onClick={() => cancel.mutate({ params: { id } })}
            disabled={cancel.isPending}
          >
            Cancelar
          </Button>
        )}
      </Group>
      {estado === 'en_curso' && (
        <Group mt={6} wrap="nowrap">
          <Progress value={percent} flex={1} aria-label={`Progreso de ${name}`} />
          <Text size="xs" w="9rem" ta="right">
            {total ? `${number(hechas)} de ${number(total)}` : 'Preparando…'}
          </Text>
        </Group>
      )}
    </li>
  );
}
