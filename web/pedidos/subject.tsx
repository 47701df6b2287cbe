import { Text } from '@mantine/core';
import type { placeWords } from '../../contract/pedidos/direccion.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';

type AddressField = Extract<keyof PedidoTransportista, keyof Parameters<typeof placeWords>[0]>;

/** Fields of an order that dialogs for steps and comments use. */
export type Named = Pick<
  PedidoTransportista,
  'id' | 'numero_orden' | 'cliente_nombre' | 'producto' | 'cantidad' | 'num_lineas' | 'lineas'
> &
  Partial<Pick<PedidoTransportista, 'por_cobrar' | 'vecino_at' | 'en_empresa' | 'empresa_transporte' | AddressField>>;

/** Names the order at the top of a dialog. */
export const Subject = ({ pedido }: { pedido: Named }) => (
  <Text size="md">
    Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
  </Text>
);
