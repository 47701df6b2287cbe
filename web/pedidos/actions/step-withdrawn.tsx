import { Button, Group, Stack } from '@mantine/core';
import { type Named, Subject } from '../subject.tsx';
import { Withdrawn } from './withdrawn.tsx';

type Props = { pedido: Named; by: string; onClose: () => void };

/** Replaces a step's form when the carrier no longer has the order. */
export const StepWithdrawn = ({ pedido, by, onClose }: Props) => (
  <Stack gap="md">
    <Subject pedido={pedido} />
    <Withdrawn by={by} />
    <Group justify="flex-end">
      <Button onClick={onClose}>Cerrar</Button>
    </Group>
  </Stack>
);
