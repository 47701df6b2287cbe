import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowBackUp, IconArrowDown, IconArrowUp, IconChevronDown, IconCoinEuro, IconMessageReply } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { situationOf } from '../../../contract/pedidos/situation.ts';
import type { Offered } from '../../../contract/pedidos/situations.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { clock } from '../../ui/format/format.ts';
import { usePhone } from '../../ui/page/use-phone.ts';
import { actionIcon, isGrave } from '../actions/action-icons.ts';
import { type Action, actionsFor, NOTE_PAYMENT, type PedidoDialogProps, POSTPONE, sealedReason, stepAction } from '../actions/actions.ts';
import { useAnswer } from '../actions/use-answer.tsx';
import classes from './situation.module.css';

type Step = { label: string; Icon: typeof IconArrowUp; grave?: boolean; run: (from: HTMLElement | null) => void };
type Props = {
  pedido: Pedido & { venta_conjunta?: boolean | undefined };
  onAction: NonNullable<PedidoDialogProps['onAction']>;
  /** Opens the form of a refund or of a return, further down in the open order. */
  onStart?: ((what: 'refund' | 'return') => void) | undefined;
  /** Further steps, in front of what cannot be undone. */
  further?: readonly Step[];
  /** Icons at the end of the first line. */
  tools?: ReactNode;
  /** Leaves out «Más» and the filled button, beside a form. */
  brief?: boolean;
};

/** Letters of two buttons that fit in a line of a phone, beside «Más». */
const ONE_LINE = 28;

// Actions that the open order offers elsewhere.
const ELSEWHERE: readonly Action['kind'][] = ['view', 'edit'];

