import '@mantine/core/styles/Alert.css';
import { Alert } from '@mantine/core';
import { IconTruckOff } from '@tabler/icons-react';
import { getPedido, WITHDRAWN } from '../../contract/pedidos.ts';
import { mayEver } from '../../contract/policy.ts';
import { useApi } from '../api.ts';
import { useSession } from '../session/session.ts';

/** Who has taken the order from the carrier who has it open; `kept` if they may read it all the same. */
export function useWithdrawn(id: string): { by: string; kept: boolean } | undefined {
  const actor = useSession();
  const { data, error } = useApi(getPedido, { params: { id } }, { enabled: mayEver(actor, 'pedido:take') });
  if (error?.code === WITHDRAWN) return { by: error.message, kept: false };
  if (data?.retirado === undefined) return undefined;
  return { by: data.retirado, kept: data.data.transportista_id === actor.id };
}

export const Withdrawn = ({ by }: { by: string }) => (
  <Alert color="orange" icon={<IconTruckOff size={18} aria-hidden />}>
    {by}
  </Alert>
);
