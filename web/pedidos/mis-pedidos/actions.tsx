import { ActionIcon, Button, Group } from '@mantine/core';
import { IconCheck, IconCopy, IconCreditCard, IconEye, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { mayTransition } from '../../../contract/pedidos/flow.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { useCopied } from '../../ui/page/copy-button.tsx';
import { Tip } from '../../ui/page/tip.tsx';
import { copyPaymentLink } from '../pagos/payment-link.ts';

type Props = { pedido: Pedido; onView: (pedido: Pedido) => void; onCancel: (pedido: Pedido) => void };

/** Row actions for a reseller. Offers to pay or cancel only an unpaid order. */
export function RevendedorActions({ pedido, onView, onCancel }: Props) {
  const actor = useSession();
  const cancellable = mayTransition(actor, 'cancelar', pedido);
  const link = pedido.estado === 'pendiente_pago' ? pedido.payment_link : null;
  const of = `pedido ${pedido.numero_orden}`;
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      {link && (
        <>
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noopener noreferrer"
            size="compact-sm"
            flex="none"
            leftSection={<IconCreditCard size={14} aria-hidden />}
            aria-label={`Pagar el ${of}`}
          >
            Pagar
          </Button>
          <CopyLink link={link} of={of} />
        </>
      )}
      {cancellable && (
        <Icon label={`Cancelar el ${of}`} color="red" onClick={() => onCancel(pedido)}>
          <IconX size={16} stroke={1.8} />
        </Icon>
      )}
      <Icon label={`Ver el ${of}`} onClick={() => onView(pedido)}>
        <IconEye size={16} stroke={1.8} />
      </Icon>
    </Group>
  );
}

function CopyLink({ link, of }: { link: string; of: string }) {
  const { copied, run } = useCopied(() => copyPaymentLink(link));
  return (
    <Icon label={copied ? 'Copiado ✓' : `Copiar enlace de pago del ${of}`} color={copied ? 'green' : 'gray'} onClick={run}>
      {copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.8} />}
    </Icon>
  );
}

const Icon = ({
  label,
  color = 'gray',
  onClick,
  children,
}: {
  label: string;
  color?: string;
  onClick: () => void;
  children: ReactNode;
}) => (
  <Tip label={label}>
    <ActionIcon variant="subtle" color={color} size="md" aria-label={label} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tip>
);
