import { Button, Group, Text } from '@mantine/core';
import { useSession } from '../session/session.ts';
import { zonaProposals } from './proposals.ts';

type Props = {
  carriers: Parameters<typeof zonaProposals>[0];
  orders: Parameters<typeof zonaProposals>[1];
  onPick: (id: string) => void;
};

/** Buttons for the carriers proposed by zone and load. Shows nothing if the shop uses no zones. */
export function ProposedCarriers({ carriers, orders, onPick }: Props) {
  const used = useSession().zonas !== undefined;
  const proposed = used ? zonaProposals(carriers, orders) : [];
  if (proposed.length === 0) return null;
  return (
    <Group gap={8} role="group" aria-label="Propuestos por zona y carga">
      <Text size="xs" c="dimmed" w="100%">
        Propuestos por zona y carga:
      </Text>
      {proposed.map(({ id, words }) => (
        <Button key={id} size="compact-sm" variant="light" onClick={() => onPick(id)}>
          {words}
        </Button>
      ))}
    </Group>
  );
}