/** Situation of an order, with the next step as the only filled button, at most two others, and the rest under «Más». */
export function SituationBar({ pedido, onAction, onStart, further = [], tools, brief = false }: Props) {
  const more = useRef<HTMLButtonElement>(null);
  const { situation, steps, calm, rest, dialog } = useSteps(pedido, onAction, onStart);
  const offered = [...steps.filter(({ grave }) => !grave), ...further, ...steps.filter(({ grave }) => grave)];
  // One filled and two pale buttons; on a phone at most one, so that all stay in one line under the thumb.
  const isShort = offered.slice(0, 2).reduce((sum, { label }) => sum + label.length, 0) <= ONE_LINE;
  const phone = usePhone();
  const shown = phone ? (isShort ? 2 : 1) : 3;
  const all = brief ? offered : [...offered, ...rest];
  // An order with nothing to do offers the likeliest act, but does not press for it.
  const buttons = calm ? all.slice(0, all.length === 2 ? 2 : 1) : offered.slice(0, shown);
  const folded = all.slice(buttons.length);
  return (
    <>
      <section className={classes.said} data-tone={situation.tone} aria-label="Situación">
        <div className={classes.line}>
          <EstadoBadge estado={pedido.estado} />
          <Text size="md" fw={600} className={classes.sentence}>
            {situation.sentence}
          </Text>
          {tools}
        </div>
        {situation.more.map((words) => (
          <Text key={words}>{words}</Text>
        ))}
      </section>
      {all.length > 0 && (
        <Group role="group" aria-label="Acciones del pedido">
          {buttons.map(({ label, Icon, run }, i) => (
            <Button
              key={label}
              variant={i === 0 && !calm && !brief ? 'filled' : 'default'}
              leftSection={phone ? undefined : <Icon size={18} stroke={1.8} aria-hidden />}
              onClick={(event) => run(event.currentTarget)}
            >
              {label}
            </Button>
          ))}
          {folded.length > 0 && (
            <Menu width={240} withinPortal>
              <Menu.Target>
                <Button ref={more} variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
                  Más
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {folded.map(({ label, Icon, grave, run }) => (
                  <Menu.Item
                    key={label}
                    c={grave ? 'var(--mantine-color-error)' : undefined}
                    leftSection={<Icon size={16} stroke={1.8} aria-hidden />}
                    onClick={() => run(more.current)}
                  >
                    {label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      )}
      {dialog}
    </>
  );
}

/** Situation of an order, its steps by importance, and what else can be done. */
function useSteps(pedido: Props['pedido'], onAction: Props['onAction'], onStart: Props['onStart']) {
  const actor = useSession();
  const answer = useAnswer();
  const situation = situationOf(pedido, actor, clock());

  const actionStep = (action: Action, label: string): Step => ({
    label,
    Icon: actionIcon(action),
    grave: isGrave(action),
    run: (from) => onAction(action, pedido, from),
  });
  /** Buttons of a step; an answer has one button each. */
  function stepOf({ paso, label }: Offered): Step[] {
    if (paso === 'responder')
      return answer.answersFor(pedido).map(({ respuesta, label }) => ({
        label,
        Icon: IconMessageReply,
        grave: respuesta === 'devolucion',
        run: () => answer.ask(pedido, respuesta),
      }));
    if (paso === 'reembolsar') return onStart ? [{ label, Icon: IconCoinEuro, run: () => onStart('refund') }] : [];
    return [actionStep(stepAction(paso), label)];
  }
  const possible = actionsFor(actor, pedido).filter(({ reason }) => !reason);
  const pays = possible.some(({ action }) => action.kind === 'pay') && !pedido.contra_reembolso;
  const offered = [...(situation.next ? [situation.next] : []), ...situation.others];
  if (pays && !offered.some(({ paso }) => paso === 'cobrar')) offered.push({ paso: 'cobrar', label: NOTE_PAYMENT });
  const steps = offered.flatMap(stepOf);
  const returnable = pedido.estado === 'completado' && !pedido.deleted_at && pedido.cantidad_devuelta < pedido.cantidad;
  const calm = steps.every(({ grave }) => grave);
  if (onStart && returnable && can(actor, 'devolucion:manage'))
    steps.push({ label: 'Registrar devolución', Icon: IconArrowBackUp, run: () => onStart('return') });
  const rest = [
    ...(can(actor, 'pedido:postpone', pedido) && !sealedReason(pedido) ? [actionStep({ kind: 'postpone' }, POSTPONE)] : []),
    ...possible.filter(({ action }) => !ELSEWHERE.includes(action.kind)).map(({ action, label }) => actionStep(action, label)),
  ].filter(({ label }) => !steps.some((step) => step.label === label) && (label !== NOTE_PAYMENT || pedido.contra_reembolso));
  return { situation, steps, calm, rest, dialog: answer.dialog };
}

const typesText = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([readonly], [type=checkbox]), textarea:not([readonly]), select, [role=menuitem]');

/** Buttons, and arrow keys, to the previous and next order of the list. */
export function Around({ previous, next, go }: NonNullable<PedidoDialogProps['around']>) {
  useWindowEvent('keydown', (event) => {
    const to = event.key === 'ArrowUp' ? previous : event.key === 'ArrowDown' ? next : undefined;
    if (!to || typesText(event.target) || document.querySelectorAll('[aria-modal]').length > 1) return;
    event.preventDefault();
    go(to);
  });
  return (
    <>
      <Turn label="Pedido anterior de la lista" Icon={IconArrowUp} to={previous} go={go} />
      <Turn label="Pedido siguiente de la lista" Icon={IconArrowDown} to={next} go={go} />
    </>
  );
}

type TurnProps = { label: string; Icon: typeof IconArrowUp; to: Pedido | undefined; go: (pedido: Pedido) => void };

// Not `disabled` at either end of the list, because the focus would leave the dialog.
const Turn = ({ label, Icon, to, go }: TurnProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    aria-label={label}
    title={label}
    aria-disabled={!to || undefined}
    opacity={to ? undefined : 0.4}
    onClick={() => to && go(to)}
  >
    <Icon size={18} stroke={1.8} aria-hidden />
  </ActionIcon>
);
