import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { type Actor, can } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import { iconOf, isGrave } from '../actions/action-icons.ts';
import { type Action, type ActionItem, actionsFor, nextOf, type PedidoDialogProps, POSTPONE, sealedReason } from '../actions/actions.ts';
import { CustomerMessage } from '../actions/customer-message.tsx';
import { AnswerButton } from './answer-button.tsx';
import classes from './pedido-steps.module.css';

/** Step about payments or returned goods, whose form is further down in the open order. */
export type FurtherStep = {
  label: string;
  icon: ReactNode;
  /** True for the step to do next. */
  urgent?: boolean;
  onClick: () => void;
};
type Props = Pick<PedidoDialogProps, 'onAction'> & {
  pedido: Pedido & { venta_conjunta?: boolean | undefined };
  further: readonly FurtherStep[];
};

// Actions that the open order offers elsewhere: payments have their own section.
const ELSEWHERE: readonly Action['kind'][] = ['view', 'edit', 'pay'];

/** True if the order waits for an answer that `actor` may give. */
export const waitsForMe = (actor: Actor, pedido: Pedido): boolean =>
  !!pedido.incidencia_at && !sealedReason(pedido) && can(actor, 'pedido:postpone', pedido);

const possibleFor = (...of: Parameters<typeof actionsFor>) => actionsFor(...of).filter(({ reason }) => !reason);

/** Primary step of an open order; undefined if `actor` must answer first. */
export const nextStepOf = (actor: Actor, pedido: Pedido): ActionItem | undefined =>
  waitsForMe(actor, pedido) ? undefined : nextOf(possibleFor(actor, pedido), pedido);

export function PedidoSteps({ pedido, onAction, further }: Props) {
  const actor = useSession();
  const more = useRef<HTMLButtonElement>(null);
  const answers = waitsForMe(actor, pedido);
  const next = nextStepOf(actor, pedido);
  const isUrgent = further.some(({ urgent }) => urgent);
  const others = [
    ...(can(actor, 'pedido:postpone', pedido) && !sealedReason(pedido) ? [{ action: { kind: 'postpone' } as const, label: POSTPONE }] : []),
    ...possibleFor(actor, pedido).filter(({ action, label }) => label !== next?.label && !ELSEWHERE.includes(action.kind)),
  ];
  const Icon = next && iconOf(next.action);
  return (
    <Group role="group" aria-label="Acciones del pedido" className={classes.steps}>
      {answers && <AnswerButton pedido={pedido} className={classes.next} />}
      {onAction && next && Icon && (
        <Button
          className={classes.next}
          variant={isUrgent ? 'default' : 'filled'}
          leftSection={<Icon size={18} stroke={1.8} aria-hidden />}
          onClick={(event) => onAction(next.action, pedido, event.currentTarget)}
        >
          {next.label}
        </Button>
      )}
      {further.map(({ label, icon, urgent, onClick }) => (
        <Button key={label} variant={urgent && !answers ? 'filled' : 'default'} leftSection={icon} onClick={onClick}>
          {label}
        </Button>
      ))}
      <CustomerMessage pedido={pedido} />
      {onAction && others.length > 0 && (
        <Menu width={240} withinPortal position="bottom-start">
          <Menu.Target>
            <Button ref={more} variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
              Más
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ action, label }) => {
              const ItemIcon = iconOf(action);
              return (
                <Menu.Item
                  key={label}
                  c={isGrave(action) ? 'var(--mantine-color-error)' : undefined}
                  leftSection={<ItemIcon size={16} stroke={1.8} aria-hidden />}
                  onClick={() => onAction(action, pedido, more.current)}
                >
                  {label}
                </Menu.Item>
              );
            })}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}

const typesText = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([readonly], [type=checkbox]), textarea:not([readonly]), select, [role=menuitem]');

export function Around({ previous, next, go }: NonNullable<PedidoDialogProps['around']>) {
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

// Not `disabled` at either end of the list, because the focus would leave the dialog.
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
