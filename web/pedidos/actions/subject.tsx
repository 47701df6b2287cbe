import { Text } from '@mantine/core';
import type { PedidoTransportista } from '../../../contract/pedidos.ts';

/** What names an order to whoever acts on it, and says what it is of. */
export type Named = Pick<PedidoTransportista, 'id' | 'numero_orden' | 'cliente_nombre' | 'producto' | 'cantidad' | 'num_lineas' | 'lineas'>;

/** Says at the head of a dialog which order it is about. */
export const Subject = ({ pedido }: { pedido: Named }) => (
  <Text>
    Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
  </Text>
);
