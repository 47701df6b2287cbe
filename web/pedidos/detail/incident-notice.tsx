import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDoorOff } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy.ts';
import { lazyPart } from '../../lazy.ts';
import { useSession } from '../../session/session.ts';
import { AttemptList } from './attempts.tsx';

const AnswerDialog = lazyPart(() => import('../actions/answer-dialog.tsx'));

/** Failed attempts of an order that waits for an answer, and the way to give it. */
export function IncidentNotice({ pedido }: { pedido: Pedido }) {
  return pedido.incidencia_at ? <Waiting pedido={pedido} /> : null;
}

function Waiting({ pedido }: { pedido: Pedido }) {
  const actor = useSession();
  const [asking, setAsking] = useState<{ pedido: Pedido; opened: boolean }>();
  return (
    <Alert color="orange" icon={<IconDoorOff size={18} />} title="Espera respuesta" role="note">
      <Text size="sm">No se ha podido entregar, y no saldrá otra vez a reparto hasta que se diga qué se hace.</Text>
      <AttemptList id={pedido.id} />
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
