import { Text } from '@mantine/core';
import { type Situation, type SituationId, type SituationOrder, situationOf } from '../../../contract/pedidos/situation.ts';
import { useSession } from '../../session/session.ts';
import { clock } from '../../ui/format/format.ts';

const COLOR: Record<Situation['tone'], string | undefined> = {
  neutral: undefined,
  info: undefined,
  warning: 'orange',
  danger: 'var(--mantine-color-error)',
  success: undefined,
};

type Props = { pedido: SituationOrder; oneLine?: boolean; except?: SituationId };

/** Situation of an order in a cell, if it adds something to the estado and is not `except`. */
export function Matter({ pedido, oneLine = false, except }: Props) {
  const { id, brief, sentence, tone, more } = situationOf(pedido, useSession(), clock());
  if (!brief || id === except) return null;
  return (
    <Text size="xs" fw={600} lh={1.25} c={COLOR[tone]} title={[sentence, ...more].join(' · ')} truncate={oneLine || undefined}>
      {oneLine ? brief : sentence}
    </Text>
  );
}
