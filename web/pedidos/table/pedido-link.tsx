import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import classes from './pedido-link.module.css';

/** Order number. A click opens the order's dialog; with a modifier key, its page in a new tab. */
export const PedidoLink = ({ pedido, onOpen }: { pedido: Pedido; onOpen: (pedido: Pedido) => void }) => (
  <Anchor
    size="sm"
    title={pedido.numero_orden}
    aria-label={pedido.numero_orden}
    renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.id }} preload={false} />}
    onClick={(event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      onOpen(pedido);
    }}
  >
    <Numero numero={pedido.numero_orden} />
  </Anchor>
);

const OURS = /^(ORD-(?:19|20)\d\d)(\d{6,})$/;

/** Order number. A narrow list hides «ORD-» and the year, which screen readers still read and a copy still contains. */
export function Numero({ numero }: { numero: string }) {
  const [, year, digits = numero] = OURS.exec(numero) ?? [];
  return (
    <strong className={classes.number}>
      <span className={classes.year}>{year}</span>
      {digits}
    </strong>
  );
}
