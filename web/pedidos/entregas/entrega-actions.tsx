import { ActionIcon, Group, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck, IconEye, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { Tip } from '../../ui/page/tip.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { type Action, actionsFor } from '../actions/actions.ts';

const BUTTONS = {
  view: { label: 'Ver detalle', color: 'gray', Icon: IconEye },
  complete: { label: 'Completar entrega', color: 'green', Icon: IconCircleCheck },
  delete: { label: 'Eliminar', color: 'red', Icon: IconTrash },
} as const;
const isButton = (kind: Action['kind']): kind is keyof typeof BUTTONS => Object.hasOwn(BUTTONS, kind);

type Props = { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element) => void };

/** Three buttons of a delivery's row; a disabled button says why. */
export function EntregaActions({ pedido, onAction }: Props) {
  const actor = useSession();
  const phone = usePhone();
  const id = useId();
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {actionsFor(actor, pedido).map(({ action, reason }) => {
        if (!isButton(action.kind)) return null;
        const { label, color, Icon } = BUTTONS[action.kind];
        const said = reason ? `${label}: ${reason.toLowerCase()}` : label;
        return (
          <Tip key={action.kind} label={said}>
            <ActionIcon
              variant="subtle"
              size={phone ? 'lg' : 26}
              color={reason ? 'gray' : color}
              aria-label={`${label} ${pedido.numero_orden}`}
              aria-disabled={!!reason || undefined}
              c={reason ? 'var(--mantine-color-disabled-color)' : undefined}
              style={{ ...(reason && { cursor: 'not-allowed', opacity: 0.6 }) }}
              aria-describedby={reason && `${id}-${action.kind}`}
              onClick={(event) => (reason ? toast.info(said) : onAction(action, pedido, event.currentTarget))}
            >
              <Icon size={18} stroke={1.8} aria-hidden />
              {reason && <VisuallyHidden id={`${id}-${action.kind}`}>{reason}</VisuallyHidden>}
            </ActionIcon>
          </Tip>
        );
      })}
    </Group>
  );
}
