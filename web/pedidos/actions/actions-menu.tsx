import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconDotsVertical, IconPrinter } from '@tabler/icons-react';
import { type RefObject, useId, useRef } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useSession } from '../../session/session.ts';
import { actionIcon, isGrave } from './action-icons.ts';
import { type Action, type ActionItem, rowActionsFor } from './actions.ts';

type Props = {
  pedido: Pedido;
  onAction: (action: Action, pedido: Pedido, from: HTMLElement | null) => void;
  labels?: Partial<Record<Action['kind'], string>> | undefined;
  /** Shrinks the button to the height of a line of text. */
  compact?: boolean;
};

/** Menu of an order's row: the next step and a few more. The open order offers the rest. */
export function ActionsMenu(props: Props) {
  const from = useRef<HTMLButtonElement>(null);
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionIcon
          ref={from}
          variant="subtle"
          color="gray"
          size={props.compact ? 24 : 'lg'}
          aria-label={`Acciones del pedido ${props.pedido.numero_orden}`}
        >
          <IconDotsVertical size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Items {...props} from={from} />
      </Menu.Dropdown>
    </Menu>
  );
}

type ItemsProps = Props & { from: RefObject<HTMLElement | null> };

function Items({ pedido, onAction, labels = {}, from }: ItemsProps) {
  const actor = useSession();
  const id = useId();
  const items = rowActionsFor(actor, pedido);
  const printing = items.filter(({ action, reason }) => isPrint(action) && !reason);
  const entry = ({ action, label: usual, reason }: ActionItem) => {
    const Icon = actionIcon(action);
    const label = labels[action.kind] ?? usual;
    return (
      <Menu.Item
        key={label}
        // Unlike `disabled`, keeps the item focusable, so that a screen reader reads the reason.
        aria-disabled={!!reason || undefined}
        closeMenuOnClick={!reason}
        c={reason ? 'var(--mantine-color-disabled-color)' : isGrave(action) ? 'var(--mantine-color-error)' : undefined}
        leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
        aria-describedby={reason && `${id}-${label}`}
        onClick={() => !reason && onAction(action, pedido, from.current)}
      >
        {label}
        {reason && (
          <Text component="span" display="block" id={`${id}-${label}`} size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </Menu.Item>
    );
  };
  if (printing.length < 2) return items.map(entry);
  return items.map((item) => {
    if (!isPrint(item.action)) return entry(item);
    if (item !== printing[0]) return null;
    return (
      <Menu.Sub key="print">
        <Menu.Sub.Target>
          <Menu.Sub.Item leftSection={<IconPrinter size={16} stroke={1.8} aria-hidden />}>Imprimir</Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown>{printing.map(entry)}</Menu.Sub.Dropdown>
      </Menu.Sub>
    );
  });
}

const isPrint = ({ kind }: Action) => kind === 'print' || kind === 'label';
