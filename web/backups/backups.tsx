import '@mantine/core/styles/Progress.css';
import { Badge, Button, Group, Loader, Paper, Progress, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconDatabaseExport, IconDownload, IconHistory, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Backup,
  createBackup,
  downloadBackup,
  getArchivo,
  listBackups,
  probarArchivo,
  VERIFICACION,
} from '../../contract/backups/backups.ts';
import { useProvenDownload } from '../account/use-proven-download.ts';
import { useApi, useMutate } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { sizeText } from '../ui/format/size.ts';
import { EmptyState, Records } from '../ui/list/loaded.tsx';
import { toast } from '../ui/page/toast.tsx';
import { useFinished } from '../ui/page/use-finished.ts';

const FASE: Record<NonNullable<Backup['fase']>, string> = {
  leyendo: 'Guardando',
  comprimiendo: 'Comprimiendo',
  comprobando: 'Comprobando',
};
const COMPLETE: Record<NonNullable<Backup['verificacion']>, string> = {
  restaurada: 'La copia se ha restaurado aparte y no le falta nada',
  recuento: 'La copia se ha leído entera, y las filas y las sumas de cada tabla son las de la base de datos',
};
const ORIGEN: Record<Backup['origen'], string> = { manual: 'Manual', programada: 'Automática' };
const SHOWN = 10;

export function Backups() {
  // Polls too, in case the live stream is lost.
  const { data, error, refetch } = useApi(listBackups, {}, { refetchInterval: 10_000 });
  const [shown, setShown] = useState(SHOWN);
  const backups = data?.data;
  const begun = useFinished(backups, ({ estado, verificacion, error: reason }) => {
    if (estado === 'verificada') toast.success(COMPLETE[verificacion ?? 'restaurada'], { title: 'Copia verificada' });
    else toast.error(reason ?? 'Inténtalo de nuevo.', { title: 'La copia ha fallado' });
  });
  const start = useMutate(createBackup, {
    success: false,
    failure: 'Error',
    invalidates: [listBackups],
    onSuccess: ({ data }) => begun(data.id),
  });
  const running = start.isPending || backups?.some(({ estado }) => estado === 'en_curso') === true;

  return (
    <section aria-labelledby="backups" style={{ maxWidth: '46rem' }}>
      <Group justify="space-between" gap="sm" mt="xl" mb="sm">
        <Title order={2} size="h4" id="backups">
          Copias de seguridad
        </Title>
        <Button
          leftSection={running ? <Loader size={16} color="currentColor" /> : <IconDatabaseExport size={16} stroke={1.7} />}
          onClick={() => start.mutate({})}
          disabled={running}
        >
          {running ? 'Haciendo copia...' : 'Hacer copia ahora'}
        </Button>
      </Group>
      <Archive />
      <Records
        query={{ data: backups && { data: backups.slice(0, shown) }, error, refetch }}
        failed="No se pudieron cargar las copias"
        empty={<EmptyState title="Todavía no hay copias" hint="Haz una ahora, o activa las copias automáticas." />}
        row={(backup, i) => <Line key={backup.id} backup={backup} first={i === 0} />}
      />
      {backups && backups.length > shown && (
        <Button mt="xs" variant="default" size="xs" onClick={() => setShown(shown + 50)}>
          Mostrar más ({number(backups.length - shown)})
        </Button>
      )}
    </section>
  );
}

function Line({ backup, first }: { backup: Backup; first: boolean }) {
  const { id, nombre, origen, estado, verificacion, size, filas, error, created_at, fuera_at, fuera_error } = backup;
  const { download, isPending } = useProvenDownload();
  const facts = [
    ORIGEN[origen],
    size === null ? '' : sizeText(size),
    filas === null ? '' : `${number(filas)} filas`,
    verificacion ? VERIFICACION[verificacion] : '',
    fuera_at ? 'también fuera de este servidor' : '',
  ];
  return (
    <li style={{ padding: '10px 16px', borderTop: first ? 0 : '1px solid var(--line)' }}>
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 12rem' }}>
          <Text fw={600}>{fechaHora(created_at)}</Text>
          <Text variant="detail">{facts.filter(Boolean).join(' · ')}</Text>
        </div>
        <Group gap="sm">
          <Estado backup={backup} />
          {estado === 'verificada' && (
            <Button
              onClick={() => download(downloadBackup.path.replace(':id', id), nombre)}
              disabled={isPending}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              aria-label={`Descargar la copia del ${fechaHora(created_at)}`}
            >
              Descargar
            </Button>
          )}
        </Group>
      </Group>
      {estado === 'en_curso' && <Reached backup={backup} />}
      {(error ?? fuera_error) && (
        <Text mt={4} style={{ overflowWrap: 'anywhere' }}>
          {error ?? fuera_error}
        </Text>
      )}
    </li>
  );
}

function Reached({ backup: { fase, hechas, total, created_at } }: { backup: Backup }) {
  const percent = total ? Math.floor((100 * hechas) / total) : 0;
  return (
    <Group mt={8} wrap="nowrap">
      <Progress value={percent} flex={1} aria-label={`Progreso de la copia del ${fechaHora(created_at)}`} />
      <Text size="xs" ta="right" style={{ flexShrink: 0, minWidth: '3.5rem', fontVariantNumeric: 'tabular-nums' }}>
        {total === 0 && 'Preparando…'}
        {total > 0 && (fase === 'leyendo' ? `${number(hechas)} de ${number(total)} filas` : `${percent} %`)}
      </Text>
    </Group>
  );
}

function Estado({ backup: { estado, fase } }: { backup: Backup }) {
  if (estado === 'verificada')
    return (
      <Badge color="green" leftSection={<IconShieldCheck size={12} aria-hidden />}>
        Verificada
      </Badge>
    );
  if (estado === 'error')
    return (
      <Badge color="red" leftSection={<IconAlertTriangle size={12} aria-hidden />}>
        Error
      </Badge>
    );
  return (
    <Badge color="gray" leftSection={<Loader size={10} color="currentColor" />}>
      {FASE[fase ?? 'leyendo']}
    </Badge>
  );
}

/** Until when the archive in the bucket can restore, and a button that tests it; nothing where no log goes to a bucket. */
function Archive() {
  const { data } = useApi(getArchivo, {}, { refetchInterval: 10_000 });
  const test = useMutate(probarArchivo, { success: 'Prueba en curso', failure: 'Error', invalidates: [getArchivo] });
  const archivo = data?.data;
  if (!archivo?.activo) return null;
  const { hasta, probado_at, probado_hasta, pedidos, error, probando } = archivo;
  return (
    <Paper mb="sm" px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 14rem' }}>
          <Text fw={600}>
            {hasta ? `Hasta el ${fechaHora(hasta)} se puede volver, minuto a minuto` : 'El archivo continuo todavía no está en el cubo'}
          </Text>
          <Text variant="detail">
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
