import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconCopy, IconDotsVertical, IconEye, IconPencil, IconTrash, IconTrashOff } from '@tabler/icons-react';
import { type RefObject, useId, useRef } from 'react';
import { TRANSITIONS } from '../../../contract/pedidos.flow.ts';
import type { Pedido } from '../../../contract/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { type Action, actionsFor } from './actions.ts';
import { TRANSITION_ICON } from './icons.ts';

const ICON: Record<Exclude<Action['kind'], 'estado'>, typeof IconEye> = {
  view: IconEye,
  edit: IconPencil,
  assign: TRANSITION_ICON.asignar,
  complete: TRANSITION_ICON.completar,
  duplicate: IconCopy,
  delete: IconTrash,
  restore: IconTrashOff,
};
const iconOf = (action: Action) => (action.kind === 'estado' ? TRANSITION_ICON[action.name] : ICON[action.kind]);
const isGrave = (action: Action) => action.kind === 'delete' || (action.kind === 'estado' && TRANSITIONS[action.name].tone === 'danger');

type Props = {
  pedido: Pedido;
  onAction: (action: Action, pedido: Pedido, from: HTMLElement | null) => void;
  /** Kinds to leave out, because the screen offers them elsewhere. */
  without?: Action['kind'][];
  /** Labels that replace the usual ones on this screen. */
  labels?: Partial<Record<Action['kind'], string>>;
};

/** Menu of an order's actions; disabled ones say why. */
export function ActionsMenu(props: Props) {
  const target = useRef<HTMLButtonElement>(null);
  return (
    <Menu width={240} withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon ref={target} variant="subtle" color="gray" size="lg" aria-label={`Acciones del pedido ${props.pedido.numero_orden}`}>
          <IconDotsVertical size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items {...props} target={target} />
      </Menu.Dropdown>
    </Menu>
  );
}

// A component of its own so that items render only on opening: a list holds twenty closed menus.
function Items({ pedido, onAction, without = [], labels = {}, target }: Props & { target: RefObject<HTMLElement | null> }) {
  const actor = useSession();
  const id = useId();
  return actionsFor(actor, pedido)
    .filter(({ action }) => !without.includes(action.kind))
    .map(({ action, label: usual, reason }, i) => {
      const Icon = iconOf(action);
      const label = labels[action.kind] ?? usual;
      return (
        <Menu.Item
          key={label}
          // aria-disabled keeps the item focusable, so that a screen reader reads the reason.
          aria-disabled={!!reason || undefined}
          closeMenuOnClick={!reason}
          c={reason ? 'var(--mantine-color-disabled-color)' : isGrave(action) ? 'var(--mantine-color-error)' : undefined}
          leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
          aria-describedby={reason && `${id}-${i}`}
          onClick={() => !reason && onAction(action, pedido, target.current)}
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
