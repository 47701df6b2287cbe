import { Button, Group, Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { type Situation, type SituationOrder, situationOf } from '../../../contract/pedidos/situation.ts';
import { useSession } from '../../session/session.ts';
import { clock } from '../../ui/format/format.ts';
import { type Action, actionOf } from '../actions/actions.ts';

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
    <Text size="xs" fw={600} lh={1.25} c={COLOR[tone]} title={[sentence, ...more].join('. ')} truncate={oneLine || undefined}>
      {oneLine ? brief : sentence}
    </Text>
  );
}

type Props = { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element) => void };

/** Why an order is in a list, and its next step. */
export function MatterWithStep({ pedido, onAction }: Props) {
  const { sentence, more, next } = situationOf(pedido, useSession(), clock());
  const words = [sentence, ...more].join('. ');
  return (
    <Group gap={6} wrap="nowrap" justify="space-between">
      <Text size="xs" lh={1.25} lineClamp={2} title={words}>
        {words}
      </Text>
      {next && (
        <Button
          size="compact-xs"
          variant="light"
          style={{ flexShrink: 0 }}
          aria-label={`${next.label} ${pedido.numero_orden}`}
          onClick={(event) => onAction(actionOf(next.paso), pedido, event.currentTarget)}
        >
          {next.label}
        </Button>
      )}
    </Group>
  );
}
