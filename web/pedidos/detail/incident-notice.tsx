import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDoorOff } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { LLAMADO_LABEL } from '../../../contract/pedidos.attempts.ts';
import { listIntentos, type Pedido } from '../../../contract/pedidos.ts';
import { can } from '../../../contract/policy.ts';
import { useApi } from '../../api.ts';
import { lazyPart } from '../../lazy.ts';
import { useSession } from '../../session/session.ts';
import { fechaHora } from '../../ui/format/format.ts';

const AnswerDialog = lazyPart(() => import('../actions/answer-dialog.tsx'));

/** Failed attempts of an order that waits for an answer, and the way to give it. */
export function IncidentNotice({ pedido }: { pedido: Pedido }) {
  return pedido.incidencia_at ? <Waiting pedido={pedido} /> : null;
}

function Waiting({ pedido }: { pedido: Pedido }) {
  const actor = useSession();
  const [asking, setAsking] = useState<{ pedido: Pedido; opened: boolean }>();
  const { data } = useApi(listIntentos, { params: { id: pedido.id } });
  return (
    <Alert color="orange" icon={<IconDoorOff size={18} />} title="Espera respuesta" role="note">
      <Text size="sm">No se ha podido entregar, y no saldrá otra vez a reparto hasta que se diga qué se hace.</Text>
      <ul>
        {data?.data.map(({ id, created_at, motivo, llamado, transportista_nombre }) => (
          <li key={id}>
            {fechaHora(created_at)}: {motivo} ({transportista_nombre}
            {llamado && `; llamó: ${LLAMADO_LABEL[llamado].toLowerCase()}`})
          </li>
        ))}
      </ul>
      {can(actor, 'pedido:postpone', pedido) && (
        <Group>
          <Button size="xs" onClick={() => setAsking({ pedido, opened: true })}>
            Responder
          </Button>
        </Group>
      )}
      {asking && (
        <Suspense>
          <AnswerDialog pedido={asking.opened ? asking.pedido : undefined} onClose={() => setAsking({ ...asking, opened: false })} />
        </Suspense>
      )}
    </Alert>
  );
}
