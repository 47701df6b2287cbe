import { Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { fecha } from '../../ui/format/format.ts';

type Held = Pick<Pedido, 'en_empresa' | 'en_empresa_at'>;

/** «Con Correos desde 26/11»; undefined for an order in nobody's file. */
export const companyWords = ({ en_empresa, en_empresa_at }: Held): string | undefined =>
  en_empresa && en_empresa_at ? `Con ${en_empresa} desde ${fecha(en_empresa_at).slice(0, 5)}` : undefined;

/** The company that has an order, in a cell or card. */
export function WithCompany({ pedido, oneLine = false }: { pedido: Held; oneLine?: boolean }) {
  const words = companyWords(pedido);
  if (!words) return null;
  return (
    <Text size="xs" fw={600} lh={1.25} title={words} truncate={oneLine || undefined}>
      {words}
    </Text>
  );
}
