import { Button, Group } from '@mantine/core';
import { useSession } from '../../session/session.ts';
import type { FilterValues, SetFilters } from '../table/query.ts';
import { chips, isPressed, NO_CHIP } from './to-deliver.ts';

type Props = { filters: FilterValues; setFilters: SetFilters };

/** Chips that filter the deliveries; pressing a chip again returns to all open deliveries. */
export function EntregasChips({ filters, setFilters }: Props) {
  const { envios } = useSession();
  return (
    <Group gap={6} mb="sm" role="group" aria-label="Qué entregas">
      {chips()
        .filter(({ patch }) => envios || !patch.en_empresa)
        .map((chip) => {
          const pressed = isPressed(filters, chip);
          return (
            <Button
              key={chip.label}
              size="compact-md"
              radius="xl"
              fw={pressed ? 600 : 400}
              variant={pressed ? 'light' : 'default'}
              aria-pressed={pressed}
              onClick={() => setFilters({ ...NO_CHIP, ...(!pressed && chip.patch) })}
            >
              {chip.label}
            </Button>
          );
        })}
    </Group>
  );
}
