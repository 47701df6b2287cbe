import { Checkbox } from '@mantine/core';

type Props = { label: string; checked: boolean; onChange: () => void };

/** The tick of an order's card, as large as a finger. */
export const Tick = ({ label, checked, onChange }: Props) => (
  <Checkbox aria-label={label} checked={checked} onChange={onChange} size="md" p={4} />
);
