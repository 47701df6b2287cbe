import { Button, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { money } from '../../ui/format/format.ts';
import { PaymentActions } from '../payment-actions.tsx';
import classes from './new.module.css';

type Props = { pedido: Pedido | undefined; onClose: () => void };

/** «Pedido creado»: payment link and next steps. */
export function CreatedDialog({ pedido, onClose }: Props) {
  const { role } = useSession();
  // Keeps the content while the dialog fades out.
  const [last, setLast] = useState(pedido);
  if (pedido && pedido !== last) setLast(pedido);
  const shown = pedido ?? last;
  return (
    <Dialog opened={!!pedido} onClose={onClose} title="Pedido creado" size="32rem" fillsPhone={false}>
      {shown && (
        <>
          <dl className={classes.lines}>
            <dt>Pedido</dt>
            <dd>
              <strong>{shown.numero_orden}</strong>
            </dd>
            <dt>Cliente</dt>
            <dd>{shown.cliente_nombre}</dd>
          </dl>
          <div className={classes.total}>
            <span>Total</span>
            <strong>{money(shown.precio_total)}</strong>
          </div>
          {shown.payment_link && (
            <>
              <Text size="sm" c="dimmed" mb="sm">
                El pedido se prepara en cuanto se reciba el pago.
              </Text>
              <PaymentActions pedido={shown} link={shown.payment_link} focus />
            </>
          )}
        </>
      )}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          Crear otro
        </Button>
        {role === 'revendedor' ? (
          <Button variant="light" component={Link} to="/mis-pedidos">
            Ver Mis Pedidos
          </Button>
        ) : (
          <Button variant="light" component={Link} to="/pedidos">
            Ver pedidos
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
