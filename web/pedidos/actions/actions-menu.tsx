import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconCopy, IconDotsVertical, IconEye, IconPencil, IconTrash } from '@tabler/icons-react';
import { type RefObject, useId, useRef } from 'react';
import { TRANSITIONS } from '../../../contract/pedidos.flow.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { type Accion, accionesDe } from './actions.ts';
import { TRANSITION_ICON } from './icons.ts';

const ICON: Record<Exclude<Accion['kind'], 'estado'>, typeof IconEye> = {
  ver: IconEye,
  editar: IconPencil,
  asignar: TRANSITION_ICON.asignar,
  completar: TRANSITION_ICON.completar,
  duplicar: IconCopy,
  eliminar: IconTrash,
};
const iconOf = (accion: Accion) => (accion.kind === 'estado' ? TRANSITION_ICON[accion.name] : ICON[accion.kind]);
const isGrave = (accion: Accion) => accion.kind === 'eliminar' || (accion.kind === 'estado' && TRANSITIONS[accion.name].tone === 'danger');

type Props = {
  pedido: Pedido;
  onAccion: (accion: Accion, pedido: Pedido, from: HTMLElement | null) => void;
  /** Left out of the menu, where the screen offers it another way. */
  without?: Accion['kind'][];
  /** What the screen calls an action, where it has a name of its own for it. */
  labels?: Partial<Record<Accion['kind'], string>>;
};

/** The menu of an order: what can be done with it, and why the rest cannot. */
export function AccionesMenu(props: Props) {
  const target = useRef<HTMLButtonElement>(null);
  return (
    <Menu width={240} withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" size="lg" aria-label={`Acciones del pedido ${props.pedido.numero_orden}`}>
          <IconDotsVertical size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Acciones {...props} target={target} />
      </Menu.Dropdown>
    </Menu>
  );
}

// Drawn when the menu opens: a list has twenty of them, closed.
function Acciones({ pedido, onAccion, without = [], labels = {}, target }: Props & { target: RefObject<HTMLElement | null> }) {
  const actor = useSession();
  const id = useId();
  return accionesDe(actor, pedido)
    .filter(({ accion }) => !without.includes(accion.kind))
    .map(({ accion, label: usual, reason }, i) => {
      const Icon = iconOf(accion);
      const label = labels[accion.kind] ?? usual;
      return (
        <Menu.Item
          key={label}
          // The keyboard comes by, to hear the reason.
          aria-disabled={!!reason || undefined}
          closeMenuOnClick={!reason}
          c={reason ? 'var(--mantine-color-disabled-color)' : isGrave(accion) ? 'var(--mantine-color-error)' : undefined}
          leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
          aria-describedby={reason && `${id}-${i}`}
          onClick={() => !reason && onAccion(accion, pedido, target.current)}
        >
          {label}
          {reason && (
            <Text component="span" display="block" id={`${id}-${i}`} size="xs" c="dimmed">
              {reason}
            </Text>
          )}
        </Menu.Item>
      );
    });
}
