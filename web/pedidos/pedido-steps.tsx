import { ActionIcon, Button, Group } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Pedido } from '../../contract/pedidos.ts';
import { useSession } from '../session/session.ts';
import { type Action, actionsFor, type PedidoDialogProps } from './actions/actions.ts';
import { iconOf, isGrave } from './actions/icons.ts';

type Props = Pick<PedidoDialogProps, 'onAction' | 'around'> & { pedido: Pedido };

// Actions that the dialog offers elsewhere.
const ELSEWHERE: readonly Action['kind'][] = ['view', 'edit'];

/** Actions of the open order, and links to the previous and next one. */
export function PedidoSteps({ pedido, onAction, around }: Props) {
  const actor = useSession();
  const steps = actionsFor(actor, pedido).filter(({ action, reason }) => !reason && !ELSEWHERE.includes(action.kind));
  return (
    <Group justify="space-between" align="start" gap="xs" wrap="nowrap">
      <Group gap={6} role="group" aria-label="Acciones del pedido">
        {onAction &&
          steps.map(({ action, label }) => {
            const Icon = iconOf(action);
            return (
              <Button
                key={label}
                size="compact-sm"
                variant="default"
                c={isGrave(action) ? 'var(--mantine-color-error)' : undefined}
                leftSection={<Icon size={15} stroke={1.8} aria-hidden />}
                onClick={(event) => onAction(action, pedido, event.currentTarget)}
              >
                {label}
              </Button>
            );
          })}
      </Group>
      {around && <Around {...around} />}
    </Group>
  );
}

const typesText = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([readonly], [type=checkbox]), textarea:not([readonly]), select, [role=menuitem]');

function Around({ previous, next, go }: NonNullable<PedidoDialogProps['around']>) {
  useWindowEvent('keydown', (event) => {
    const to = event.key === 'ArrowUp' ? previous : event.key === 'ArrowDown' ? next : undefined;
    if (!to || typesText(event.target) || document.querySelectorAll('[aria-modal]').length > 1) return;
    event.preventDefault();
    go(to);
  });
  return (
    <Group gap={4} wrap="nowrap">
      <Turn label="Pedido anterior de la lista" Icon={IconArrowUp} to={previous} go={go} />
      <Turn label="Pedido siguiente de la lista" Icon={IconArrowDown} to={next} go={go} />
    </Group>
  );
}

type TurnProps = { label: string; Icon: typeof IconArrowUp; to: Pedido | undefined; go: (pedido: Pedido) => void };

// Never `disabled`: at either end the focus would leave the dialog.
const Turn = ({ label, Icon, to, go }: TurnProps) => (
  <ActionIcon
    variant="default"
    size={26}
    aria-label={label}
    title={label}
    aria-disabled={!to || undefined}
    opacity={to ? undefined : 0.4}
    onClick={() => to && go(to)}
  >
    <Icon size={16} stroke={1.8} aria-hidden />
  </ActionIcon>
);
