import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Role } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import classes from './pedido-link.module.css';

/** Address of an order, by role. */
const ADDRESS = {
  superadmin: (id) => ({ to: '/pedidos/$id', params: { id } }) as const,
  revendedor: (id) => ({ to: '/mis-pedidos', search: { pedido: id } }) as const,
  transportista: (id) => ({ to: '/pedidos-asignados', search: { pedido: id } }) as const,
} satisfies Record<Role, (id: string) => object>;
export const orderAddress = (role: Role, id: string) => ADDRESS[role](id);

type Props = { pedido: Pick<Pedido, 'id' | 'numero_orden'>; onOpen?: () => void };

/** Order number. A click calls `onOpen`, or else opens the order's address, as does a modifier key in a new tab. */
export const PedidoLink = ({ pedido, onOpen }: Props) => {
  const { role } = useSession();
  return (
    <Anchor
      size="sm"
      title={pedido.numero_orden}
      aria-label={pedido.numero_orden}
      renderRoot={(props) => <Link {...props} {...orderAddress(role, pedido.id)} preload={false} />}
      onClick={(event) => {
        if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onOpen();
      }}
    >
      <Numero numero={pedido.numero_orden} />
    </Anchor>
  );
};

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
