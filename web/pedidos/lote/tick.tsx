import { Checkbox } from '@mantine/core';

type Props = { label: string; checked: boolean; onChange: () => void };

/** Checkbox of an order's card, sized for touch. */
export const Tick = ({ label, checked, onChange }: Props) => (
  <Checkbox aria-label={label} checked={checked} onChange={onChange} size="md" p={4} />
);
