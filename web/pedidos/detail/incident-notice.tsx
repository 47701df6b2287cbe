import '@mantine/core/styles/Alert.css';
import { Alert, Group, Text } from '@mantine/core';
import { IconDoorOff } from '@tabler/icons-react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import { AnswerButton } from './answer-button.tsx';
import { AttemptList } from './attempts.tsx';

type Props = {
  pedido: Pedido;
  /** True if the screen already offers «Responder» among the steps. */
  isStep?: boolean;
};

/** Failed attempts of an order that waits for an answer, with a button to answer. */
export function IncidentNotice({ pedido, isStep = false }: Props) {
  const actor = useSession();
  if (!pedido.incidencia_at) return null;
  return (
    <Alert color="orange" icon={<IconDoorOff size={18} />} title="Espera respuesta" role="note">
      <Text size="sm">No se ha podido entregar, y no saldrá otra vez a reparto hasta que se diga qué se hace.</Text>
      <AttemptList id={pedido.id} />
      {!isStep && can(actor, 'pedido:postpone', pedido) && (
        <Group>
          <AnswerButton pedido={pedido} size="xs" />
        </Group>
      )}
    </Alert>
  );
}
