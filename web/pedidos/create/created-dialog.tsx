import { Button, Group, Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { money } from '../../ui/format/format.ts';
import { ButtonLink } from '../../ui/page/link.tsx';
import { OWN_LIST } from '../own-list.ts';
import { PaymentActions } from '../pagos/payment-actions.tsx';
import classes from './new.module.css';

export function CreatedDialog({ pedido, onClose }: { pedido: Pedido | undefined; onClose: () => void }) {
  const list = OWN_LIST[useSession().role];
  return (
    <Dialog opened={!!pedido} onClose={onClose} title="Pedido creado" size="32rem" fillsPhone={false}>
      {pedido && (
        <>
          <Text>
            <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
          </Text>
          <div className={classes.total}>
            <span>Total</span>
            <strong>{money(pedido.precio_total)}</strong>
          </div>
          {pedido.payment_link && (
            <>
              <Text c="dimmed" mb="sm">
                {pedido.contra_reembolso
                  ? 'El cliente lo pagará al recibirlo. Si lo prefiere, puede pagarlo antes con este enlace.'
                  : 'El pedido se prepara en cuanto se reciba el pago.'}
              </Text>
              <PaymentActions pedido={pedido} link={pedido.payment_link} focus />
            </>
          )}
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Crear otro
        </Button>
        <ButtonLink variant="light" to={list.to}>
          {list.label}
        </ButtonLink>
      </Group>
    </Dialog>
  );
}
