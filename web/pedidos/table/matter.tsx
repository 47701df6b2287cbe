import { Text } from '@mantine/core';
import { type Situation, type SituationOrder, situationOf } from '../../../contract/pedidos/situation.ts';
import { useSession } from '../../session/session.ts';
import { clock } from '../../ui/format/format.ts';

const COLOR: Record<Situation['tone'], string | undefined> = {
  neutral: undefined,
  info: undefined,
  warning: 'orange',
  danger: 'var(--mantine-color-error)',
  success: undefined,
};

/** What is the matter with an order beyond its estado, in few words in a cell; renders nothing if nothing is. */
export function Matter({ pedido, oneLine = false }: { pedido: SituationOrder; oneLine?: boolean }) {
  const { brief, sentence, tone, more } = situationOf(pedido, useSession(), clock());
  if (!brief) return null;
  return (
    <Text size="xs" fw={600} lh={1.25} c={COLOR[tone]} title={[sentence, ...more].join(' · ')} truncate={oneLine || undefined}>
      {oneLine ? brief : sentence}
    </Text>
  );
}
