import { Alert, Button, Group, Text } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { number } from '../ui/format/format.ts';

type Props = { seen: number; now: number; onTake: () => void };

/** Warns that the stock has changed since the form opened: the server books the difference from `seen`. */
export function StockMoved({ seen, now, onTake }: Props) {
  return (
    <Alert color="orange" icon={<IconArrowsExchange size={18} />} role="status" py="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          El stock ha cambiado mientras editabas: había {number(seen)} y ahora hay {number(now)}.
        </Text>
        <Button variant="default" size="xs" onClick={onTake}>
          Partir de {number(now)}
        </Button>
      </Group>
    </Alert>
  );
}
