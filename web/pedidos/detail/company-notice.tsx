import '@mantine/core/styles/Alert.css';
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconPackageExport } from '@tabler/icons-react';
import { sacarDeEnvio } from '../../../contract/envios/envios.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { companyWords } from '../table/with-company.tsx';

/** Names the shipping company that has the open order; the office can take the order out of the shipment. */
export function CompanyNotice({ pedido }: { pedido: Pedido }) {
  const words = companyWords(pedido);
  return words ? <Notice pedido={pedido} words={words} /> : null;
}

function Notice({ pedido, words }: { pedido: Pedido; words: string }) {
  const actor = useSession();
  const take = useMutate(sacarDeEnvio, { failure: 'No se pudo sacar del envío' });
  return (
    <Alert color="blue" icon={<IconPackageExport size={18} />} title={words} role="note">
      <Text size="sm">Va en su fichero de envío: no se ofrece a ningún transportista.</Text>
      {can(actor, 'pedido:batch') && (
        <Group mt={6}>
          <Button size="xs" variant="default" loading={take.isPending} onClick={() => take.mutate({ body: { ids: [pedido.id] } })}>
            Sacar del envío
          </Button>
        </Group>
      )}
    </Alert>
  );
}
