import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconTruckOff } from '@tabler/icons-react';
import { getPedido, WITHDRAWN } from '../../../contract/pedidos/pedidos.ts';
import { mayEver } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { type Named, Subject } from '../subject.tsx';

/** Message that names the person who took the open order away from its carrier; `kept` is true if a cancelled order is still the carrier's. */
export function useWithdrawn(id: string): { by: string; kept: boolean } | undefined {
  const actor = useSession();
  const { data, error } = useApi(getPedido, { params: { id } }, { enabled: mayEver(actor, 'pedido:withdrawn') });
  if (error?.code === WITHDRAWN) return { by: error.message, kept: false };
  if (data?.retirado === undefined) return undefined;
  return { by: data.retirado, kept: data.data.transportista_id === actor.id };
}

export const Withdrawn = ({ by }: { by: string }) => (
  <Alert color="orange" icon={<IconTruckOff size={18} aria-hidden />}>
    {by}
  </Alert>
);

/** Replaces a step's form when the carrier no longer has the order. */
export const StepWithdrawn = ({ pedido, by, onClose }: { pedido: Named; by: string; onClose: () => void }) => (
  <Stack gap="md">
    <Subject pedido={pedido} />
    <Withdrawn by={by} />
    <Group gap="md" justify="flex-end">
      <Button onClick={onClose}>Cerrar</Button>
    </Group>
  </Stack>
);
