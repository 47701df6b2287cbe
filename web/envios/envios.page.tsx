import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDownload, IconFileImport } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Envio, envioFichero, listEnvios } from '../../contract/envios/envios.ts';
import { addressOf } from '../../contract/kit/address.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi } from '../api.ts';
import { EntregasTabs } from '../pedidos/entregas/entregas-tabs.tsx';
import { fechaHora, number } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import ReplyFileDialog from './answer-dialog.tsx';
import { UndoAnswerDialog } from './undo-answer-dialog.tsx';

export default function EnviosPage() {
  const envios = useApi(listEnvios, {});
  const [answered, setAnswered] = useState<Envio>();
  const [undone, setUndone] = useState<Envio>();
  return (
    <>
      <PageHeader title="Envíos" subtitle="Pedidos entregados a otras empresas con un fichero, y sus respuestas" />
      <EntregasTabs />
      <Loaded query={envios} failed="No se pudieron cargar los envíos" waiting={<Skeletons heights={[96, 96]} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No hay envíos" hint="En «Pedidos», elige los que lleva otra empresa y pulsa «Fichero de envío…»." />
          ) : (
            <Stack component="ul" gap="xs">
              {data.map((envio) => (
                <Batch key={envio.id} envio={envio} onAnswer={() => setAnswered(envio)} onUndo={() => setUndone(envio)} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <UndoAnswerDialog envio={undone} onClose={() => setUndone(undefined)} />
      {answered && <ReplyFileDialog key={answered.id} envio={answered} onClose={() => setAnswered(undefined)} />}
    </>
  );
}

function Batch({ envio, onAnswer, onUndo }: { envio: Envio; onAnswer: () => void; onUndo: () => void }) {
  const {
    id,
    empresa,
    created_at,
    creado_por,
    pedidos,
    completados,
    incidencias,
    sin_respuesta,
    sacados,
    sin_pareja,
    fuera,
    respondido_at,
    respuesta,
  } = envio;
  const name = `${empresa}, ${fechaHora(created_at)}`;
  const count = plural(pedidos, 'pedido');
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between">
        <div>
          <Group>
            <Text size="md" fw={600}>
              {name}
            </Text>
            <Badge variant="light" color={sin_respuesta ? 'orange' : 'green'} autoContrast={false}>
              {sin_respuesta ? `${number(sin_respuesta)} sin respuesta` : respondido_at ? 'Respondido' : 'Terminado'}
            </Badge>
          </Group>
          <Text>
            <Anchor
              inherit
              underline="always"
              aria-label={`${count}: ver los pedidos de ${name}`}
              renderRoot={(props) => <Link {...props} to="/pedidos" search={{ envio_id: id }} />}
            >
              {count}
            </Anchor>{' '}
            · {number(completados)} completados · {number(incidencias)} con incidencia
            {sacados > 0 && ` · ${plural(sacados, 'sacado')}`}
          </Text>
          <Text size="xs" c="dimmed">
            {creado_por}
            {respondido_at && ` · última respuesta: ${fechaHora(respondido_at)}`}
            {respuesta && ` · la leyó ${respuesta.leida_por}`}
          </Text>
          {respuesta && (
            <Button size="compact-xs" variant="subtle" px={0} aria-label={`Deshacer la respuesta de ${name}`} onClick={onUndo}>
              Deshacer esa respuesta…
            </Button>
          )}
        </div>
        <Group>
          <Button
            component="a"
            href={addressOf(envioFichero.path, { params: { id } })}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            aria-label={`Descargar el fichero de ${name}`}
          >
            Fichero
          </Button>
          <Button
            size="xs"
            leftSection={<IconFileImport size={16} aria-hidden />}
            aria-label={`Leer respuesta de ${name}`}
            onClick={onAnswer}
          >
            Leer respuesta…
          </Button>
        </Group>
      </Group>
      <Rows
        title="No encajan"
        of={name}
        rows={sin_pareja.map(
          ({ referencia, seguimiento, motivo }) => `${[referencia, seguimiento].filter(Boolean).join(' · ')}: ${motivo}`,
        )}
      />
      <Rows title="Ya no van en el fichero" of={name} rows={fuera.map(({ numero_orden, motivo }) => `${numero_orden}: ${motivo}`)} />
    </Paper>
  );
}

function Rows({ title, of, rows }: { title: string; of: string; rows: readonly string[] }) {
  if (rows.length === 0) return null;
  return (
    <details style={{ marginTop: '0.5rem' }}>
      <Text component="summary" fw={600}>
        {title}: {number(rows.length)}
      </Text>
      <ul aria-label={`${title} de ${of}`}>
        {rows.map((row) => (
          <Text key={row} component="li">
            {row}
          </Text>
        ))}
      </ul>
    </details>
  );
}
