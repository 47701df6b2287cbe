import { Badge } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';

/** What the badge says, to sort by. */
export const activeLabel = ({ is_active }: { is_active: boolean }): string => (is_active ? 'Activo' : 'Inactivo');

/** Shows whether something is active, as text, icon and colour. */
export function ActiveBadge({ active, yes = 'Activo', no = 'Inactivo' }: { active: boolean; yes?: string; no?: string }) {
  const Icon = active ? IconCheck : IconX;
  return (
    <Badge color={active ? 'green' : 'gray'} style={{ flexShrink: 0 }} leftSection={<Icon size={12} stroke={2} aria-hidden />}>
      {active ? yes : no}
    </Badge>
  );
}
