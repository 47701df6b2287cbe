import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';

type Props = { pedido: Pedido; onOpen: (pedido: Pedido) => void };

/** Order number: a click opens the dialog; with a modifier key, its page in a new tab. */
export function PedidoLink({ pedido, onOpen }: Props) {
  return (
    <Anchor
      size="sm"
      fw={600}
      style={{ whiteSpace: 'nowrap' }}
      renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.id }} preload={false} />}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onOpen(pedido);
      }}
    >
      {pedido.numero_orden}
    </Anchor>
  );
}
