import { ActionIcon, Group, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCircleCheck, IconEye, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Pedido } from '../../../contract/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/page/toast.tsx';
import { usePhone } from '../../ui/page/use-phone.ts';
import { type Accion, accionesDe } from '../actions/actions.ts';

const BUTTONS = {
  ver: { label: 'Ver detalle', color: 'gray', Icon: IconEye },
  completar: { label: 'Completar entrega', color: 'green', Icon: IconCircleCheck },
  eliminar: { label: 'Eliminar', color: 'red', Icon: IconTrash },
} as const;
const isButton = (kind: Accion['kind']): kind is keyof typeof BUTTONS => Object.hasOwn(BUTTONS, kind);

type Props = { pedido: Pedido; onAccion: (accion: Accion, pedido: Pedido, from: Element) => void };

/** The three buttons of a delivery's row; one that cannot be used says why. */
export function EntregaAcciones({ pedido, onAccion }: Props) {
  const actor = useSession();
  const phone = usePhone();
  const id = useId();
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      {accionesDe(actor, pedido).map(({ accion, reason }) => {
        if (!isButton(accion.kind)) return null;
        const { label, color, Icon } = BUTTONS[accion.kind];
        const said = reason ? `${label}: ${reason.toLowerCase()}` : label;
        return (
          <Tooltip key={accion.kind} label={said}>
            <ActionIcon
              variant="subtle"
              size={phone ? 'lg' : 28}
              color={reason ? 'gray' : color}
              aria-label={`${label} ${pedido.numero_orden}`}
              aria-disabled={!!reason || undefined}
              c={reason ? 'var(--mantine-color-disabled-color)' : undefined}
              style={{ ...(reason && { cursor: 'not-allowed', opacity: 0.6 }) }}
              aria-describedby={reason && `${id}-${accion.kind}`}
              onClick={(event) => (reason ? toast.info(said) : onAccion(accion, pedido, event.currentTarget))}
            >
              <Icon size={18} stroke={1.8} aria-hidden />
              {reason && <VisuallyHidden id={`${id}-${accion.kind}`}>{reason}</VisuallyHidden>}
            </ActionIcon>
          </Tooltip>
        );
      })}
    </Group>
  );
}
