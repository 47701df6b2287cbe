import { Text, UnstyledButton } from '@mantine/core';
import { type Situation, type SituationOrder, situationOf } from '../../../contract/pedidos/situation.ts';
import type { Paso, SituationId } from '../../../contract/pedidos/situations.ts';
import { useSession } from '../../session/session.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { clock } from '../../ui/format/format.ts';
import classes from './matter.module.css';

const COLOR: Record<Situation['tone'], string | undefined> = {
  neutral: undefined,
  info: undefined,
  warning: 'orange',
  danger: 'var(--mantine-color-error)',
  success: undefined,
};

type Props<P> = {
  pedido: P;
  /** The brief words, for a cell; else the sentence. */
  brief?: boolean;
  except?: readonly SituationId[];
  /** Runs the next step, which the words then offer. */
  onStep?: ((paso: Paso, pedido: P, from: Element) => void) | undefined;
};

/** Situation of an order, if it adds something to the estado and is not in `except`. */
export function Matter<P extends SituationOrder>({ pedido, brief = false, except = [], onStep }: Props<P>) {
  const { id, brief: words, sentence, tone, more, next } = situationOf(pedido, useSession(), clock());
  if (!words || except.includes(id)) return null;
  return (
    <Text size="xs" lh={1.2} component={brief ? 'span' : 'p'} title={[sentence, ...more].join(' · ')}>
      <Text span inherit fw={600} c={COLOR[tone]} className={brief ? classes.words : undefined}>
        {brief ? words : sentence}
      </Text>
      {next && onStep && (
        <>
          {' '}
          <UnstyledButton
            className={classes.step}
            aria-label={`${next.label} ${pedido.numero_orden}`}
            onClick={(event) => onStep(next.paso, pedido, event.currentTarget)}
          >
            {next.label}
          </UnstyledButton>
        </>
      )}
    </Text>
  );
}

/** Cell of the estado in every table of orders: its badge, what is the matter, and the next step. */
export const EstadoCell = <P extends SituationOrder>({ pedido, ...matter }: Omit<Props<P>, 'brief'>) => (
  <div className={classes.cell}>
    <EstadoBadge estado={pedido.estado} short /> <Matter pedido={pedido} brief {...matter} />
  </div>
);
