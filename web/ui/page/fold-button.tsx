import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

type Props = { label: string; open: boolean; controls: string; onClick: () => void };

/** Opens and folds the part with the id `controls`. */
export function FoldButton({ label, open, controls, onClick }: Props) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  const icon = <Chevron size={16} stroke={1.8} aria-hidden />;
  return (
    <Button variant="subtle" size="compact-sm" leftSection={icon} aria-expanded={open} aria-controls={controls} onClick={onClick}>
      {label}
    </Button>
  );
}
