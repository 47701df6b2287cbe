import { Badge } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';

/** Label of the badge, also used as sort key. */
export const activeLabel = ({ is_active }: { is_active: boolean }): string => (is_active ? 'Activo' : 'Inactivo');

export function ActiveBadge({ active, yes = 'Activo', no = 'Inactivo' }: { active: boolean; yes?: string; no?: string }) {
  const Icon = active ? IconCheck : IconX;
  return (
    <Badge color={active ? 'green' : 'gray'} style={{ flexShrink: 0 }} leftSection={<Icon size={12} stroke={2} aria-hidden />}>
      {active ? yes : no}
    </Badge>
  );
}
