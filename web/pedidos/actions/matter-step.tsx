import { Button, Group, Text } from '@mantine/core';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { situationOf } from '../../../contract/pedidos/situation.ts';
import { useSession } from '../../session/session.ts';
import { clock } from '../../ui/format/format.ts';
import { type Action, actionOf } from './actions.ts';

type Props = { pedido: Pedido; onAction: (action: Action, pedido: Pedido, from: Element) => void };

/** Why an order is in a list, and its next step. */
export function MatterWithStep({ pedido, onAction }: Props) {
  const { sentence, more, next } = situationOf(pedido, useSession(), clock());
  const words = [sentence, ...more].join(' · ');
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
