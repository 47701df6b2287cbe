import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { fecha } from '../../ui/format/format.ts';

type Held = Pick<Pedido, 'en_empresa' | 'en_empresa_at'>;

/** Returns «Con Correos desde 26/11»; undefined for an order that is in no company's shipment. */
export const companyWords = ({ en_empresa, en_empresa_at }: Held): string | undefined =>
  en_empresa && en_empresa_at ? `Con ${en_empresa} desde ${fecha(en_empresa_at).slice(0, 5)}` : undefined;

/** Names the shipping company that has an order, in a cell or card. */
export function WithCompany({ pedido, oneLine = false }: { pedido: Held; oneLine?: boolean }) {
  const words = companyWords(pedido);
  if (!words) return null;
  return (
    <Text size="xs" fw={600} lh={1.25} title={words} truncate={oneLine || undefined}>
      {words}
    </Text>
  );
}
