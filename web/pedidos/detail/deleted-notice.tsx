import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import { sealedReason } from '../actions/actions.ts';
import { useRestore } from '../actions/use-delete.tsx';

type Props = {
  pedido: Pedido;
  /** True if the screen already offers «Restaurar» among the steps. */
  isStep?: boolean;
};

export function DeletedNotice({ pedido, isStep = false }: Props) {
  const actor = useSession();
  const restore = useRestore();
  if (!can(actor, 'pedido:restore', pedido)) return null;
  const sealed = sealedReason(pedido);
  return (
    <Alert color="orange" icon={<IconTrash size={18} />} title="Este pedido está eliminado" role="note">
      <Group justify="space-between" gap="xs">
        <Text size="sm">No aparece en las listas ni cuenta en las cifras.</Text>
        {!sealed && !isStep && (
          <Button size="xs" variant="default" loading={restore.isPending} onClick={() => restore.mutate({ params: { id: pedido.id } })}>
            Restaurar
          </Button>
        )}
      </Group>
    </Alert>
  );
}
